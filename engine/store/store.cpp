// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/library.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/column_block.h"
#include "engine/store/point_writer.h"
#include "engine/store/schema.h"
#include "engine/store/sqlite.h"
#include "engine/store/study_reader.h"
#include "engine/store/study_shape.h"
#include "engine/store/wide_table.h"
#include "engine/version.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <set>

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

} // namespace

struct Store::Impl {
    Database database;
    ColumnNames names;
    LentPoints lent;
    std::unique_ptr<PointWriter> writing; ///< made at the first write: reading needs none of its statements

    explicit Impl(const std::string& path)
        : database(path, accessTo(path)), names(database), lent(database, names) {
        prepareStore(database);
    }

    PointWriter& writer() {
        if (!writing)
            writing = std::make_unique<PointWriter>(database, names);
        return *writing;
    }

    /// The chunks of a study within a range that have every metric of this program.
    std::vector<Chunk> wholeChunks(const StudyInfo& study, PointRange range, bool checked,
                                   std::vector<std::string>& damage) {
        ChunkReader reader(database, names, study.id, study.points);
        auto chunks = reader.chunks(range, damage);
        std::erase_if(chunks, [&](const Chunk& chunk) {
            return !names.knowsAll(chunk.known, wholeColumns()) ||
                   (checked && !reader.isSound(chunk, damage));
        });
        return chunks;
    }

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

    /// The metrics of nodes that the study does not keep yet.
    void addNodeMetrics(const Study& study, const StudyInfo& info) {
        auto nodeMetrics = info.nodeMetrics;
        for (const auto& metric : study.nodeMetrics)
            if (std::find(nodeMetrics.begin(), nodeMetrics.end(), metric) == nodeMetrics.end()) {
                Statement(database,
                          "INSERT INTO node_metrics(study, place, path, label, unit) VALUES(?, ?, ?, '', '')")
                    .bind(1, info.id)
                    .bind(2, static_cast<std::int64_t>(nodeMetrics.size()))
                    .bind(3, std::string_view(metric))
                    .run();
                nodeMetrics.push_back(metric);
            }
    }

    std::int64_t findStudy(const std::string& print) {
        Statement find(database, "SELECT id FROM studies WHERE fingerprint = ?");
        return find.bindBlob(1, print).step() ? find.integer(0) : 0;
    }

    std::int64_t addStudy(const Study& study, const std::string& print) {
        return writeStudy(database,
                          {print, familyOf(study), study.name, timeNow(), std::string(kEquationsVersion),
                           scenarioText(study.base), storedAxes(study), study.isList});
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
    const auto print = fingerprintOf(study);
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
    const auto id = m_impl->findStudy(fingerprintOf(study));
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
    const auto base = readBase(m_impl->database, id);
    const auto where = path() + ", study " + std::to_string(id);
    auto design = readScenario(parseJson(base, where), catalog, where);
    loadTrace(design.serving, {}); // what is missing is said when the study runs
    Study study{info.name,
                std::move(design),
                std::move(info.axes),
                std::move(info.limits),
                std::move(info.nodeMetrics),
                info.isList};
    for (auto& axis : study.axes)
        resolveChoices(axis, study.base, catalog);
    return study;
}

void Store::remove(std::int64_t id) {
    study(id); // throws when it is not there
    auto& database = m_impl->database;
    Transaction transaction(database);
    removeStudy(database, id);
    transaction.commit();
    m_impl->lent.forget(id);
}

void Store::checkInPlace() {
    m_impl->database.checkInPlace();
}

std::size_t Store::pointCount() {
    return static_cast<std::size_t>(
        std::max<std::int64_t>(m_impl->database.number("SELECT coalesce(sum(count), 0) FROM chunks"), 0));
}

StudyTable Store::read(std::int64_t id, const std::vector<std::string>& metrics,
                       std::optional<PointRange> range) {
    const auto info = study(id);
    return readStudyTable(m_impl->database, info, metrics, range.value_or(PointRange{0, info.points}));
}

std::vector<std::string> Store::filledColumns(const StudyInfo& study) {
    std::set<std::int64_t> numbers;
    std::vector<std::string> damage;
    ChunkReader reader(m_impl->database, m_impl->names, study.id, study.points);
    for (const auto& chunk : reader.chunks({0, study.points}, damage))
        numbers.insert(chunk.columns.begin(), chunk.columns.end());
    std::vector<std::string> names;
    for (const auto number : numbers)
        names.push_back(m_impl->names.name(number));
    return names;
}

void Store::exportStudy(std::int64_t id, const std::string& path) {
    copyStudy(m_impl->database, study(id), path);
}

void Store::exportTables(const std::vector<std::int64_t>& ids, const std::string& path,
                         const Catalog* catalog) {
    std::vector<ToldStudy> studies;
    for (const auto id : ids) {
        studies.push_back({study(id), nullptr});
        if (!catalog)
            continue;
        try {
            auto truths = std::make_unique<PointTruths>(definition(id, *catalog));
            if (truths->all().has(Truth::Ideal))
                studies.back().truths = std::move(truths);
        } catch (const Error&) { // it says only less
        }
    }
    writeTables(m_impl->database, studies, path);
}

std::size_t Store::wholePoints(const StudyInfo& study) {
    std::size_t count = 0;
    std::vector<std::string> damage;
    for (const auto& chunk : m_impl->wholeChunks(study, {0, study.points}, false, damage))
        count += chunk.count;
    return count;
}

std::vector<PointRange> Store::missing(const StudyInfo& study, PointRange range,
                                       std::vector<std::string>* damage) {
    std::vector<std::string> unsaid;
    std::vector<PointRange> missing;
    auto next = range.begin;
    for (const auto& chunk : m_impl->wholeChunks(study, range, true, damage ? *damage : unsaid)) {
        if (chunk.first > next)
            missing.push_back({next, chunk.first});
        next = std::max(next, chunk.end());
    }
    if (next < range.end)
        missing.push_back({next, range.end});
    return missing;
}

std::vector<bool> Store::storedOrdinals(const StudyInfo& study) {
    std::vector<bool> stored(study.points, true);
    for (const auto& range : missing(study, {0, study.points}))
        std::fill(stored.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  stored.begin() + static_cast<std::ptrdiff_t>(range.end), false);
    return stored;
}

std::vector<PointRange> Store::withoutNodeMetrics(const StudyInfo& study,
                                                  const std::vector<std::string>& metrics, PointRange range) {
    auto wanted = metrics;
    std::sort(wanted.begin(), wanted.end());
    std::vector<PointRange> found;
    if (wanted.empty())
        return found;
    std::vector<std::string> damage;
    for (const auto& chunk : m_impl->wholeChunks(study, range, false, damage))
        if (!m_impl->names.knowsAll(chunk.known, wanted))
            found.push_back({chunk.first, chunk.end()});
    return found;
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
    if (name.size() > kMaxNameBytes)
        throwInvalid(path() + ", study " + std::to_string(id), "its name would be longer than 64 KiB",
                     "Give it a shorter one");
    const auto wanted = name.substr(first, name.find_last_not_of(" \t\r\n") - first + 1);
    study(id); // throws when it is not there
    const auto view = studyViewName(id, wanted);
    Statement(m_impl->database, "UPDATE studies SET name = ?, view = ? WHERE id = ?")
        .bind(1, std::string_view(wanted))
        .bind(2, std::string_view(view))
        .bind(3, id)
        .run();
}

void Store::addPoints(const StudyInfo& study, std::span<const PackedPoints> points,
                      const std::vector<std::string>& bounds, const std::stop_token& stop) {
    m_impl->writer().write(study, points, bounds, stop);
    m_impl->lent.forget(study.id);
}

bool Store::addColumns(const StudyInfo& study, const PackedPoints& points) {
    return m_impl->writer().addColumns(study, points);
}

void Store::nameNodeMetric(const StudyInfo& study, const std::string& metric, const NodeMetricName& name) {
    Statement(m_impl->database, "UPDATE node_metrics SET label = ?, unit = ? WHERE study = ? AND path = ?")
        .bind(1, std::string_view(name.label))
        .bind(2, std::string_view(name.unit))
        .bind(3, study.id)
        .bind(4, std::string_view(metric))
        .run();
}

bool Store::isNamed(const StudyInfo& study, const std::string& metric) {
    Statement find(m_impl->database,
                   "SELECT 1 FROM node_metrics WHERE study = ? AND path = ? AND label != ''");
    return find.bind(1, study.id).bind(2, std::string_view(metric)).step();
}

std::vector<Lender> Store::lenders(const Study& study) {
    return findLenders(m_impl->database, study);
}

std::vector<std::optional<StoredPlace>> Store::findSimulated(std::span<const ScenarioKey> keys) {
    Statement find(m_impl->database, "SELECT study, ordinal FROM simulated_points WHERE key = ? LIMIT 1");
    std::vector<std::optional<StoredPlace>> found(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (find.bindBlob(1, keys[i]).step()) {
            found[i] = {find.integer(0), static_cast<std::size_t>(find.integer(1))};
            find.reset();
        }
    return found;
}

bool Store::lend(const StoredPlace& place, const std::vector<std::string>& columns, std::span<double> values,
                 std::int64_t& bound) {
    double number = 0;
    if (!m_impl->lent.at(place, columns, values, number))
        return false;
    bound = static_cast<std::int64_t>(number);
    return true;
}

std::string Store::boundText(std::int64_t bound) {
    Statement find(m_impl->database, "SELECT text, sum FROM bounds WHERE id = ?");
    return find.bind(1, bound).step() && find.integer(1) == bytesSum(find.text(0)) ? std::string(find.text(0))
                                                                                   : std::string();
}

std::string defaultStorePath() {
    const auto folder = userFolder();
    if (folder.empty())
        throw Error(ErrorCode::NotFound, "XDG_DATA_HOME", "neither it nor HOME is set",
                    "Set one, or give a file");
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        throw Error(ErrorCode::Io, folder, "cannot make the folder: " + failure.message(),
                    "Check that you may write there, or give another file");
    return folder + "/studies.sqlite";
}

} // namespace heteroscape::engine
