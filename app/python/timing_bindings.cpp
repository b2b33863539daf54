// SPDX-License-Identifier: GPL-3.0-or-later
// Timing models and collectives that are functions of Python.
#include "app/python/bindings.h"

#include "app/python/function_timing.h"
#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/runtime_choice.h"

#include <pybind11/stl.h>

#include <utility>

namespace heteroscape::python {

namespace py = pybind11;
using namespace heteroscape::engine;

namespace {

/// Registers a model, in the place of the one that it had before under its id. Designs keep the model that
/// they were made with, so that it, and its words, live as long as the process.
void addModel(const std::string& id, const std::string& label, const std::string& about,
              std::vector<FunctionParameter> parameters, const py::object& seconds,
              const py::object& collective, const std::string& base) {
    const std::string where = "timing model \"" + id.substr(0, 80) + "\"";
    checkId(id, where);
    auto& registry = timingKinds();
    if (const auto* there = registry.find(id); there && !dynamic_cast<const FunctionTiming*>(there))
        throwInvalid(where, "the engine has one of this name", "Choose another");
    const auto& of = registry.at(base, where + ".base");
    if (dynamic_cast<const FunctionTiming*>(&of))
        throwInvalid(where + ".base", "is a function itself", "Name a timing model of the engine");
    for (const auto& one : parameters) {
        checkId(one.key, where + ".parameters");
        if (!(one.minimum <= one.maximum) || one.initial < one.minimum || one.initial > one.maximum)
            throwInvalid(where + "." + one.key, "begins outside of its range",
                         "Give minimum <= initial <= maximum");
        if (seconds.is_none() && of.indexOf(one.key) >= 0)
            throwInvalid(where + "." + one.key, base + " has a parameter of this name", "Choose another");
    }
    struct Words {
        std::string id, label, about;
        std::vector<FunctionParameter> parameters;
    };
    const auto* words = new Words{id, label, about, std::move(parameters)};
    registry.put(*new FunctionTiming(words->id, words->label, words->about, words->parameters, seconds,
                                     collective, static_cast<const TimingModel&>(of)));
}

/// Values of parameters that both models have are kept.
Timing timingBy(const TimingKind& kind, const Timing& before) {
    Timing timing(kind);
    const auto parameters = kind.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (const int there = before.kind->indexOf(parameters[i].spec.key); there >= 0)
            timing.settings.quantity(i) = before.settings.quantity(static_cast<std::size_t>(there));
    for (std::size_t i = 0; i < kind.options().size(); ++i)
        for (std::size_t k = 0; k < before.kind->options().size(); ++k)
            if (kind.options()[i].key == before.kind->options()[k].key)
                timing.settings.switchOn(i, before.settings.isOn(k));
    return timing;
}

void useModel(Design& design, const std::string& nodeId, const std::string& model,
              const std::vector<std::string>& phases) {
    const auto path = "nodes." + nodeId;
    const auto* node = design->findNode(NodeId{nodeId});
    if (!node || !node->runtime)
        throw Error(ErrorCode::NotFound, path, node ? "has no runtime" : "no such node",
                    "Name a node that runs the model");
    const auto& kind = timingKinds().at(model, path + ".timing");
    auto runtime = *node->runtime;
    for (const auto& phase : phases) {
        if (phase != phaseName(Phase::Prefill) && phase != phaseName(Phase::Decode))
            throwInvalid(path + ".timing", "no such phase: \"" + phase.substr(0, 80) + "\"",
                         "Allowed: prefill, decode");
        auto& timing = runtime.timing(phase == phaseName(Phase::Prefill) ? Phase::Prefill : Phase::Decode);
        timing = timingBy(kind, timing);
    }
    runtime.id = kind.id();
    runtime.name += ", " + std::string(kind.label());
    design.edit(replaceRuntime(*node, std::move(runtime), catalog()));
}

void bindOperator(py::module_& module) {
    py::class_<TimedOperator>(module, "Operator",
                              "One operator of a step on one device, once, at one context; SI.")
        .def_readonly("key", &TimedOperator::key, "\"gate_proj\".")
        .def_readonly("kind", &TimedOperator::kind,
                      "\"linear\", \"attention\", \"norm\", \"all_reduce\", ...")
        .def_readonly("segment", &TimedOperator::segment, "\"attention\", \"ffn\" or \"head\".")
        .def_readonly("repeat", &TimedOperator::repeat, "How often it stands in the step.")
        .def_readonly("context", &TimedOperator::context, "Tokens that each request attends to.")
        .def_readonly("flops", &TimedOperator::flops, "FLOP.")
        .def_readonly("bytes", &TimedOperator::bytes, "B moved to and from memory.")
        .def_readonly("weight_bytes", &TimedOperator::weightBytes, "B of weights among them.")
        .def_readonly("kv_bytes", &TimedOperator::kvBytes, "B of the KV cache among them.")
        .def_readonly("rows", &TimedOperator::rows, "Of a matrix product: token rows, all experts together.")
        .def_readonly("inner", &TimedOperator::inner, "Of a matrix product: its inner width.")
        .def_readonly("columns", &TimedOperator::columns, "Of a matrix product: columns of one expert.")
        .def_readonly("experts", &TimedOperator::experts, "Of a matrix product: so many of them.")
        .def_readonly("payload_bytes", &TimedOperator::payloadBytes,
                      "Of a collective, B: the whole vector; of an all-to-all or a send what a device sends.")
        .def_readonly("ranks", &TimedOperator::ranks, "Of a collective: devices that take part.");
}

void bindMachine(py::module_& module) {
    py::class_<TimedMachine>(module, "Machine", "One device under its runtime, in one phase; SI.")
        .def_readonly("phase", &TimedMachine::phase, "\"prefill\" or \"decode\".")
        .def_readonly("device", &TimedMachine::device, "Id of the device.")
        .def_readonly("figures", &TimedMachine::figures,
                      "Figures of the device that are set, by key, in the units that keys tell.")
        .def_readonly("settings", &TimedMachine::settings,
                      "Parameters of the timing model, by key, in their units.")
        .def_readonly("peak_flops", &TimedMachine::peakFlops, "FLOP/s at the runtime's precision.")
        .def_readonly("peak_bandwidth", &TimedMachine::peakBandwidth, "B/s of the memory.")
        .def_readonly("weight_bytes", &TimedMachine::weightBytes, "B of one weight.")
        .def_readonly("activation_bytes", &TimedMachine::activationBytes, "B of one activation.")
        .def_readonly("kv_bytes", &TimedMachine::kvBytes, "B of one element of the KV cache.")
        .def_readonly("devices", &TimedMachine::devices, "Devices that share the model.")
        .def_readonly("link_bandwidth", &TimedMachine::linkBandwidth, "B/s that a device sends each way.")
        .def_readonly("link_latency", &TimedMachine::linkLatency, "s.")
        .def_readonly("batch", &TimedMachine::batch, "Requests of the step.")
        .def_readonly("query_tokens", &TimedMachine::queryTokens, "New tokens of each.");
}

} // namespace

void bindTiming(py::module_& module) {
    bindOperator(module);
    bindMachine(module);
    module.def(
        "timing_models",
        [] {
            std::vector<std::string> ids;
            for (const auto* kind : timingKinds().all())
                ids.emplace_back(kind->id());
            return ids;
        },
        "Ids of the timing models.");
    py::class_<FunctionParameter>(module, "TimingParameter", "A number that a timing model is told.")
        .def(py::init([](std::string key, std::string label, std::string unit, std::string about,
                         double initial, double minimum, double maximum) {
                 return FunctionParameter{std::move(key), std::move(label), std::move(unit), std::move(about),
                                          initial,        minimum,          maximum};
             }),
             py::arg("key"), py::arg("label"), py::arg("unit"), py::arg("about"), py::arg("initial"),
             py::arg("minimum"), py::arg("maximum"));
    module.def("add_timing_model", &addModel, py::arg("id"), py::arg("label"), py::arg("about"),
               py::arg("parameters"), py::arg("seconds"), py::arg("collective"), py::arg("base"));
    module.def("use_timing_model", &useModel, py::arg("design"), py::arg("node"), py::arg("model"),
               py::arg("phases"));
}

} // namespace heteroscape::python
