# SPDX-License-Identifier: GPL-3.0-or-later
"""The cheapest system that serves a model to so many users within limits on the slowest of 100 requests."""
# %%
import heteroscape

USERS, TTFT, TPOT = 32, 2.0, 0.02  # s

# %% The load: users in a closed loop, each asks again as soon as it has its answer.
design = heteroscape.design("served/gpt-oss-120b-h100")
design.set({"serving.arrivals": "closed_loop", "serving.users": USERS})

# %% Every device with every number of cards; those within the limits, cheapest first.
found = design.find(
    {"nodes.gpu.device": ["h100-sxm", "h200-sxm", "b200-sxm"], "nodes.gpu.count": [1, 2, 4, 8]},
    minimize="price_usd",
    limits=[f"ttft_p99_s<={TTFT}", f"tpot_p99_s<={TPOT}"],
)
print(f"{found.points} designs tried")

# %% The answer is a design like any other.
cheapest = found.design(0)
evaluation = cheapest.evaluate()
print(cheapest["nodes.gpu.count"], "of", cheapest["nodes.gpu.device"], "for", evaluation["price_usd"], "$")
print(f"p99: TTFT {evaluation['ttft_p99_s']:.2f} s, TPOT {1e3 * evaluation['tpot_p99_s']:.1f} ms")
print("What the time per token hangs on:", evaluation.bound_label)
