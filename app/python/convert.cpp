// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/convert.h"

#include "app/python/work.h"
#include "engine/base/large_pages.h"
#include "engine/base/parallel.h"

#include <nlohmann/json.hpp>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

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

namespace {

/// A field as its rows are written: `size` bytes at `offset` of each.
struct Field {
    const TableColumn* column;
    std::size_t offset;
    std::size_t size;
    py::array texts; ///< of equal width; the last one is empty
    const char* text = nullptr;
};

Field fieldOf(const TableColumn& column) {
    Field field{&column, 0, column.of == TableColumn::Of::Switches ? sizeof(bool) : sizeof(double), {}};
    if (column.of == TableColumn::Of::Texts) {
        py::list texts;
        for (const auto& one : column.texts)
            texts.append(textOf(one));
        texts.append(py::str());
        field.texts = py::module_::import("numpy").attr("array")(texts, py::arg("dtype") = "U");
        field.size = static_cast<std::size_t>(field.texts.itemsize());
        field.text = static_cast<const char*>(field.texts.data());
    }
    return field;
}

void write(const Field& field, char* rows, std::size_t step, std::size_t begin, std::size_t end) {
    const auto& column = *field.column;
    auto* at = rows + begin * step + field.offset;
    for (auto row = begin; row < end; ++row, at += step) {
        const double value =
            column.values.empty() ? std::numeric_limits<double>::quiet_NaN() : column.values[row];
        if (column.of == TableColumn::Of::Numbers) {
            std::memcpy(at, &value, sizeof value);
        } else if (column.of == TableColumn::Of::Switches) {
            *at = value != 0.0 ? 1 : 0;
        } else {
            const auto place = std::isnan(value) ? column.texts.size() : static_cast<std::size_t>(value);
            std::memcpy(at, field.text + place * field.size, field.size);
        }
    }
}

} // namespace

py::object toTable(const std::vector<TableColumn>& columns, std::size_t rows) {
    std::vector<Field> fields;
    py::list formats;
    for (const auto& column : columns) {
        fields.push_back(fieldOf(column));
        const py::object format =
            column.of == TableColumn::Of::Texts      ? py::object(fields.back().texts.dtype())
            : column.of == TableColumn::Of::Switches ? py::object(py::dtype::of<bool>())
                                                     : py::object(py::dtype::of<double>());
        formats.append(py::make_tuple(column.name, format));
    }
    const auto numpy = py::module_::import("numpy");
    const py::object format = numpy.attr("dtype")(formats, py::arg("align") = true);
    py::array table = numpy.attr("empty")(rows, format);
    const py::dict places = format.attr("fields");
    for (auto& field : fields)
        field.offset = places[py::str(field.column->name)].cast<py::tuple>()[1].cast<std::size_t>();
    auto* data = static_cast<char*>(table.mutable_data());
    const auto step = static_cast<std::size_t>(table.itemsize());
    interruptible([&](const std::stop_token& stop) {
        engine::preferLargePages(data, rows * step);
        constexpr std::size_t kRows = 512; // that stay in the cache while all their fields are written
        engine::inParallel(rows, kRows, [&](std::size_t begin, std::size_t end) {
            for (auto row = begin; row < end && !stop.stop_requested(); row += kRows)
                for (const auto& field : fields)
                    write(field, data, step, row, std::min(row + kRows, end));
        });
    });
    return table;
}

} // namespace heteroscape::python
