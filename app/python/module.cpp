// SPDX-License-Identifier: GPL-3.0-or-later
// heteroscape._engine: the engine as the package heteroscape wraps it (app/python/heteroscape/).
#include "app/python/bindings.h"

#include "app/documents/catalog_document.h"
#include "app/python/convert.h"
#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/version.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <exception>
#include <string>
#include <utility>

namespace heteroscape::python {

namespace py = pybind11;
using namespace heteroscape::engine;

namespace {

std::string_view codeName(ErrorCode code) {
    switch (code) {
    case ErrorCode::InvalidInput:
        return "invalid_input";
    case ErrorCode::NotFound:
        return "not_found";
    case ErrorCode::Io:
        return "io";
    case ErrorCode::Cancelled:
        return "cancelled";
    }
    return "";
}

/// The engine's errors become heteroscape.Error, with the same words.
void bindError(py::module_& module) {
    static py::handle type; // lives as long as the interpreter
    type =
        PyErr_NewExceptionWithDoc("heteroscape.Error",
                                  "What the engine refuses: str() reads \"<where>: <message>. <remedy>\".\n\n"
                                  "code is \"invalid_input\", \"not_found\", \"io\" or \"cancelled\"; where, "
                                  "message and remedy are its "
                                  "parts.",
                                  PyExc_Exception, nullptr);
    if (!type)
        throw py::error_already_set();
    module.attr("Error") = type;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const Error& error) {
            py::object raised = type(error.what());
            raised.attr("code") = codeName(error.code());
            raised.attr("where") = error.where();
            raised.attr("message") = error.message();
            raised.attr("remedy") = error.remedy();
            PyErr_SetObject(type.ptr(), raised.ptr());
        }
    });
}

py::list metricTable() {
    py::list table;
    for (const auto& spec : metricSpecs()) {
        py::dict row;
        row["key"] = spec.key;
        row["label"] = spec.label;
        row["unit"] = spec.unit;
        row["better"] = spec.better;
        row["about"] = spec.about;
        table.append(row);
    }
    return table;
}

py::list rows(const std::string& kind) {
    py::list list;
    for (const auto& row : cli::catalogRows(catalog(), kind)) {
        py::dict one;
        one["id"] = row.id;
        one["name"] = row.name;
        one["about"] = row.about;
        list.append(one);
    }
    return list;
}

} // namespace

const Catalog& catalog() {
    Notes notes;
    const auto& loaded = cli::userCatalog(notes.tell());
    notes.warn();
    return loaded;
}

cli::Tell Notes::tell() {
    return [this](const std::string& line) { m_lines.push_back(line); };
}

void Notes::warn() const {
    if (m_lines.empty())
        return;
    const auto warn = py::module_::import("heteroscape._notes").attr("warn");
    for (const auto& line : m_lines)
        warn(line);
}

void requireRunnable(const Design& design) {
    Notes notes;
    cli::requireValid(*design, notes.tell());
    notes.warn();
}

} // namespace heteroscape::python

PYBIND11_MODULE(_engine, module) {
    using namespace heteroscape;
    namespace py = pybind11;
    module.doc() = "The engine of Heteroscape. Use the package heteroscape, which wraps it.";
    python::bindError(module);
    module.attr("version") = std::string(engine::kVersion);
    module.def(
        "presets_folder", [] { return python::catalog().folder; }, "Where the catalogue was read from.");
    module.def("metric_table", &python::metricTable,
               "Every metric of a system: key, label, unit, better, about.");
    module.def("rows", &python::rows, py::arg("kind"), "What the catalogue has of a kind: id, name, about.");
    module.def("kinds", &cli::catalogKinds, "The kinds that catalog() takes.");
    module.def(
        "entry",
        [](const std::string& kind, const std::string& id) {
            return python::toPython(cli::entryJson(python::catalog(), kind, id));
        },
        py::arg("kind"), py::arg("id"), "One entry of the catalogue, as its file has it.");
    python::bindDesigns(module);
    python::bindStudies(module);
    python::bindMeasurements(module);
    python::bindTiming(module);
}
