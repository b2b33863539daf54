// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/convert.h"

#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>

#include <memory>
#include <string>
#include <utility>

namespace heteroscape::python {

namespace py = pybind11;

namespace {

/// Text of files may be no UTF-8.
py::str textOf(const std::string& text) {
    auto* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (!decoded)
        throw py::error_already_set();
    return py::reinterpret_steal<py::str>(decoded);
}

} // namespace

py::object toPython(const engine::Json& json) {
    switch (json.type()) {
    case engine::Json::value_t::object: {
        py::dict members;
        for (const auto& [key, value] : json.items())
            members[textOf(key)] = toPython(value);
        return members;
    }
    case engine::Json::value_t::array: {
        py::list list(json.size());
        for (std::size_t i = 0; i < json.size(); ++i)
            list[i] = toPython(json[i]);
        return list;
    }
    case engine::Json::value_t::string:
        return textOf(json.get_ref<const std::string&>());
    case engine::Json::value_t::boolean:
        return py::bool_(json.get<bool>());
    case engine::Json::value_t::number_integer:
        return py::int_(json.get<std::int64_t>());
    case engine::Json::value_t::number_unsigned:
        return py::int_(json.get<std::uint64_t>());
    case engine::Json::value_t::number_float:
        return py::float_(json.get<double>());
    default:
        return py::none();
    }
}

py::object toArray(std::vector<double>&& values) {
    auto kept = std::make_unique<std::vector<double>>(std::move(values));
    const auto size = static_cast<py::ssize_t>(kept->size());
    auto* data = kept->data();
    const py::capsule owner(kept.release(),
                            [](void* held) { delete static_cast<std::vector<double>*>(held); });
    return py::array_t<double>(size, data, owner);
}

} // namespace heteroscape::python
