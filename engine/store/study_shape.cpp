// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_shape.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/store/column_block.h"
#include "engine/store/schema.h"
#include "engine/units/number_text.h"
#include "engine/version.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heteroscape::engine {

namespace {

std::string printOf(const std::string& bytes) {
    const auto hash = XXH3_128bits(bytes.data(), bytes.size());
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

} // namespace

std::string fingerprintOf(const Study& study) {
    std::string bytes(kEquationsVersion);
    appendCanonicalBytes(study.base, bytes);
    for (const auto& axis : study.axes) {
        for (std::size_t i = 0; i < axis.edits.size(); ++i) { // what a name stands for may change
            auto scenario = *study.base;
            applyEdit(scenario, axis.edits[i]);
            bytes += '\n' + axis.names[i] + ':';
            appendCanonicalBytes(scenario, bytes);
        }
        bytes += '\n' + axis.path + '=';
        for (const auto value : axis.values)
            bytes += exactText(value) + ',';
    }
    if (study.isList)
        bytes += "\nlist";
    return printOf(bytes);
}

std::string familyOf(const Study& study) {
    std::string bytes(kEquationsVersion);
    auto base = *study.base;
    std::vector<std::string> numbers;
    std::string choices;
    for (const auto& axis : study.axes) {
        if (axis.isChoice()) { // put in one after the other: their order may matter
            choices += '\n' + axis.path + ':';
            continue;
        }
        numbers.push_back(axis.path);
        auto& quantity = resolveAxis(base, axis.path).access(base);
        quantity = {1.0, Provenance::User, {}};
    }
    std::sort(numbers.begin(), numbers.end());
    appendCanonicalBytes(base, bytes);
    bytes += choices;
    for (const auto& path : numbers)
        bytes += '\n' + path + '=';
    if (study.isList) // which lends to no grid
        bytes += "\nlist";
    return printOf(bytes);
}

std::string choicePrintsOf(const Study& study, const Axis& axis) {
    std::string prints;
    for (const auto& edit : axis.edits) {
        auto scenario = *study.base;
        for (const auto& other : study.axes) // as in the family: not what an axis sets anyhow
            if (!other.isChoice())
                resolveAxis(scenario, other.path).access(scenario) = {1.0, Provenance::User, {}};
        applyEdit(scenario, edit);
        std::string bytes;
        appendCanonicalBytes(scenario, bytes);
        prints += printOf(bytes);
    }
    return prints;
}

namespace {

std::string numbersOf(const Axis& axis) {
    return {reinterpret_cast<const char*>(axis.values.data()), axis.values.size() * sizeof(double)};
}

std::string namesOf(const Axis& axis) {
    return axis.isChoice() ? Json(axis.names).dump(-1, ' ', false, Json::error_handler_t::replace) : "";
}

/// All that a study's rows of axes say, one after the other.
void appendShape(std::string& bytes, std::string_view path, std::string_view label, std::string_view unit,
                 std::string_view numbers, std::string_view names, std::string_view prints) {
    for (const auto part : {path, label, unit, numbers, names, prints})
        bytes.append(part).append(1, '\0').append(std::to_string(part.size()));
}

constexpr std::size_t kMostNameBytes = 256; ///< of a choice, on average

/// What stands in the file under one study.
class ShapeReader {
public:
    ShapeReader(Database& database, std::int64_t study, std::size_t points)
        : m_database(database), m_study(study), m_points(points) {}

    std::vector<StoredAxis> read() {
        Statement rows(m_database, "SELECT path, length, label, unit, numbers, names, prints FROM grid_axes"
                                   " WHERE study = ? ORDER BY axis");
        rows.bind(1, m_study);
        while (rows.step()) {
            if (m_axes.size() == kMaxAxes)
                damaged("it has more than " + std::to_string(kMaxAxes) + " axes");
            appendShape(m_bytes, rows.text(0), rows.text(2), rows.text(3), rows.text(4), rows.text(5),
                        rows.text(6));
            m_axes.push_back(axisOf(rows));
        }
        if (m_axes.empty() || (gridPoints() != m_points && !isListOf(m_axes, m_points)))
            damaged("its axes do not make its " + std::to_string(m_points) + " points");
        Statement sum(m_database, "SELECT shape_sum FROM studies WHERE id = ?");
        if (!sum.bind(1, m_study).step() || sum.integer(0) != bytesSum(m_bytes))
            damaged("the checksum of its axes does not fit");
        return std::move(m_axes);
    }

private:
    Database& m_database;
    std::int64_t m_study;
    std::size_t m_points;
    std::vector<StoredAxis> m_axes;
    std::string m_bytes;

    std::size_t gridPoints() const {
        std::size_t points = 1;
        for (const auto& stored : m_axes) {
            points *= stored.axis.values.size();
            if (points > kMaxStudyPoints)
                break;
        }
        return points;
    }

    [[noreturn]] void damaged(const std::string& what) const {
        m_database.damaged("study " + std::to_string(m_study) + ": " + what);
    }

    StoredAxis axisOf(const Statement& row) const {
        StoredAxis stored;
        for (const int text : {0, 2, 3})
            if (row.text(text).size() > kMaxNameBytes)
                damaged("a text of an axis has " + std::to_string(row.text(text).size()) + " bytes");
        stored.axis.path = row.text(0);
        const auto length = row.integer(1);
        const auto numbers = row.text(4);
        if (length < 1 || static_cast<std::uint64_t>(length) > kMaxAxisValues)
            damaged("its length of " + stored.axis.path + " is " + std::to_string(length));
        stored.label = row.text(2);
        stored.unit = row.text(3);
        stored.axis.values.resize(static_cast<std::size_t>(length));
        if (numbers.size() != stored.axis.values.size() * sizeof(double))
            damaged("values of " + stored.axis.path + " are missing");
        std::memcpy(stored.axis.values.data(), numbers.data(), numbers.size());
        if (!std::all_of(stored.axis.values.begin(), stored.axis.values.end(),
                         [](double value) { return std::isfinite(value); }))
            damaged("the values of " + stored.axis.path + " do not fit together");
        if (const auto names = row.text(5); !names.empty())
            readNames(stored.axis, names);
        if (const auto prints = row.text(6); prints.size() == stored.axis.names.size() * kPrintBytes)
            stored.prints = prints;
        return stored;
    }

    void readNames(Axis& axis, std::string_view text) const {
        const bool isLarge = text.size() > (std::size_t{1} << 20) + kMostNameBytes * axis.values.size();
        const auto names = isLarge ? Json() : Json::parse(text, nullptr, false);
        if (!names.is_array() || names.size() > axis.values.size() ||
            std::any_of(axis.values.begin(), axis.values.end(), [&](double value) {
                return !(value >= 0.0 && value < static_cast<double>(names.size()));
            }))
            damaged("the names of " + axis.path + " do not fit together");
        for (const auto& name : names) {
            if (!name.is_string())
                damaged("the names of " + axis.path + " do not fit together");
            axis.names.push_back(name.get<std::string>());
        }
    }
};

} // namespace

bool isListOf(const std::vector<StoredAxis>& axes, std::size_t points) {
    return points > 1 && axes.size() > 1 &&
           std::all_of(axes.begin(), axes.end(),
                       [&](const StoredAxis& stored) { return stored.axis.values.size() == points; });
}

std::vector<StoredAxis> storedAxes(const Study& study) {
    std::vector<StoredAxis> axes;
    for (const auto& axis : study.axes)
        // Axis is named: GCC 12 destroys a nested aggregate without a name twice when what follows throws.
        axes.push_back({Axis{axis.path, axis.values, axis.names, {}}, axisLabel(study.base, axis.path),
                        axis.isChoice() ? "" : std::string(resolveQuantity(study.base, axis.path).spec.unit),
                        choicePrintsOf(study, axis)});
    return axes;
}

std::int64_t writeStudy(Database& database, const StoredStudy& study) {
    std::string shape;
    std::size_t points = 1;
    for (const auto& [axis, label, unit, prints] : study.axes) {
        appendShape(shape, axis.path, label, unit, numbersOf(axis), namesOf(axis), prints);
        points = study.isList ? axis.values.size() : points * axis.values.size();
    }
    Statement insert(database, "INSERT INTO studies(fingerprint, family, name, view, created, equations,"
                               " base, points, base_sum, shape_sum) VALUES(?, ?, ?, '', ?, ?, ?, ?, ?, ?)");
    insert.bindBlob(1, study.fingerprint).bindBlob(2, study.family).bind(3, std::string_view(study.name));
    insert.bind(4, std::string_view(study.created)).bind(5, std::string_view(study.equations));
    insert.bind(6, std::string_view(study.base)).bind(7, static_cast<std::int64_t>(points));
    insert.bind(8, bytesSum(study.base)).bind(9, bytesSum(shape)).run();
    const auto id = database.lastRowId();
    const auto view = studyViewName(id, study.name);
    Statement(database, "UPDATE studies SET view = ? WHERE id = ?")
        .bind(1, std::string_view(view))
        .bind(2, id)
        .run();
    Statement add(database, "INSERT INTO grid_axes(study, axis, path, label, unit, length, numbers, names,"
                            " prints) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < study.axes.size(); ++i) {
        const auto& [axis, label, unit, prints] = study.axes[i];
        const auto numbers = numbersOf(axis);
        const auto names = namesOf(axis);
        add.bind(1, id).bind(2, static_cast<std::int64_t>(i)).bind(3, std::string_view(axis.path));
        add.bind(4, std::string_view(label)).bind(5, std::string_view(unit));
        add.bind(6, static_cast<std::int64_t>(axis.values.size())).bindBlob(7, numbers);
        add.bind(8, std::string_view(names)).bindBlob(9, prints).run();
    }
    return id;
}

void removeStudy(Database& database, std::int64_t study) {
    const auto number = std::to_string(study);
    database.execute("DELETE FROM blocks WHERE chunk IN (SELECT id FROM chunks WHERE study = " + number +
                     ")");
    for (const auto* table : {"chunks", "grid_axes", "study_limits", "node_metrics", "simulated_points"})
        database.execute("DELETE FROM " + std::string(table) + " WHERE study = " + number);
    database.execute("DELETE FROM studies WHERE id = " + number);
}

std::vector<StoredAxis> readAxes(Database& database, std::int64_t study, std::size_t points) {
    return ShapeReader(database, study, points).read();
}

std::string readBase(Database& database, std::int64_t study) {
    Statement row(database, "SELECT base, base_sum FROM studies WHERE id = ?");
    if (!row.bind(1, study).step())
        throw Error(ErrorCode::NotFound, database.path(), "no study has the number " + std::to_string(study));
    std::string base(row.text(0));
    if (row.integer(1) != bytesSum(base))
        database.damaged("study " + std::to_string(study) + ": the checksum of its base does not fit");
    return base;
}

} // namespace heteroscape::engine
