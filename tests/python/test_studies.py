# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps, searches, frontiers, comparisons, validations and calibrations against the command line's."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import CLI, cli, cli_json, text_of

import heteroscape

H100 = "served/gpt-oss-120b-h100"


class Folder(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name)

    def same_rows(self, table, rows):
        self.assertEqual(len(table), len(rows))
        for row, told in zip(table, rows):
            for name, value in told.items():
                if name not in table.columns:
                    self.assertIsNone(value, name)
                elif isinstance(value, (float, int)) and not isinstance(value, bool):
                    self.assertEqual(row[name], value, name)
                elif value is None:
                    self.assertTrue(row[name] == "" or np.isnan(row[name]), name)
                else:
                    self.assertEqual(row[name], value, name)


class Sweeps(Folder):
    def swept(self, *arguments):
        return cli_json("sweep", *arguments, "--db", str(self.folder / "cli.db"))["rows"]

    def test_a_grid_is_the_same(self):
        table = heteroscape.sweep(H100, {"workload.batch": [1, 8, 64], "model": ["gpt-oss-120b", "deepseek-v3"]})
        rows = self.swept(H100, "--axis", "workload.batch=1,8,64", "--axis", "model=gpt-oss-120b,deepseek-v3")
        self.assertEqual(len(table), 6)
        self.same_rows(table, rows)
        self.assertEqual(table.dtype["feasible"], np.bool_)
        self.assertEqual(set(table["feasible"]), {True, False})
        self.assertEqual(table.units["throughput_tok_s"], "tok/s")
        self.assertEqual(table.labels["throughput_tok_s"], "Throughput")

    def test_a_store_keeps_points(self):
        axes = ["workload.batch=1:16"]
        memory = heteroscape.sweep(H100, axes)
        store = self.folder / "mine.db"
        first = heteroscape.sweep(H100, axes, store=store, jobs=1)
        again = heteroscape.design(H100).sweep(axes, store=store)
        self.assertEqual((first.computed, first.reused, again.computed, again.reused), (16, 0, 0, 16))
        for table in (first, again):
            self.assertEqual(table.columns, memory.columns)
            for name in memory.columns:
                np.testing.assert_array_equal(table[name], memory[name])

    def test_points_are_a_file_a_dict_or_a_table(self):
        columns = {"workload.batch": [1, 4, 9], "workload.prompt_tokens": [128, 256, 512]}
        path = self.folder / "points.csv"
        path.write_text("workload.batch,workload.prompt_tokens\n1,128\n4,256\n9,512\n")
        rows = self.swept(H100, "--points", str(path))
        table = np.array([(1, 128), (4, 256), (9, 512)], dtype=[(name, int) for name in columns])
        for points in (path, columns, table):
            self.same_rows(heteroscape.sweep(H100, points=points), rows)
        self.assertFalse(list(Path(tempfile.gettempdir()).glob("heteroscape-*.csv")))

    def test_metrics_of_nodes_and_those_wanted_alone(self):
        table = heteroscape.sweep(H100, {"workload.batch": [1, 2]}, metrics=["nodes.gpu.decode_ms", "tpot_s"])
        self.assertEqual(set(table.columns), {"workload.batch", "tpot_s", "nodes.gpu.decode_ms", "bound"})
        self.same_rows(
            table, self.swept(H100, "--axis", "workload.batch=1,2", "--metric", "nodes.gpu.decode_ms", "--metric", "tpot_s")
        )

    def test_every_figure_is_the_same(self):
        figures = heteroscape.figures()
        self.assertIn("glitches/fig5", figures)
        for figure in ("glitches/fig5", figures[-1]):
            with self.subTest(figure=figure):
                self.same_rows(heteroscape.sweep(figure), self.swept(figure))

    def test_what_is_no_axis_is_refused(self):
        with self.assertRaisesRegex(heteroscape.Error, "workload.bath"):
            heteroscape.sweep(H100, {"workload.bath": [1]})
        with self.assertRaisesRegex(heteroscape.Error, "--axis: missing"):
            heteroscape.sweep(H100)
        with self.assertRaisesRegex(heteroscape.Error, "no such metric"):
            heteroscape.sweep(H100, {"workload.batch": [1]}, metrics="nothing")
        with self.assertRaisesRegex(ValueError, "comma"):
            heteroscape.sweep(H100, {"nodes.gpu.device": ["h100-sxm,h200-sxm"]})


class Traces(Folder):
    def test_requests_are_a_file_a_dict_or_a_table(self):
        columns = {"arrival_s": [0.0, 0.5, 0.75, 3.0], "prompt_tokens": [100, 2000, 30, 400], "output_tokens": [10, 20, 300, 4]}
        path = self.folder / "trace.csv"
        path.write_text("arrival_s,prompt_tokens,output_tokens\n0,100,10\n0.5,2000,20\n0.75,30,300\n3,400,4\n")
        document = cli_json("simulate", H100, "--trace", str(path))
        table = np.array(list(zip(*columns.values())), dtype=[("arrival_s", float), ("prompt_tokens", int), ("output_tokens", int)])
        for trace in (path, columns, table):
            simulation = heteroscape.design(H100).simulate(trace=trace)
            self.assertEqual(text_of(simulation.to_dict()), text_of(document))
            self.assertEqual(list(simulation.requests["prompt_tokens"]), columns["prompt_tokens"])
        with self.assertRaisesRegex(heteroscape.Error, "arrival_s"):
            heteroscape.design(H100).simulate(trace={"arrival_s": [0]})


class Searches(Folder):
    def test_the_best_are_the_same(self):
        wishes = dict(maximize=["throughput_tok_s"], minimize=["tpot_s"], limits=["ttft_s<=2"], best=3)
        found = heteroscape.find(H100, {"workload.batch": "1:64:*2", "nodes.gpu.device": "h100-sxm,h200-sxm"}, **wishes)
        document = cli_json(
            "find", H100, "--axis", "workload.batch=1:64:*2", "--axis", "nodes.gpu.device=h100-sxm,h200-sxm",
            "--max", "throughput_tok_s", "--min", "tpot_s", "--limit", "ttft_s<=2", "--best", "3",
        )
        self.assertEqual(text_of(found.to_dict()), text_of(document))
        self.same_rows(found.front, document["front"])
        self.assertEqual(found.front.units["tpot_s"], "s")
        design = found.design(0)
        self.assertEqual(design["workload.batch"], found.front["workload.batch"][0])
        self.assertEqual(design.evaluate()["throughput_tok_s"], found.front["throughput_tok_s"][0])
        self.assertEqual(len(found.best[found.objectives[0]]), 3)
        last = found.best[found.objectives[1]][-1]
        self.assertEqual(found.design(last).evaluate()["tpot_s"], last["tpot_s"])

    def test_what_cannot_be_met_is_told(self):
        found = heteroscape.find(H100, {"workload.batch": [1, 2]}, maximize="throughput_tok_s", limits="tpot_s<=0.000001")
        self.assertEqual((found.within_limits, len(found.front)), (0, 0))
        self.assertIn("tpot_s<=1e-06 cannot be met", found.unmet)

    def test_evolution_is_the_same(self):
        wishes = dict(maximize="throughput_tok_s", method="evolutionary", evaluations=300, seed=7)
        found = heteroscape.find(H100, {"workload.batch": "1:4096"}, **wishes)
        document = cli_json(
            "find", H100, "--axis", "workload.batch=1:4096", "--max", "throughput_tok_s", "--method", "evolutionary",
            "--evaluations", "300", "--seed", "7",
        )
        self.assertEqual(text_of(found.to_dict()), text_of(document))


class Frontiers(Folder):
    def test_points_are_the_same(self):
        self.assertIn("gpt-oss-120b", heteroscape.frontiers())
        frontier = heteroscape.frontier("gpt-oss-120b", users=[8], all=True, measured=True, ttft=5)
        document = cli_json("frontier", "gpt-oss-120b", "--users", "8", "--ttft", "5", "--all", "--measured")
        self.assertEqual(text_of(frontier.document), text_of(document))
        self.same_rows(frontier, document["points"])
        self.assertEqual(frontier.units["ttft_s"], "s")
        self.assertEqual(len(frontier.measured), len(document["measured"]))

    def test_designs_of_ones_own_stand_beside(self):
        frontier = heteroscape.frontier("gpt-oss-120b", users=[8], systems={"mine": heteroscape.design(H100)}, all=True)
        self.assertIn("mine", set(frontier["system"]))
        with self.assertRaisesRegex(heteroscape.Error, "--users"):
            heteroscape.frontier("gpt-oss-120b", users=[0])
        with self.assertRaisesRegex(ValueError, "ttft"):
            heteroscape.frontier("gpt-oss-120b", ttft=-1)


class Measurements(Folder):
    def test_comparisons_are_the_same(self):
        compared = heteroscape.compare("glitches/8a100", heteroscape.design("glitches/8u280"))
        document = cli_json("compare", "glitches/8a100", "glitches/8u280")
        self.assertEqual(text_of(compared.to_dict()), text_of(document))
        ratios = {(row["metric"], row["design"]): row["ratio"] for row in compared.table}
        self.assertEqual(ratios["throughput_tok_s", compared.designs[1]], document["metrics"]["throughput_tok_s"]["ratio"][1])
        with self.assertRaises(TypeError):
            heteroscape.compare("glitches/8a100")

    def test_papers_are_the_same(self):
        for paper in heteroscape.catalog("papers")["id"]:
            with self.subTest(paper=paper):
                document = cli_json("compare", paper)
                compared = heteroscape.compare_paper(paper)
                self.assertEqual(text_of(compared.to_dict()), text_of(document))
                self.assertEqual(list(compared.claims["model"]), [claim["model"] for claim in document["claims"]])

    def test_validation_is_the_same(self):
        validation = heteroscape.validate()
        document = cli_json("validate")
        self.assertEqual(text_of(validation.to_dict()), text_of(document))
        self.assertEqual(len(validation.kernels.rows), len(document["rows"]))
        self.assertEqual(list(validation.kernels.rows["predicted"]), [row["predicted"] for row in document["rows"]])
        self.assertEqual(len(validation.serving.rows), len(document["serving"]["rows"]))
        self.assertIsNone(validation.metrics)
        by = heteroscape.validate(by=["device", "op"]).kernels
        self.assertEqual(by.by, ["device", "op"])
        self.assertEqual(text_of(by.to_dict()), text_of(cli_json("validate", "--by", "device,op")))

    def test_kernels_are_fitted_the_same(self):
        file = os.path.join(heteroscape.presets_folder(), "measured", "attention.csv")
        fitted = heteroscape.calibrate(file, seed=2, starts=1)
        document = cli_json("calibrate", file, "--seed", "2", "--starts", "1")
        self.assertEqual(text_of(fitted.to_dict()), text_of(document))
        self.assertIn("attention", " ".join(fitted.constants["of"]))
        design = heteroscape.design(H100)
        design["nodes.gpu.runtime"] = fitted.result
        self.assertIn("calibrated", design["nodes.gpu.runtime"])
        self.assertTrue(design.evaluate().feasible)
        self.assertEqual(len(heteroscape.constants()), len(heteroscape.constants()["constant"]))
        self.assertIn("usual", heteroscape.constants().columns)

    def test_a_design_is_fitted_the_same(self):
        file = self.folder / "measured.csv"
        file.write_text("workload.batch,tpot_s\n1,0.02\n2,0.021\n4,0.021\n8,0.022\n")
        path = "nodes.gpu.timing.decode.memory_efficiency"
        design = heteroscape.design("preserve/llama3-70b-8h100")
        design.set({"nodes.gpu.runtime": "ideal", "techniques.l2_prefetch.enabled": False})
        fitted = heteroscape.calibrate(file, design=design, fit=path, bounds={path: (0.1, 0.8)})
        document = cli_json(
            "calibrate", str(file), "--design", "preserve/llama3-70b-8h100", "--set", "nodes.gpu.runtime=ideal",
            "--set", "techniques.l2_prefetch.enabled=false", "--fit", path, "--bounds", f"{path}=0.1:0.8",
        )
        self.assertEqual(text_of(fitted.to_dict()), text_of(document))
        self.assertEqual(fitted.result[path], document["set"][path])
        self.assertEqual(list(fitted.points["after"]), [point["after"] for point in document["points"]])

    def test_a_device_is_fitted_the_same(self):
        file = self.folder / "power.csv"
        file.write_text("watts,kernel_share,tb_s,tflops16\n200,0.1,0.2,20\n350,0.5,1.0,100\n500,0.8,2.0,250\n620,0.9,2.5,400\n")
        fitted = heteroscape.calibrate(file, device="h100-sxm")
        document = cli_json("calibrate", str(file), "--device", "h100-sxm")
        self.assertEqual(text_of(fitted.to_dict()), text_of(document))
        again = heteroscape.calibrate(file, device=heteroscape.entry("device", "h100-sxm"))
        self.assertEqual(text_of(again.to_dict()), text_of(document))
        design = heteroscape.design(H100)
        design["nodes.gpu.device"] = fitted.result
        self.assertTrue(design.evaluate().feasible)
        with self.assertRaises(ValueError):
            heteroscape.calibrate(file, device="h100-sxm", design=H100)


class Tables(unittest.TestCase):
    def test_frames_of_pandas(self):
        table = heteroscape.sweep(H100, {"workload.batch": [1, 2]})
        try:
            import pandas
        except ImportError:
            with self.assertRaises(ImportError):
                table.to_pandas()
            return
        frame = table.to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame["tpot_s"]), list(table["tpot_s"]))
        self.assertEqual(frame.attrs["units"]["tpot_s"], "s")

    def test_rows_and_columns_keep_what_they_are(self):
        table = heteroscape.sweep(H100, {"workload.batch": [1, 2, 4]})
        self.assertIs(type(table["tpot_s"]), np.ndarray)
        fast = table[table["tpot_s"] < table["tpot_s"].max()]
        self.assertEqual((len(fast), fast.units), (2, table.units))
        self.assertEqual(table[0]["workload.batch"], 1)
        self.assertIn("tpot_s", table._repr_html_())


class Recommendations(unittest.TestCase):
    WISHES = dict(
        prompt_tokens=1000, output_tokens=128, users=16, ttft="1500 ms", tpot=30, power="40 kW", price="$1M",
        software="vllm", ready=["hgx-h200", "dgx-b200", "gb200-nvl72"],
    )

    def test_an_answer_is_the_same(self):
        found = heteroscape.recommend("gpt-oss-120b", **self.WISHES)
        document = cli_json(
            "recommend", "gpt-oss-120b", "--prompt", "1000", "--output", "128", "--users", "16", "--ttft", "1.5s",
            "--tpot", "30ms", "--power", "40kW", "--price", "$1M", "--software", "vllm",
            "--ready", "hgx-h200", "--ready", "dgx-b200", "--ready", "gb200-nvl72",
        )
        self.assertEqual(text_of(found.to_dict()), text_of(document))
        self.assertEqual(len(found.lists), 1)
        told = document["lists"][0]["systems"]
        self.assertEqual([one.ready for one in found.lists[0].systems], [row["ready"] for row in told])
        for system, row in zip(found.lists[0].systems, told):
            for key, figure in system.figures.items():
                self.assertEqual(figure._asdict(), row["figures"][key], key)
            # Each is the design that it was simulated as.
            self.assertEqual(system.design["model"], "gpt-oss-120b")
            self.assertEqual(system.design.simulate()["ttft_p99_s"], system.figures["ttft_p99_s"].value)
            self.assertEqual(system.design.evaluate()["price_usd"], system.figures["price_usd"].value)
        self.assertEqual(found.best.design, found.lists[0].systems[0].design)
        self.assertEqual(found.robust.kept, document["robust"]["system"]["kept"])
        self.assertIn("but in no ready server", " ".join(found.others["why"]))
        self.assertEqual(found.measurements["changed"][0], document["robust"]["measurements"][0]["changed"])

    def test_what_makes_no_sense_is_refused(self):
        with self.assertRaisesRegex(heteroscape.Error, "tpot_ms: \"soon\" is not a number"):
            heteroscape.recommend("gpt-oss-120b", tpot="soon")
        with self.assertRaisesRegex(heteroscape.Error, "users: 2.5 is not allowed"):
            heteroscape.recommend("gpt-oss-120b", users=2.5)
        with self.assertRaisesRegex(heteroscape.Error, "NVIDIA"):
            heteroscape.recommend("gpt-oss-120b", vendors="Acme")


if __name__ == "__main__":
    unittest.main()
