from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

__version__: str

Values = Union[NDArray[np.float64], Sequence[Optional[str]]]
Columns = Sequence[tuple[str, Values]]

class Model:
    @staticmethod
    def fit(
        columns: Columns,
        positive: NDArray[np.bool_],
        classes: tuple[str, str],
        weights: Optional[NDArray[np.float64]],
        spec: str,
        candidates: Optional[str],
        threads: Optional[int],
        callback: Optional[Callable[[dict[str, Any]], object]],
    ) -> Model: ...
    def predict(self, columns: Columns, threads: Optional[int]) -> dict[str, Any]: ...
    @property
    def classes(self) -> tuple[str, str]: ...
    @property
    def log_evidence(self) -> float: ...
    def summary(self) -> str: ...
    def chosen(self) -> tuple[str, str]: ...
    def spec(self) -> str: ...
    def export(self) -> dict[str, Any]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...

def infer(
    inputs: NDArray[np.float64],
    positive: NDArray[np.bool_],
    weights: Optional[NDArray[np.float64]],
    kernel: str,
    likelihood_json: str,
    likelihood_values: Sequence[tuple[str, float]],
    method: str,
    objective: str,
    test: Optional[NDArray[np.float64]],
    threads: Optional[int],
) -> dict[str, Any]: ...
def kernel_parameters(kernel: str, features: Sequence[str]) -> tuple[list[str], str]: ...
