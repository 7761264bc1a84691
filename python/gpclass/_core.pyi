from typing import Any, Callable, Optional, Sequence, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

__version__: str

Values = Union[NDArray[np.float64], Sequence[Optional[str]]]
Columns = Sequence[tuple[str, Values]]

class Model:
    @staticmethod
    def fit(
        columns: Columns,
        labels: NDArray[np.uint16],
        classes: Sequence[str],
        weights: Optional[NDArray[np.float64]],
        spec: str,
        candidates: Optional[str],
        threads: Optional[int],
        callback: Optional[Callable[[dict[str, Any]], object]],
    ) -> Model: ...
    def predict(self, columns: Columns, threads: Optional[int]) -> dict[str, Any]: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def log_evidence(self) -> float: ...
    def summary(self) -> str: ...
    def chosen(self) -> tuple[str, str]: ...
    def spec(self) -> str: ...
    def export(self) -> dict[str, Any]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...

class Problem(TypedDict):
    inputs: NDArray[np.float64]
    positive: NDArray[np.bool_]
    weights: Optional[NDArray[np.float64]]
    kernel: str
    likelihood: str
    likelihood_values: Sequence[tuple[str, float]]
    test: Optional[NDArray[np.float64]]

def infer(problem: Problem, method: str, objective: str, threads: Optional[int]) -> dict[str, Any]: ...
def sample(problem: Problem, options: str, threads: Optional[int]) -> dict[str, Any]: ...
def kernel_parameters(kernel: str, features: Sequence[str]) -> tuple[list[str], str]: ...
def choose_features(effects: Sequence[float], choice: str) -> list[int]: ...
