"""A few lines each between crowdtune and other packages, which are imported only where they are used.

| module | for |
|---|---|
| `adapters.optuna` | Optuna: distributions of a space, an objective, and crowdtune's optimizers as a sampler |
| `adapters.pymoo` | pymoo: a `Problem` |
| `adapters.ribs` | pyribs: what emitters' solutions are worth |
| `adapters.scipy` | SciPy and scikit-learn: bounds, a loss, a table to fit |
| `adapters.salib` | SALib: the problem, and the outputs of a sample |
| `adapters.sbi` | sbi: a prior and a simulator |
| `adapters.ray_tune` | Ray Tune: a search space and a trainable |
"""
