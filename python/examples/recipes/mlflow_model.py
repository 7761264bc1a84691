"""MLflow: a model file as a pyfunc model, saved, loaded and asked for probabilities.

Needs ``mlflow`` or the smaller ``mlflow-skinny``. The model is kept as its own file, so that neither a pickle nor the Python version
decides whether it can be read.
"""

# %% A model.
import tempfile
from pathlib import Path

import mlflow.pyfunc
import pandas as pd
from sklearn.datasets import load_iris

import gpclass
from gpclass import GPClassifier

data = load_iris(as_frame=True)
species = data.target_names[data.target]
model = GPClassifier(kernel="se", likelihood="probit", lengthscales="single").fit(data.data, species)


# %% What MLflow calls: the file is loaded once, rows come as frames.
class GPModel(mlflow.pyfunc.PythonModel):
    def load_context(self, context):
        self.model = gpclass.load(context.artifacts["model"])

    def predict(self, context, model_input, params=None):
        p = pd.DataFrame(self.model.predict_proba(model_input), columns=self.model.classes_, index=model_input.index)
        return p.assign(novelty=self.model.novelty(model_input))


# %% Saved as MLflow keeps models; mlflow.pyfunc.log_model takes the same arguments inside a run.
folder = Path(tempfile.mkdtemp())
model.save(folder / "iris.gpc")
mlflow.pyfunc.save_model(
    path=str(folder / "served"),
    python_model=GPModel(),
    artifacts={"model": str(folder / "iris.gpc")},
    pip_requirements=["gpclass"],
)

# %% Loaded by whoever serves it.
served = mlflow.pyfunc.load_model(str(folder / "served"))
answers = served.predict(data.data.head(3))
print(answers)
