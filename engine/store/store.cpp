// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

#include "engine/base/error.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/point_writer.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "engine/store/study_info_reader.h"
#include "engine/store/study_reader.h"
#include "engine/units/number_text.h"
#include "engine/version.h"

#define XXH_INLINE_ALL
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>

namespace heteroscape::engine {

namespace {

std::string timeNow() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    char buffer[32];
    const auto length = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {buffer, length};
}

/// Two studies with the same fingerprint have the same points in the same order.
std::string fingerprint(const Study& study) {
    std::string bytes(kEquationsVersion);
    appendCanonicalBytes(study.base, bytes);
    for (const auto& axis : study.axes) {
        for (std::size_t i = 0; i < axis.edits.size(); ++i) { // what a name stands for may change
            auto scenario = study.base;
            applyEdit(scenario, axis.edits[i]);
            bytes += '\n' + axis.names[i] + ':';
            appendCanonicalBytes(scenario, bytes);
        }
        bytes += '\n' + axis.path + '=';
        for (const auto value : axis.values)
            bytes += exactText(value) + ',';
    }
    const auto hash = XXH3_128bits(bytes.data(), bytes.size());
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

} // namespace

double StudyColumn::at(std::size_t row) const {
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[row];
}

std::string StudyColumn::text(double value) const {
    if (!isChoice() || !(value >= 0 && value < static_cast<double>(names.size())))
        return exactText(value);
    return names[static_cast<std::size_t>(value)];
}

const StudyColumn* StudyTable::find(const std::string& name) const {
    const auto it =
        std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
    return it == columns.end() ? nullptr : &*it;
}

struct Store::Impl {
    Database database;
    std::unique_ptr<PointWriter> writer; ///< made at the first write: reading needs none of its statements

    explicit Impl(const std::string& path) : database(path, accessTo(path)) { prepareStore(database); }

    void writeLimits(std::int64_t id, const std::vector<Limit>& limits) {
        Statement(database, "DELETE FROM study_limits WHERE study = ?").bind(1, id).run();
        Statement add(database, "INSERT INTO study_limits VALUES(?, ?, ?, ?, ?)");
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const auto& limit = limits[i];
            add.bind(1, id).bind(2, static_cast<std::int64_t>(i)).bind(3, std::string_view(limit.column));
            add.bind(4, std::isfinite(limit.least) ? limit.least : none);
            add.bind(5, std::isfinite(limit.most) ? limit.most : none).run();
        }
    }

    /// The metrics of nodes that the study does not keep yet; their view has a column for each.
    void addNodeMetrics(const Study& study, const StudyInfo& info) {
        auto nodeMetrics = info.nodeMetrics;
        for (const auto& metric : study.nodeMetrics)
            if (std::find(nodeMetrics.begin(), nodeMetrics.end(), metric) == nodeMetrics.end()) {
                Statement(database, "INSERT INTO study_figures(study, place, path) VALUES(?, ?, ?)")
                    .bind(1, info.id)
                    .bind(2, static_cast<std::int64_t>(nodeMetrics.size()))
                    .bind(3, std::string_view(metric))
                    .run();
                nodeMetrics.push_back(metric);
            }
        if (nodeMetrics == info.nodeMetrics)
            return;
        database.execute("DROP VIEW IF EXISTS " + quotedName(info.view));
        database.execute(studyViewSql(info.id, info.view, study.axes, nodeMetrics));
    }

    std::int64_t findStudy(const std::string& print) {
        Statement find(database, "SELECT id FROM studies WHERE fingerprint = ?");
        return find.bindBlob(1, print).step() ? find.integer(0) : 0;
    }

    std::int64_t addStudy(const Study& study, const std::string& print) {
        const auto base = scenarioText(study.base);
        const auto created = timeNow();
        Statement insert(database,
                         "INSERT INTO studies(fingerprint, name, view, created, equations, base, points)"
                         " VALUES(?, ?, '', ?, ?, ?, ?)");
        insert.bindBlob(1, print).bind(2, std::string_view(study.name)).bind(3, std::string_view(created));
        insert.bind(4, kEquationsVersion).bind(5, std::string_view(base));
        insert.bind(6, static_cast<std::int64_t>(study.pointCount())).run();
        const auto id = database.lastRowId();
        const auto view = studyViewName(id, study.name);
        Statement(database, "UPDATE studies SET view = ? WHERE id = ?")
            .bind(1, std::string_view(view))
            .bind(2, id)
            .run();
        addAxes(study, id);
        database.execute(studyViewSql(id, view, study.axes));
        return id;
    }

    void addAxes(const Study& study, std::int64_t id) {
        Statement addAxis(database, "INSERT INTO study_axes VALUES(?, ?, ?, ?, ?, ?)");
        Statement addValue(database, "INSERT INTO axis_values VALUES(?, ?, ?, ?, ?)");
        for (std::size_t i = 0; i < study.axes.size(); ++i) {
            const auto& axis = study.axes[i];
            const auto label = axisLabel(study.base, axis.path);
            const auto unit = axis.isChoice() ? "" : resolveQuantity(study.base, axis.path).spec.unit;
            const auto index = static_cast<std::int64_t>(i);
            addAxis.bind(1, id).bind(2, index).bind(3, std::string_view(axis.path));
            addAxis.bind(4, std::string_view(label)).bind(5, unit);
            addAxis.bind(6, static_cast<std::int64_t>(axis.values.size())).run();
            addValue.bind(1, id).bind(2, index);
            for (std::size_t k = 0; k < axis.values.size(); ++k) {
                addValue.bind(3, static_cast<std::int64_t>(k)).bind(4, axis.values[k]);
                if (axis.isChoice())
                    addValue.bind(5, std::string_view(axis.names[k])).run();
                else
                    addValue.bind(5, std::numeric_limits<double>::quiet_NaN()).run();
            }
        }
    }
};

Store::Store(const std::string& path) {
    checkStoreFile(path);
    matchRights(path);
    m_impl = std::make_unique<Impl>(path);
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const std::string& Store::path() const {
    return m_impl->database.path();
}

StudyInfo Store::ensureStudy(const Study& study, const std::stop_token& stop) {
    checkStudy(study);
    const StopGuard guard(m_impl->database, stop);
    const auto print = fingerprint(study);
    auto id = m_impl->findStudy(print);
    if (id == 0) {
        Transaction transaction(m_impl->database);
        id = m_impl->findStudy(print); // another process may have been faster
        if (id == 0) {
            id = m_impl->addStudy(study, print);
            m_impl->writeLimits(id, study.limits);
        }
        transaction.commit();
    }
    if (!study.nodeMetrics.empty()) {
        Transaction transaction(m_impl->database);
        m_impl->addNodeMetrics(study, this->study(id));
        transaction.commit();
    }
    if (!study.limits.empty() && this->study(id).limits != study.limits)
        setLimits(id, study.limits);
    return this->study(id);
}

std::optional<StudyInfo> Store::findStudy(const Study& study) {
    const auto id = m_impl->findStudy(fingerprint(study));
    return id == 0 ? std::nullopt : std::optional(this->study(id));
}

std::vector<StudyInfo> Store::studies(std::vector<std::string>* leftAside) {
    return readStudyInfos(m_impl->database, leftAside);
}

StudyInfo Store::study(std::int64_t id) {
    if (auto info = readStudyInfo(m_impl->database, id))
        return std::move(*info);
    std::string ids;
    Statement all(m_impl->database, "SELECT id FROM studies ORDER BY id DESC LIMIT 20");
    while (all.step())
        ids += (ids.empty() ? "" : ", ") + std::to_string(all.integer(0));
    throw Error(ErrorCode::NotFound, path(), "no study has the number " + std::to_string(id),
                ids.empty() ? "There are no studies in it yet" : "There are: " + ids);
}

Study Store::definition(std::int64_t id, const Catalog& catalog) {
    auto info = study(id);
    Statement base(m_impl->database, "SELECT base FROM studies WHERE id = ?");
    if (!base.bind(1, id).step())
        throw Error(ErrorCode::NotFound, path(), "no study has the number " + std::to_string(id));
    const auto where = path() + ", study " + std::to_string(id);
    Study study{info.name, readScenario(parseJson(base.text(0), where), catalog, where), std::move(info.axes),
                std::move(info.limits), std::move(info.nodeMetrics)};
    loadTrace(study.base.serving, {}); // what is missing is said when the study runs
    for (auto& axis : study.axes)
        resolveChoices(axis, study.base, catalog);
    return study;
}

void Store::remove(std::int64_t id) {
    const auto info = study(id);
    auto& database = m_impl->database;
    Transaction transaction(database);
    const auto number = std::to_string(id);
    database.execute("DROP VIEW IF EXISTS " + quotedName(info.view));
    for (const auto* table :
         {"study_rows", "axis_values", "study_axes", "study_limits", "study_figures", "study_values"})
        database.execute("DELETE FROM " + std::string(table) + " WHERE study = " + number);
    database.execute("DELETE FROM studies WHERE id = " + number);
    database.execute("DELETE FROM point_keys WHERE point NOT IN (SELECT point FROM study_rows)");
    database.execute("DELETE FROM points WHERE id NOT IN (SELECT point FROM study_rows)");
    transaction.commit();
}

void Store::checkInPlace() {
    m_impl->database.checkInPlace();
}

std::size_t Store::pointCount() {
    return static_cast<std::size_t>(m_impl->database.number("SELECT count(*) FROM points"));
}

StudyTable Store::read(std::int64_t id, const std::vector<std::string>& metrics) {
    return readStudyTable(m_impl->database, study(id), metrics);
}

std::vector<ScenarioKey> Store::keys(const StudyTable& table) {
    return readStudyKeys(m_impl->database, table);
}

void Store::exportStudy(std::int64_t id, const std::string& path) {
    copyStudy(m_impl->database, study(id), path);
}

std::vector<bool> Store::lookUp(std::span<const ScenarioKey> keys) {
    Statement find(m_impl->database, "SELECT 1 FROM point_keys WHERE key = ? AND point >= ?");
    find.bind(2, firstWhole(m_impl->database));
    std::vector<bool> found(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (find.bindBlob(1, keys[i]).step()) {
            found[i] = true;
            find.reset();
        }
    return found;
}

std::size_t Store::wholePoints(const StudyInfo& study) {
    const auto first = firstWhole(m_impl->database);
    if (first <= 1)
        return study.done;
    Statement count(m_impl->database, "SELECT count(*) FROM study_rows WHERE study = ? AND point >= ?");
    count.bind(1, study.id).bind(2, first).step();
    return static_cast<std::size_t>(count.integer(0));
}

std::vector<bool> Store::storedOrdinals(const StudyInfo& study) {
    std::vector<bool> stored(study.points);
    Statement rows(m_impl->database, "SELECT ordinal FROM study_rows WHERE study = ? AND point >= ?");
    rows.bind(1, study.id).bind(2, firstWhole(m_impl->database));
    while (rows.step())
        if (const auto ordinal = static_cast<std::size_t>(rows.integer(0)); ordinal < stored.size())
            stored[ordinal] = true;
        else
            m_impl->database.damaged("study " + std::to_string(study.id) + " holds a point beyond its grid");
    return stored;
}

std::size_t Store::bytes() {
    return static_cast<std::size_t>(m_impl->database.number("PRAGMA page_count") *
                                    m_impl->database.number("PRAGMA page_size"));
}

void Store::setLimits(std::int64_t id, const std::vector<Limit>& limits) {
    study(id); // throws when it is not there
    Transaction transaction(m_impl->database);
    m_impl->writeLimits(id, limits);
    transaction.commit();
}

void Store::rename(std::int64_t id, const std::string& name) {
    const auto first = name.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        throwInvalid(path() + ", study " + std::to_string(id), "its name would be empty", "Give it a name");
    const auto wanted = name.substr(first, name.find_last_not_of(" \t\r\n") - first + 1);
    auto& database = m_impl->database;
    const auto info = study(id); // throws when it is not there
    const auto view = studyViewName(id, wanted);
    Transaction transaction(database);
    Statement(database, "UPDATE studies SET name = ?, view = ? WHERE id = ?")
        .bind(1, std::string_view(wanted))
        .bind(2, std::string_view(view))
        .bind(3, id)
        .run();
    database.execute("DROP VIEW IF EXISTS " + quotedName(info.view));
    database.execute(studyViewSql(id, view, info.axes, info.nodeMetrics));
    transaction.commit();
}

std::vector<std::size_t> Store::withoutNodeMetric(const StudyInfo& study, const std::string& metric) {
    std::vector<bool> stored(study.points);
    Statement rows(m_impl->database, "SELECT ordinal FROM study_values WHERE study = ? AND path = ?");
    rows.bind(1, study.id).bind(2, std::string_view(metric));
    while (rows.step())
        if (const auto ordinal = static_cast<std::size_t>(rows.integer(0)); ordinal < stored.size())
            stored[ordinal] = true;
    std::vector<std::size_t> ordinals;
    for (std::size_t ordinal = 0; ordinal < stored.size(); ++ordinal)
        if (!stored[ordinal])
            ordinals.push_back(ordinal);
    return ordinals;
}

void Store::addNodeMetricValues(const StudyInfo& study, const std::string& metric, const NodeMetricName& name,
                                std::span<const std::pair<std::size_t, double>> values) {
    Transaction transaction(m_impl->database);
    Statement add(m_impl->database, "INSERT OR REPLACE INTO study_values VALUES(?, ?, ?, ?)");
    add.bind(1, study.id).bind(2, std::string_view(metric));
    for (const auto& [ordinal, value] : values)
        add.bind(3, static_cast<std::int64_t>(ordinal)).bind(4, value).run();
    if (!name.label.empty()) // known once a point has the metric
        Statement(m_impl->database,
                  "UPDATE study_figures SET label = ?, unit = ? WHERE study = ? AND path = ?")
            .bind(1, std::string_view(name.label))
            .bind(2, std::string_view(name.unit))
            .bind(3, study.id)
            .bind(4, std::string_view(metric))
            .run();
    transaction.commit();
}

std::vector<std::size_t> Store::addRows(const StudyInfo& study, std::span<const PointRow> rows,
                                        const std::vector<std::string>& bounds, const std::stop_token& stop) {
    if (!m_impl->writer)
        m_impl->writer = std::make_unique<PointWriter>(m_impl->database);
    return m_impl->writer->write(study, rows, bounds, stop);
}

std::string defaultStorePath() {
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    std::filesystem::path folder;
    if (data && *data == '/') // the specification has relative ones ignored
        folder = data;
    else if (home && *home)
        folder = std::filesystem::path(home) / ".local" / "share";
    else
        throw Error(ErrorCode::NotFound, "XDG_DATA_HOME", "neither it nor HOME is set",
                    "Set one, or give a file");
    folder /= "heteroscape";
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        throw Error(ErrorCode::Io, folder.string(), "cannot make the folder: " + failure.message(),
                    "Check that you may write there, or give another file");
    return (folder / "studies.sqlite").string();
}

} // namespace heteroscape::engine
