# SPDX-License-Identifier: GPL-3.0-or-later
"""Timing models and collectives that are functions of Python."""

import math
import pickle
import unittest
import warnings

import numpy as np
import support  # noqa: F401

import heteroscape

IDEAL = "preserve/llama3-70b-8h100"


def ideal(**settings):
    """A design whose every operator reaches its peaks, timed by the engine."""
    design = heteroscape.design(IDEAL)
    design.set({"techniques.l2_prefetch.enabled": False, "nodes.gpu.runtime": "ideal-operators"})
    return design.set({path.replace("__", "."): value for path, value in settings.items()})


def roofline(operator, machine):
    """Each operator by itself against the peaks."""
    return max(operator.flops / machine.peak_flops, operator.bytes / machine.peak_bandwidth)


def ring(operator, machine):
    factor = {"all_reduce": 2 * (operator.ranks - 1) / operator.ranks}[operator.kind]
    return machine.link_latency + factor * operator.payload_bytes / machine.link_bandwidth


def nothing(operator, machine):
    return 0.0


class Models(unittest.TestCase):
    def same(self, one, other, within):
        for path in other:
            if not math.isnan(other[path]):
                self.assertLessEqual(abs(one[path] - other[path]), within * abs(other[path]), path)

    def test_a_model_gives_the_numbers_of_the_same_one_of_the_engine(self):
        heteroscape.timing_model("py_roofline", roofline)
        for settings in ({}, {"workload__batch": 1}, {"workload__batch": 64, "workload__prompt_tokens": 20000},
                         {"workload__prompt_tokens": 1, "workload__output_tokens": 6000}):
            with self.subTest(settings=settings):
                engine = ideal(**settings)
                function = engine.copy().time_by("gpu", "py_roofline")
                self.same(function.evaluate(), engine.evaluate(), 1e-9)

    def test_a_step_bound_by_memory_and_then_by_compute_is_exact(self):
        # The step changes from one line to another within the decode.
        def kinked(operator, machine):
            return max(1e-5, operator.context * 1e-8) if operator.key == "q_proj" else 0.0

        heteroscape.timing_model("kinked", kinked, collective=nothing)
        design = ideal(workload__prompt_tokens=100, workload__output_tokens=3000, workload__batch=1)
        design.time_by("gpu", "kinked")
        layers = design["model.layers"]
        steps = [layers * max(1e-5, (100 + i) * 1e-8) for i in range(1, 3001)]
        value = design.evaluate()["tpot_s"]
        self.assertAlmostEqual(value, math.fsum(steps) / 3000, delta=1e-9 * steps[0])
        self.assertAlmostEqual(design.explain("tpot_s").value, value, delta=1e-9 * value)

    def test_a_smooth_step_is_followed(self):
        def smooth(operator, machine):
            return math.sqrt(operator.context) * 1e-6 if operator.key == "q_proj" else 0.0

        heteroscape.timing_model("smooth", smooth, collective=nothing)
        design = ideal(workload__prompt_tokens=100, workload__output_tokens=3000, workload__batch=1)
        design.time_by("gpu", "smooth")
        steps = [design["model.layers"] * math.sqrt(100 + i) * 1e-6 for i in range(1, 3001)]
        mean = math.fsum(steps) / 3000
        value = design.evaluate()["tpot_s"]
        self.assertAlmostEqual(value, mean, delta=2e-6 * mean)

    def test_a_collective_alone_stands_on_a_model_of_the_engine(self):
        engine = ideal()
        heteroscape.timing_model("py_ring", collective=ring)
        self.same(engine.copy().time_by("gpu", "py_ring").evaluate(), engine.evaluate(), 1e-9)
        heteroscape.timing_model("free", collective=nothing)
        free = engine.copy().time_by("gpu", "free")
        self.assertLess(free.evaluate()["tpot_s"], engine.evaluate()["tpot_s"])
        self.assertEqual(free["nodes.gpu.timing.decode.memory_efficiency"], 1)

    def test_a_collective_on_measured_kernels(self):
        design = heteroscape.design("served/llama-3.1-70b-8h100") if (
            "served/llama-3.1-70b-8h100" in heteroscape.presets()) else heteroscape.design(
                next(one for one in heteroscape.presets() if one.startswith("served/")))
        node = design.to_dict()["nodes"][0]["id"]
        kernels = heteroscape.entry("runtime", design[f"nodes.{node}.runtime"])["timing"]["decode"]["model"]
        heteroscape.timing_model("slow_links", collective=lambda operator, machine: 1e-3, base=kernels)
        slow = design.copy().time_by(node, "slow_links")
        one, other = slow.evaluate(), design.evaluate()
        if design[f"nodes.{node}.count"] > 1:
            self.assertGreater(one["tpot_s"], other["tpot_s"])
        else:
            self.assertAlmostEqual(one["tpot_s"], other["tpot_s"], delta=1e-3 * other["tpot_s"])

    def test_parameters_are_paths_of_a_design(self):
        heteroscape.timing_model(
            "even", lambda operator, machine: machine.settings["each_us"] * 1e-6,
            collective=nothing,
            parameters={"each_us": {"initial": 5.0, "unit": "µs", "maximum": 100}},
        )
        design = ideal().time_by("gpu", "even")
        path = "nodes.gpu.timing.decode.each_us"
        self.assertEqual((design[path], design.parameter(path).unit, design.parameter(path).maximum), (5.0, "µs", 100.0))
        table = design.sweep({path: [1, 2, 4]}, jobs=2)
        np.testing.assert_allclose(table["tpot_s"] / table["tpot_s"][0], [1, 2, 4], rtol=1e-9)
        with self.assertRaisesRegex(heteroscape.Error, "each_us"):
            design[path] = 200
        found = design.find({path: [3, 2, 1]}, minimize="tpot_s")
        self.assertEqual(found.front[path][0], 1)

    def test_what_it_is_told(self):
        seen = {}

        def looking(operator, machine):
            seen[machine.phase, operator.key] = operator
            seen["machine"] = machine
            return 1e-6, "latency"

        heteroscape.timing_model("looking", looking, collective=nothing)
        design = ideal().time_by("gpu", "looking")
        self.assertIn("latency inside kernels", design.evaluate().bound_label)
        machine, product = seen["machine"], seen["decode", "q_proj"]
        self.assertEqual((machine.device, machine.devices), (design["nodes.gpu.device"], 8))
        self.assertEqual(machine.figures["memory_bandwidth_gbps"] * 1e9, machine.peak_bandwidth)
        self.assertEqual((product.kind, product.segment, product.repeat), ("linear", "attention", design["model.layers"]))
        self.assertEqual(product.flops, 2 * product.rows * product.inner * product.columns)
        self.assertEqual(product.weight_bytes, product.inner * product.columns * machine.weight_bytes)


class Refusals(unittest.TestCase):
    def test_what_a_function_raises_is_raised(self):
        def broken(operator, machine):
            return {}["q_proj"]

        heteroscape.timing_model("broken", broken)
        design = ideal().time_by("gpu", "broken")
        for work in (design.evaluate, lambda: design.sweep({"workload.batch": [1, 2, 3]}),
                     lambda: design.explain("tpot_s"), lambda: design.simulate(rate=1, requests=2)):
            with self.assertRaises(KeyError):
                work()

    def test_times_that_are_none_are_refused(self):
        for wrong, words in ((math.nan, "nan s"), (-1.0, "-1 s"), (math.inf, "inf s"), ((1.0, "nothing"), "no such bound")):
            heteroscape.timing_model("wrong", lambda operator, machine, wrong=wrong: wrong)
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, f'timing model "wrong".*{words}'):
                ideal().time_by("gpu", "wrong").evaluate()
        heteroscape.timing_model("wrong", lambda operator, machine: "long")
        with self.assertRaises(TypeError):
            ideal().time_by("gpu", "wrong").evaluate()

    def test_names_and_parameters_that_do_not_do(self):
        for id, options, words in (
            ("roofline", {}, "the engine has one of this name"), ("No", {}, "is not an id"),
            ("ok", {"base": "nothing"}, "nothing"), ("ok", {"parameters": {"a": {"initial": 5, "maximum": 1}}}, "range"),
        ):
            with self.subTest(id=id, words=words), self.assertRaisesRegex(heteroscape.Error, words):
                heteroscape.timing_model(id, roofline, **options)
        with self.assertRaises(TypeError):
            heteroscape.timing_model("ok")
        with self.assertRaisesRegex(heteroscape.Error, "no such node"):
            ideal().time_by("nowhere", "roofline")
        with self.assertRaisesRegex(heteroscape.Error, "prefill, decode"):
            ideal().time_by("gpu", "roofline", "both")

    def test_it_is_told_to_be_slow(self):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            heteroscape.timing_model("told", roofline)
        self.assertIn("slower", str(heard[0].message))

    def test_another_function_of_a_name_leaves_designs_as_they_are(self):
        heteroscape.timing_model("twice", lambda operator, machine: 1e-6, collective=nothing)
        first = ideal().time_by("gpu", "twice")
        before = first.evaluate()["tpot_s"]
        heteroscape.timing_model("twice", lambda operator, machine: 2e-6, collective=nothing)
        second = ideal().time_by("gpu", "twice")
        self.assertEqual(first.evaluate()["tpot_s"], before)
        self.assertAlmostEqual(second.evaluate()["tpot_s"], 2 * before, delta=1e-9 * before)
        self.assertNotEqual(first.key, second.key)
        self.assertEqual(pickle.loads(pickle.dumps(second)).key, second.key)
        self.assertIn("twice", heteroscape.timing_models())


if __name__ == "__main__":
    unittest.main()
