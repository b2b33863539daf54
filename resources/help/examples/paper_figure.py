# SPDX-License-Identifier: GPL-3.0-or-later
"""One figure of each paper, recomputed, and what the paper states beside what the model says."""
# %%
import heteroscape

FIGURES = ("glitches/fig5", "preserve/fig7", "inf2/fig10")

# %% A figure is a study: a table with a row for each point, the axes first.
tables = {}
for figure in FIGURES:
    tables[figure] = heteroscape.sweep(figure)
    print(f"{figure}: {len(tables[figure])} points over {tables[figure].columns[0]}")

# %% Claims that nothing was fitted to, and how far off the model is. Misfits are not hidden.
misfits = {}
for paper in ("glitches", "preserve", "inf2"):
    told = heteroscape.compare_paper(paper)
    misfits[paper] = told.misfits
    predicted = told.claims[told.claims["kind"] == "predicted"]
    print(f"{told.title}: {len(predicted)} predicted claims, {told.misfits} misfits among all {len(told.claims)}")
    for claim in predicted[:3]:
        print(f"  {claim['id']}: paper {claim['paper']:.4g}, model {claim['model']:.4g}")
