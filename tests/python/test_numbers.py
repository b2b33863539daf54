# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers are those of the command line, to the last bit."""

import math
import unittest

import numpy as np
from support import cli, cli_json, text_of

import heteroscape


class Numbers(unittest.TestCase):
    def test_presets_are_those_of_the_command_line(self):
        listed = [row["id"] for row in cli_json("list", "presets")]
        self.assertGreater(len(listed), 20)
        self.assertEqual(heteroscape.presets(), listed)

    def test_every_preset_evaluates_to_the_same(self):
        for preset in heteroscape.presets():
            with self.subTest(preset=preset):
                evaluation = heteroscape.design(preset).evaluate()
                document = cli_json("evaluate", preset, "--operators")
                self.assertEqual(text_of(evaluation.to_dict(operators=True)), text_of(document))
                for path in evaluation:
                    if path in document:
                        value = document[path]
                        self.assertTrue(
                            math.isnan(evaluation[path]) if value is None else evaluation[path] == value, path
                        )

    def test_every_preset_simulates_to_the_same(self):
        for preset in heteroscape.presets():
            with self.subTest(preset=preset):
                simulation = heteroscape.design(preset).simulate()
                document = cli_json("simulate", preset)
                self.assertEqual(text_of(simulation.to_dict()), text_of(document))
                self.assertEqual(simulation["ttft_p99_s"], document["metrics"]["ttft_p99_s"])

    def same_tree(self, term, document, told):
        """What stands in a document already is not repeated there."""
        self.assertEqual((term.name, term.unit, term.formula), tuple(document.get(key, "") for key in ("name", "unit", "formula")))
        self.assertTrue(term.value == document["value"] or (document["value"] is None and not math.isfinite(term.value)))
        self.assertEqual((term.source, term.remark), (document.get("source", ""), document.get("remark", "")))
        if "as_above" in document:
            return
        self.assertEqual(len(term.terms), len(document.get("terms", ())))
        told.append(term)
        for inner, of in zip(term.terms, document.get("terms", ())):
            self.same_tree(inner, of, told)

    def test_every_preset_explains_to_the_same(self):
        for preset in heteroscape.presets():
            with self.subTest(preset=preset):
                document = cli_json("evaluate", preset, "--explain", "throughput_tok_s")
                design = heteroscape.design(preset)
                told = []
                self.same_tree(design.explain("throughput_tok_s"), document["explain"]["throughput_tok_s"], told)
                self.assertGreater(len(told), 3)
                evaluation = design.evaluate()
                self.assertEqual(text_of(evaluation.to_dict(explain=["throughput_tok_s"])), text_of(document))

    def test_every_preset_has_the_same_parameters(self):
        for preset in heteroscape.presets():
            with self.subTest(preset=preset):
                shown = cli_json("show", "preset", preset)
                rows = shown["parameters"] if isinstance(shown, dict) else shown
                parameters = heteroscape.design(preset).parameters
                self.assertEqual([one.path for one in parameters], [row["path"] for row in rows])
                for one, row in zip(parameters, rows):
                    self.assertEqual((one.value, one.unit, one.label), (row["value"], row.get("unit", ""), row["label"]))

    def test_bands_are_of_the_command_line(self):
        document = cli_json("evaluate", "served/gpt-oss-120b-h100")
        errors = heteroscape.design("served/gpt-oss-120b-h100").evaluate().expected_errors()
        told = {path: error.percent for path, error in errors.items() if error is not None}
        for path, percent in document["expected_error_pct"].items():
            self.assertEqual(told[path], percent, path)
        self.assertGreater(len(document["expected_error_pct"]), 10)

    def test_requests_are_those_of_the_design(self):
        simulation = heteroscape.design("served/gpt-oss-120b-h100").simulate(rate=1.0, requests=200, seed=3)
        document = cli_json(
            "simulate", "served/gpt-oss-120b-h100", "--rate", "1", "--requests", "200", "--seed", "3"
        )
        self.assertEqual(text_of(simulation.to_dict()), text_of(document))
        requests = simulation.requests
        self.assertEqual(len(requests), 200)
        self.assertEqual(requests.dtype["arrival_s"], np.float64)
        self.assertEqual(requests.dtype["prompt_tokens"], np.int64)
        self.assertEqual(requests.units["ttft_s"], "s")
        np.testing.assert_array_equal(requests["ttft_s"], requests["first_token_s"] - requests["arrival_s"])
        self.assertTrue((np.diff(requests["arrival_s"]) >= 0).all())
        self.assertAlmostEqual(requests["ttft_s"].mean(), simulation["ttft_mean_s"], delta=1e-9 * simulation["ttft_mean_s"])
        self.assertTrue((simulation.segments["end_s"] >= simulation.segments["start_s"]).all())
        self.assertIn("prefill", set(simulation.segments["phase"]))
        self.assertGreater(len(simulation.queue), 0)

    def test_fewer_requests_are_recorded_when_asked(self):
        simulation = heteroscape.design("glitches/8a100").simulate(rate=0.1, requests=50, recorded=7)
        self.assertEqual(len(simulation.requests), 7)
        self.assertEqual(simulation.to_dict()["done"], 50)

    def test_catalogue_is_that_of_the_command_line(self):
        for kind in ("devices", "models", "runtimes", "servers", "workloads", "links", "papers"):
            self.assertEqual(list(heteroscape.catalog(kind)["id"]), [row["id"] for row in cli_json("list", kind)])
        self.assertEqual(
            text_of(heteroscape.entry("device", "h100-sxm")), text_of(cli_json("show", "device", "h100-sxm"))
        )

    def test_version_is_that_of_the_command_line(self):
        self.assertIn(heteroscape.__version__, cli("--version"))


if __name__ == "__main__":
    unittest.main()
