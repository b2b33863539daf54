# SPDX-License-Identifier: GPL-3.0-or-later
"""A GPU of one's own: first as figures of a data sheet, then with constants fitted to measured kernels."""
# %%
import os

import heteroscape

# %% A device is a dict, as its file has it. This one is an H100 with faster memory.
device = heteroscape.entry("device", "h100-sxm")
device.update(id="mine", name="H100 with faster memory", memory_bandwidth_gbps=4800)
design = heteroscape.design("served/gpt-oss-120b-h100")
faster = design.copy()
faster["nodes.gpu.device"] = device
before, after = (one.evaluate()["tpot_s"] for one in (design, faster))
print(f"Time per token: {1e3 * before:.2f} ms, with faster memory {1e3 * after:.2f} ms")

# %% Times of kernels, here the shipped ones of attention; `packaging/measure_gpu.py` measures those of a card.
measured = os.path.join(heteroscape.presets_folder(), "measured", "attention.csv")
fitted = heteroscape.calibrate(measured, starts=1, runtime="vllm")
print(f"{len(fitted.constants)} constants, the first of them:")
for row in fitted.constants[:3]:
    print(f"  {row['of']}: {row['constant']} was {row['before']:.3g}, is {row['after']:.3g}")

# %% Only rows that nothing was fitted on say how good the fit is elsewhere. Accept it if these did not become worse.
held_out = fitted.errors["held_out"]
for when in ("before", "after"):
    print(f"Held-out rows {when}: median error {held_out[when]['median_percent']:.1f} %")

# %% The result is a runtime that carries the constants.
fitted_design = design.copy()
fitted_design["nodes.gpu.runtime"] = fitted.result
print(f"Throughput: {fitted_design.evaluate()['throughput_tok_s']:.0f} tok/s")
