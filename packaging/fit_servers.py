#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the constants of presets/servers/ to measured servers, through the program: to the training rows of
presets/measured/serving and, with --metrics, to a table of metrics of other people's servers.

    packaging/fit_servers.py build/bin/heteroscape-cli [--metrics FILE] [--write] [--steps N] [SERVER...]

What is minimised is the mean of |ln(predicted / measured)|, cut at 0.6 (TPOT, rates) and 0.8 (TTFT), over groups
of rows weighted alike; TTFT counts 0.6, 0.25 where lengths are fixed or not told (their clients are not known).
The simplex of Nelder and Mead begins at the constants that are there; `--write` puts those found in their place.
Constants are fitted for a server, never for a model or a device: TRAINING says by which groups, FITTED what. Of
metrics the groups are those of a source and a kind of model, from software since SINCE: what is older is slower by
an age, and latent attention got its kernels later than the rest.

With `--errors` nothing is fitted to what the errors are told of: each group is predicted by constants that were
fitted without it, rows of groups that are in no training by the constants that are there. What comes of it is
presets/servers/system_errors.csv: how far half and 80 % of the rows lie off (see SystemErrors), rows weighted so
that a group counts as the root of their number.
"""
import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRAINING = {
    "vllm": ["llama70b h100_sxm vllm agg", "gptoss h100_sxm vllm agg", "qwen32b h100_sxm vllm agg (fixed)"],
    "sglang": ["qwen32b h100_sxm sglang agg (fixed)", "dsr1 h200_sxm sglang agg", "dsr1 h200_sxm sglang disagg"],
    "trtllm": ["llama8b h100_sxm trtllm agg (fixed)", "qwen32b h100_sxm trtllm agg (fixed)",
               "dsr1 h200_sxm trtllm agg", "dsr1 h200_sxm trtllm disagg"],
}
SINCE = {"latent attention": "2025-07"}
SINCE_ELSE = "2025-01"
FITTED = ["kernel_factor", "layer_us", "expert_parallel_us", "step_ms", "sequence_us", "eager_dense_us", "eager_mixture_us",
          "eager_latent_us", "request_ms"]
STEP = {"expert_parallel_us": 50.0}  # the first of the simplex where a constant is 0
FRAMEWORKS = {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM"}
MOST_ROWS = 45  # of a group


def number(value):
    return value["value"] if isinstance(value, dict) else value


class Fit:
    def __init__(self, program, server, folder, metrics):
        self.program, self.server = program, server
        self.folder, self.metrics = folder, None
        self.presets = os.path.join(folder, "presets")
        shutil.copytree(os.path.join(ROOT, "presets"), self.presets)
        self.path = os.path.join(self.presets, "servers", server + ".json")
        with open(self.path, encoding="utf-8") as file:
            self.constants = json.load(file)
        measured = os.path.join(self.presets, "measured", "serving", "serving.csv")
        rows = self.answers(measured)
        self.wanted = set()
        for group in TRAINING[server]:
            ids = [row["id"] for row in rows if row["group"] == group]
            self.wanted.update(ids[:: max(1, len(ids) // MOST_ROWS)])
        self.table = os.path.join(folder, "training.csv")
        with open(measured, encoding="utf-8") as file, open(self.table, "w", encoding="utf-8") as out:
            reader = csv.DictReader(line for line in file if not line.startswith("#"))
            writer = csv.DictWriter(out, reader.fieldnames)
            writer.writeheader()
            writer.writerows(row for row in reader if row["id"] in self.wanted)
        self.all_metrics = metrics
        self.left_out = None  # a group that nothing is fitted to
        if metrics:
            self.keep_metrics(metrics)

    def keep_metrics(self, metrics):
        """Of a table of metrics the rows that this server is fitted on."""
        def takes(row):
            return (row["framework"].startswith(FRAMEWORKS[self.server]) and row["predicted"]
                    and not row["metric"].startswith(("power", "energy"))
                    and row["date"] >= SINCE.get(row["kind"], SINCE_ELSE))

        lines = {row["line"] for row in self.answers(metrics, "source") if takes(row)}
        if not lines:
            return
        self.metrics = os.path.join(self.folder, "metrics.csv")
        with open(metrics, encoding="utf-8") as file, open(self.metrics, "w", encoding="utf-8") as out:
            out.writelines(line for number, line in enumerate(file, 1) if number == 1 or number in lines)

    def answers(self, table, by="group"):
        run = subprocess.run([self.program, "validate", "--measured", table, "--by", by, "--json"],
                             capture_output=True, text=True, check=True,
                             env=dict(os.environ, HETEROSCAPE_PRESETS=self.presets))
        return [row for row in json.loads(run.stdout)["rows"] if row["file"] == table]

    def errors(self):
        """By group and metric."""
        groups = {}

        def add(group, metric, predicted, measured):
            if predicted and measured:
                groups.setdefault(group, {}).setdefault(metric, []).append(
                    min(0.8 if metric == "ttft" else 0.6, abs(math.log(predicted / measured))))

        for row in self.answers(self.table):
            for metric in ("tpot", "ttft"):
                add(row["group"], metric, row[f"predicted_{metric}_ms"], row[f"measured_{metric}_ms"])
        for row in self.answers(self.metrics, "source") if self.metrics else []:
            metric = "ttft" if row["metric"].startswith(("ttft", "prefill")) else "tpot"
            add(metrics_group(row) + " (fixed)", metric, row["predicted"], row["measured"])
        return groups

    def misses(self, group=None):
        """Of the rows of a group, or of all that nothing is fitted to: case, group and |ln(predicted / measured)|."""
        trained = set(self.errors())
        wanted = {group} if group else None

        def takes(name):
            return name in wanted if wanted else name not in trained

        measured = os.path.join(self.presets, "measured", "serving", "serving.csv")
        with open(measured, encoding="utf-8") as file:
            outputs = {row["id"]: row["osl"] for row in csv.DictReader(line for line in file if line[0] != "#")}
        for row in self.answers(measured):
            if row["framework"] != self.server or row["contradicts"] or not takes(row["group"]):
                continue
            times = [(row[f"predicted_{metric}_ms"], row[f"measured_{metric}_ms"]) for metric in ("ttft", "tpot")]
            for quantity, (predicted, known) in zip(("prompts", "tokens"), times):
                if predicted and known:
                    yield quantity, row, row["group"], miss(predicted, known)
            if all(predicted and known for predicted, known in times):  # tokens by the time of a request
                predicted, known = (times[0][i] + times[1][i] * float(outputs[row["id"]]) for i in (0, 1))
                yield "rates", row, row["group"], miss(predicted, known)
        for row in self.answers(self.all_metrics, "source") if self.all_metrics else []:
            if row["predicted"] and row["server"] == self.server and takes(metrics_group(row) + " (fixed)"):
                quantity = "energy" if row["quantity"] == "power" else row["quantity"]
                yield quantity, row, metrics_group(row), miss(row["predicted"], row["measured"])

    def put(self, values):
        constants = json.loads(json.dumps(self.constants))
        for key, value in zip(FITTED, values):
            if isinstance(constants[key], dict):
                constants[key]["value"] = value
            else:
                constants[key] = value
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(constants, file)

    def cost(self, values):
        if min(values) < 0:
            return math.inf
        self.put(values)
        total = weights = 0.0
        for group, errors in self.errors().items():
            if group == self.left_out:
                continue
            for metric, rows in errors.items():
                weight = 1.0 if metric == "tpot" else 0.25 if "(fixed)" in group else 0.6
                total += weight * sum(rows) / len(rows)
                weights += weight
        return total / weights


def metrics_group(row):
    return f"{row['source']}, {row['server']}, {row['kind']}"


def miss(predicted, measured):
    return abs(math.log(predicted / measured))


def quantile(rows, share):
    """Of pairs of value and weight."""
    rows = sorted(rows)
    wanted, seen = share * sum(weight for _, weight in rows), 0.0
    for value, weight in rows:
        seen += weight
        if seen >= wanted:
            return value
    return rows[-1][0]


CASE = ("kind", "age", "regime", "server")
FEWEST_ROWS, FEWEST_GROUPS = 10, 2


def table_of(misses):
    cells = {}
    for quantity, row, group, value in misses:
        case = tuple(row[key] for key in CASE)
        for told in range(len(CASE) + 1):
            cells.setdefault((quantity,) + case[:told] + ("",) * (len(CASE) - told), {}).setdefault(group, []).append(value)
    lines = []
    for cell, groups in sorted(cells.items()):
        count = sum(map(len, groups.values()))
        if any(cell[1:]) and (count < FEWEST_ROWS or len(groups) < FEWEST_GROUPS):
            continue
        rows = [(value, len(values) ** -0.5) for values in groups.values() for value in values]
        widths = [math.expm1(quantile(rows, share)) for share in (0.5, 0.8)]
        lines.append(",".join(cell) + f",{count},{len(groups)},{widths[0]:.3f},{widths[1]:.3f}")
    return lines


def simplex(start, cost, steps):
    count = len(start)
    corners = [(cost(start), list(start))]
    for i in range(count):
        other = list(start)
        other[i] = other[i] * 1.25 or STEP.get(FITTED[i], 1.0)
        corners.append((cost(other), other))
    for _ in range(steps):
        corners.sort(key=lambda corner: corner[0])
        middle = [sum(corner[1][i] for corner in corners[:-1]) / count for i in range(count)]

        def beyond(share):
            point = [m + share * (m - w) for m, w in zip(middle, corners[-1][1])]
            return cost(point), point

        tried = beyond(1.0)
        if tried[0] < corners[0][0]:
            tried = min(tried, beyond(2.0))
        elif tried[0] >= corners[-2][0]:
            tried = min(tried, beyond(-0.5))
        if tried[0] < corners[-1][0]:
            corners[-1] = tried
        else:
            best = corners[0][1]
            shrunk = [[(b + c) / 2 for b, c in zip(best, corner[1])] for corner in corners[1:]]
            corners = corners[:1] + [(cost(point), point) for point in shrunk]
    return min(corners)


def put(path, key, value):
    """Only the number changes: the file keeps its form."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text, count = re.subn(r'("%s": (?:\{"value": )?)[-+.0-9eE]+' % key, lambda found: f"{found[1]}{value:.4g}", text)
    assert count == 1, (path, key)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write_errors(options):
    misses = []
    for server in TRAINING:
        with tempfile.TemporaryDirectory() as folder:
            fit = Fit(os.path.abspath(options.program), server, folder, options.metrics)
            there = [number(fit.constants[key]) for key in FITTED]
            fit.put(there)
            misses += fit.misses()
            for group in sorted(fit.errors()):
                fit.left_out = group
                _, found = simplex(there, fit.cost, options.steps)
                fit.put(found)
                of = list(fit.misses(group))
                misses += of
                print(f"{server} without {group}: {len(of)} figures", flush=True)
    for miss_of in misses:
        miss_of[1].setdefault("server", miss_of[1].get("framework"))
    path = os.path.join(ROOT, "presets", "servers", "system_errors.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# How far predictions of whole served systems are off by constants that had not seen them: half\n"
                   "# of the measured values lay within a factor of 1 + half, 80 % within 1 + most. Made by\n"
                   "# packaging/fit_servers.py --errors; money (what prices are off by) is assumed.\n"
                   "quantity,kind,age,regime,server,rows,groups,half,most\n")
        file.write("\n".join(table_of(misses)) + "\nmoney,,,,,0,0,0.15,0.35\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", help="heteroscape-cli")
    parser.add_argument("servers", nargs="*", metavar="SERVER", help="default: all")
    parser.add_argument("--metrics", metavar="FILE", help="table of metrics to fit to as well")
    parser.add_argument("--write", action="store_true", help="write what is found into presets/servers/")
    parser.add_argument("--steps", type=int, default=120, help="of the simplex")
    parser.add_argument("--errors", action="store_true", help="write presets/servers/system_errors.csv")
    options = parser.parse_intermixed_args()
    if options.errors:
        write_errors(options)
        return
    for server in options.servers or TRAINING:
        with tempfile.TemporaryDirectory() as folder:
            fit = Fit(os.path.abspath(options.program), server, folder, options.metrics)
            start = [number(fit.constants[key]) for key in FITTED]
            before = fit.cost(start)
            after, found = simplex(start, fit.cost, options.steps)
            fit.cost(found)
            groups = {f"{group}, {metric}": 100 * sum(rows) / len(rows)
                      for group, errors in fit.errors().items() for metric, rows in errors.items()}
            print(f"{server}: {len(fit.wanted)} rows, mean error {100 * before:.2f} -> {100 * after:.2f} %")
            for key, was, value in zip(FITTED, start, found):
                print(f"  {key:18s} {was:10.4g} -> {value:.4g}")
                if options.write:
                    put(os.path.join(ROOT, "presets", "servers", server + ".json"), key, value)
            for group, error in sorted(groups.items()):
                print(f"  {error:5.1f} % {group}")


if __name__ == "__main__":
    main()
