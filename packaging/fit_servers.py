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
fitted without it (to predictions that are linear in the constants near those that are there), rows of groups that
are in no training by the constants that are there. What comes of it is presets/servers/system_errors.csv: how far
half and 80 % of the rows lie off (see SystemErrors), and, printed, which share of the rows lies within.
"""
import argparse
import csv
import json
import math
import os
import random
import re
import shutil
import statistics
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
        self.measured = os.path.join(self.presets, "measured", "serving", "serving.csv")
        self.rows = [row for row in self.answers(self.measured) if row["framework"] == server]
        self.wanted = set()
        for group in TRAINING[server]:
            lines = [row["line"] for row in self.rows if row["group"] == group]
            self.wanted.update(lines[:: max(1, len(lines) // MOST_ROWS)])
        self.table = self.part("training.csv", self.measured, self.wanted)
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
        self.metrics = self.part("metrics.csv", metrics, lines)

    def part(self, name, table, wanted):
        """A table of the header and the lines that are wanted of another."""
        path = os.path.join(self.folder, name)
        with open(table, encoding="utf-8") as file, open(path, "w", encoding="utf-8") as out:
            header = True
            for number, line in enumerate(file, 1):
                if header or number in wanted:
                    out.write(line)
                header = header and line.startswith("#")
        return path

    def answers(self, table, by="group"):
        run = subprocess.run([self.program, "validate", "--measured", table, "--by", by, "--json"],
                             capture_output=True, text=True, check=True,
                             env=dict(os.environ, HETEROSCAPE_PRESETS=self.presets))
        return [row for row in json.loads(run.stdout)["rows"] if row["file"] == table]

    def residuals(self):
        """ln(predicted / measured) by group, metric and row."""
        found = {}

        def add(group, metric, row, predicted, measured):
            if predicted and measured:
                found[group, metric, row] = math.log(predicted / measured)

        for row in self.answers(self.table):
            for metric in ("tpot", "ttft"):
                add(row["group"], metric, row["line"], row[f"predicted_{metric}_ms"], row[f"measured_{metric}_ms"])
        for row in self.answers(self.metrics, "source") if self.metrics else []:
            metric = "ttft" if row["metric"].startswith(("ttft", "prefill")) else "tpot"
            add(metrics_group(row) + " (fixed)", metric, row["line"], row["predicted"], row["measured"])
        return found

    def errors(self, residuals=None):
        """By group and metric, cut."""
        groups = {}
        for (group, metric, _), value in (residuals or self.residuals()).items():
            groups.setdefault(group, {}).setdefault(metric, []).append(
                min(0.8 if metric == "ttft" else 0.6, abs(value)))
        return groups

    def without(self, start):
        """Constants for each group of the training that were fitted without it."""
        self.put(start)
        there, slopes = self.residuals(), []
        for i, value in enumerate(start):
            step = 0.15 * value or STEP.get(FITTED[i], 1.0)
            self.put([other + step * (i == j) for j, other in enumerate(start)])
            moved = self.residuals()
            slopes.append({row: (moved.get(row, before) - before) / step for row, before in there.items()})

        def cost(values):
            if any(value < before / 2 or value > 2 * before + 1e-9 for value, before in zip(values, start)):
                return math.inf
            moves = [value - before for value, before in zip(values, start)]
            return self.mean({row: value + sum(slope[row] * move for slope, move in zip(slopes, moves))
                              for row, value in there.items()})

        for group in sorted({group for group, _, _ in there}):
            self.left_out = group
            yield group, simplex(start, cost, 400)[1]

    def misses(self, group=None):
        """Of the rows of a group, or of all that nothing is fitted to: case, group and |ln(predicted / measured)|."""
        wanted = {group} if group else {row["group"] for row in self.rows} - set(TRAINING[self.server])
        with open(self.measured, encoding="utf-8") as file:
            outputs = {row["id"]: row["osl"] for row in csv.DictReader(line for line in file if line[0] != "#")}
        lines = {row["line"] for row in self.rows if row["group"] in wanted and not row["contradicts"]}
        for row in self.answers(self.part("held_out.csv", self.measured, lines)) if lines else []:
            times = [(row[f"predicted_{metric}_ms"], row[f"measured_{metric}_ms"]) for metric in ("ttft", "tpot")]
            for quantity, (predicted, known) in zip(("prompts", "tokens"), times):
                if predicted and known:
                    yield quantity, row, row["group"], miss(predicted, known)
            if all(predicted and known for predicted, known in times):  # tokens by the time of a request
                predicted, known = (times[0][i] + times[1][i] * float(outputs[row["id"]]) for i in (0, 1))
                yield "rates", row, row["group"], miss(predicted, known)
        if not self.all_metrics:
            return
        trained = {metrics_group(row) for row in self.answers(self.metrics, "source")} if self.metrics else set()
        for row in self.answers(self.all_metrics, "source") if group not in TRAINING[self.server] else []:
            of = metrics_group(row)
            if row["predicted"] and row["server"] == self.server and (
                    of + " (fixed)" == group if group else of not in trained):
                quantity = "energy" if row["quantity"] == "power" else row["quantity"]
                yield quantity, row, of, miss(row["predicted"], row["measured"])

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
        return self.mean()

    def mean(self, residuals=None):
        total = weights = 0.0
        for group, errors in self.errors(residuals).items():
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


class Bands:
    """Factors on the width of a band (SystemErrors), by quantiles of ln |ln(predicted / measured)|: what a level of
    a factor leaves over from the others, of G units of rows as G / (G + SHRINK) of it. A unit is a group of rows on
    one device, and counts as the root of their number. What few units are known of is wider, as Student's t is wider
    than the normal distribution."""
    FACTORS = {"kind": lambda row: row["kind"], "age": lambda row: f"{row['age']}, {row['kind']}",
               "regime": lambda row: row["regime"], "crowd": lambda row: row["crowd"],
               "step_prompts": lambda row: row["step_prompts"], "server": lambda row: row["server"]}
    SHARES, SHRINK, FEWEST_UNITS, LEAST, TURNS, WIDER = (0.5, 0.8), 2.0, 2, 1.2, 12, "age"

    def __init__(self, misses):
        self.rows, self.units = {("", ""): list(range(len(misses)))}, {}
        units = [unit(row, group) for row, group, _ in misses]
        counts = {name: units.count(name) for name in set(units)}
        weights = [counts[name] ** -0.5 for name in units]
        for of, level in self.FACTORS.items():
            for i, (row, _, _) in enumerate(misses):
                self.rows.setdefault((of, level(row)), []).append(i)
        for level, rows in self.rows.items():
            self.units[level] = len({units[i] for i in rows})
        self.widths = [self.fitted([math.log(max(value, 1e-3)) for _, _, value in misses], weights, share)
                       for share in self.SHARES]

    def fitted(self, values, weights, share):
        logs = {level: 0.0 for level in self.rows if not level[0] or self.units[level] >= self.FEWEST_UNITS}
        left = list(values)
        for turn in range(self.TURNS):
            for level in list(logs) if turn + 1 < self.TURNS else [("", "")]:  # that of any case first and last
                rows = self.rows[level]
                found = quantile([(left[i] + logs[level], weights[i]) for i in rows], share)
                if level[0]:
                    found *= self.units[level] / (self.units[level] + self.SHRINK)
                for i in rows:
                    left[i] -= found - logs[level]
                logs[level] = found
        for level, units in self.units.items():
            if level[0] == self.WIDER:
                logs[level] = logs.get(level, 0.0) + math.log(student(units, share))
        return logs

    def of(self, row):
        """ln(1 + half), ln(1 + most)."""
        levels = [("", "")] + [(of, level(row)) for of, level in self.FACTORS.items()]
        half, most = (math.exp(sum(logs.get(level, 0.0) for level in levels)) for logs in self.widths)
        return half, max(most, self.LEAST * half)

    def lines(self, quantity):
        for level in sorted(self.widths[0]):
            widths = [math.exp(logs[level]) for logs in self.widths]
            if not level[0]:
                widths = [math.expm1(width) for width in widths]
            name = '"' + level[1] + '"' if "," in level[1] else level[1]
            yield (f"{quantity},{level[0]},{name},{len(self.rows[level])},{self.units[level]},"
                   f"{widths[0]:.3f},{widths[1]:.3f}")


def student(freedom, share):
    """How much wider the middle `share` of Student's t is than that of the normal distribution (Abramowitz and
    Stegun 26.7.5)."""
    z = statistics.NormalDist().inv_cdf(0.5 + share / 2)
    return 1 + (z**2 + 1) / 4 / freedom + (5 * z**4 + 16 * z**2 + 3) / 96 / freedom**2


def unit(row, group):
    return f"{group}, {row['device']}" if "source" in row else group


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found, begin = [0.0] * len(values), 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            found[i] = (begin + end - 1) / 2
        begin = end
    return found


def correlation(one, other):
    one, other = ranks(one), ranks(other)
    means = sum(one) / len(one), sum(other) / len(other)
    spread = [math.sqrt(sum((value - mean) ** 2 for value in values)) for values, mean in zip((one, other), means)]
    return (sum((a - means[0]) * (b - means[1]) for a, b in zip(one, other)) / spread[0] / spread[1]
            if min(spread) > 0 else 0.0)


def device_of(row):
    return (row["device"] if "source" in row else row["group"].split()[1]).lower().replace("_", "-")


TOLD = {"all": lambda row: "", **{of: Bands.FACTORS[of] for of in ("kind", "regime", "crowd")},
        "framework": lambda row: row["server"], "device": device_of}
OTHERS = {"groups": lambda row, group: group, "GPUs": lambda row, _: device_of(row),
          "frameworks": lambda row, _: row["server"]}


def unseen(misses, key, part):
    """Rows of which `part` holds the key, in bands that were made from the others: row, widths and miss."""
    bands = Bands([one for one in misses if key(*one[:2]) not in part])
    return [(row, bands.of(row), value) for row, group, value in misses if key(row, group) in part]


def rank_correlation(told):
    return correlation([width[0] for _, width, _ in told], [value for _, _, value in told])


def halves(groups, count=10):
    chance = random.Random(1)
    for _ in range(count):
        chance.shuffle(groups)
        yield from (set(groups[::2]), set(groups[1::2]))


def print_coverage(misses):
    """As Markdown, by quantity: which share of the rows, predicted by constants that had not seen their group, lies
    within the bands of 50 and 80 %: those that are written, and those made without the row's group, GPU, framework.
    Of groups with more than 50 rows."""
    print("| quantity, rows | number | bands | " + " | ".join(f"of other {name}" for name in OTHERS)
          + " |\n|---|---|---|" + "---|" * len(OTHERS))
    correlations = []
    for quantity in ("prompts", "tokens", "rates"):
        of = [(row, group, value) for name, row, group, value in misses if name == quantity]
        bands = Bands(of)
        columns = [[(row, bands.of(row), value) for row, _, value in of]]
        for key in OTHERS.values():
            parts = sorted({key(row, group) for row, group, _ in of})
            columns.append([one for part in parts for one in unseen(of, key, {part})])
        for key, label in TOLD.items():
            for name in sorted({label(row) for row, _, _ in of}):
                cells = []
                for told in columns:
                    rows = [(width, value) for row, width, value in told if label(row) == name]
                    cells.append(" / ".join(f"{100 * sum(value <= width[i] for width, value in rows) / len(rows):.0f}"
                                            for i in (0, 1)))
                if len(rows) > 50:
                    print(f"| {quantity}, {name or key} | {len(rows)} | " + " | ".join(cells) + " |")
        apart = [rank_correlation(unseen(of, OTHERS["groups"], half))
                 for half in halves(sorted({group for _, group, _ in of}))]
        correlations.append(f"{quantity} {rank_correlation(columns[0]):.2f} ({sum(apart) / len(apart):.2f})")
    print("\nRank correlation of width and error (in bands made from the other half of the groups): "
          + ", ".join(correlations) + ".")


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
            for group, found in list(fit.without(there)):
                fit.put(found)
                of = list(fit.misses(group))
                misses += of
                print(f"{server} without {group}: {len(of)} figures,",
                      *(f"{key} {value:.4g}" for key, value in zip(FITTED, found)), flush=True)
    for _, row, _, _ in misses:
        row.setdefault("server", row.get("framework"))
    path = os.path.join(ROOT, "presets", "servers", "system_errors.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# How far predictions of whole served systems are off by constants that had not seen them: half\n"
                   "# of the measured values lay within a factor of 1 + half, 80 % within 1 + most. A line with\n"
                   "# nothing under of has these of any case, the others factors on ln(1 + half) and ln(1 + most).\n"
                   "# Made by packaging/fit_servers.py --errors; money (what prices are off by) is assumed.\n"
                   "quantity,of,level,rows,groups,half,most\n")
        for quantity in sorted({quantity for quantity, _, _, _ in misses}):
            bands = Bands([(row, group, value) for name, row, group, value in misses if name == quantity])
            file.writelines(line + "\n" for line in bands.lines(quantity))
        file.write("money,,,0,0,0.15,0.35\n")
    print_coverage(misses)


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
