// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/recover_store.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/evaluation/metric.h"
#include "engine/store/chunks.h"
#include "engine/store/column_block.h"
#include "engine/store/schema.h"
#include "engine/store/study_reader.h"
#include "engine/store/study_shape.h"
#include "engine/store/wide_table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <optional>

namespace heteroscape::engine {

namespace {

/// One study of one store into another.
class StudyCopy {
public:
    StudyCopy(Store& from, Store& into, const Study& study, const StudyInfo& source, const StudyInfo& target,
              const std::stop_token& stop)
        : m_from(from), m_into(into), m_source(source), m_target(target), m_stop(stop), m_setter(study),
          m_keyed(isSimulatedStudy(study)) {}

    void run() {
        PointRange whole{0, 0};
        for (const auto& missing : m_from.missing(m_source, {0, m_source.points})) {
            whole.end = missing.begin;
            copy(whole);
            whole.begin = missing.end;
        }
        whole.end = m_source.points;
        copy(whole);
    }

private:
    Store& m_from;
    Store& m_into;
    const StudyInfo& m_source;
    const StudyInfo& m_target;
    const std::stop_token& m_stop;
    PointSetter m_setter;
    bool m_keyed;

    void copy(PointRange range) {
        for (auto at = range.begin; at < range.end; at += kMostBlockPoints)
            copyPart({at, std::min(at + kMostBlockPoints, range.end)});
    }

    void copyPart(PointRange part) {
        const auto table = m_from.read(m_source.id, {}, part);
        if (!table.damage.empty() || table.rows() != part.size())
            return; // damaged meanwhile: as a point that is missing
        std::vector<std::string> columns{kFeasibleColumn};
        for (const auto& spec : metricSpecs())
            columns.emplace_back(spec.key);
        for (const auto& metric : m_source.nodeMetrics)
            if (m_from.withoutNodeMetrics(m_source, {metric}, part).empty())
                columns.push_back(metric);
        PackedPoints points{part.begin, part.size(), {}, {}, table.bounds, {}};
        for (const auto& name : columns) {
            const auto* column = table.find(name);
            points.blocks.push_back(column && !column->values.empty() ? packBlock(column->values)
                                                                      : std::string());
            if (column && !column->values.empty() && !findMetric(name) && name != kFeasibleColumn &&
                !m_into.isNamed(m_target, name))
                m_into.nameNodeMetric(m_target, name, {column->label, column->unit});
        }
        points.columns = std::make_shared<const std::vector<std::string>>(std::move(columns));
        for (std::size_t i = 0; m_keyed && i < part.size(); ++i)
            points.keys.push_back(scenarioKeyBytes(m_setter.at(part.begin + i)));
        m_into.addPoints(m_target, std::span(&points, 1), table.boundNames, m_stop);
    }
};

} // namespace

std::vector<StudyInfo> mergeStudies(const std::vector<std::string>& parts, Store& into,
                                    const Catalog& catalog, const std::stop_token& stop) {
    std::vector<std::int64_t> ids;
    for (const auto& path : parts) {
        if (!std::filesystem::exists(path)) // opening would make it
            throw Error(ErrorCode::Io, path, "there is no such file", "Run that shard again");
        Store part(path);
        for (const auto& source : part.studies()) {
            const auto study = part.definition(source.id, catalog);
            if (const auto same = part.findStudy(study); !same || same->id != source.id)
                throwInvalid(
                    path,
                    "study " + std::to_string(source.id) +
                        " was worked out by other equations or other parts than those of this program",
                    "Run that shard again");
            const auto target = into.ensureStudy(study, stop);
            if (std::find(ids.begin(), ids.end(), target.id) == ids.end())
                ids.push_back(target.id);
            StudyCopy(part, into, study, source, target, stop).run();
        }
    }
    if (ids.empty())
        throwInvalid(parts.empty() ? std::string("parts") : parts.front(), "holds no study",
                     "Name the stores that sweep --shard wrote");
    std::vector<StudyInfo> merged;
    for (const auto id : ids)
        merged.push_back(into.study(id));
    return merged;
}

namespace fs = std::filesystem;

namespace {

/// A table whose rows can be told from those of others by their types.
struct Table {
    const char* name;
    std::string_view types; ///< as StoredRow::types(); a first n is the rowid
};
constexpr Table kLargeTables[] = {
    {"studies", "nbbtttttiiii"}, {"grid_axes", "iitttibtb"}, {"chunks", "niiiibi"}, {"blocks", "iiib"}};
/// Others that have a rowid, of one page or few: told by the page.
constexpr const char* kSmallTables[] = {"bounds", "block_columns", "known_columns"};

/// Whether rows point to others that are not there.
bool isIncomplete(Database& into) {
    return into.number("SELECT (SELECT coalesce(sum(length(columns) / 8), 0) FROM chunks) <>"
                       " (SELECT count(*) FROM blocks)"
                       " OR EXISTS(SELECT 1 FROM chunks WHERE study NOT IN (SELECT id FROM studies))"
                       " OR EXISTS(SELECT 1 FROM studies WHERE done <>"
                       " (SELECT coalesce(sum(count), 0) FROM chunks WHERE study = studies.id))") != 0;
}

StoredRow::Value valueOf(const Statement& row, int column) {
    switch (row.type(column)) {
    case 'i':
        return row.integer(column);
    case 'r':
        return row.real(column);
    case 't':
        return std::string(row.text(column));
    case 'b':
        return StoredBlob{std::string(row.blob(column))};
    default:
        return std::monostate{};
    }
}

/// Puts rows into a table, unless they are there.
class RowTaker {
public:
    RowTaker(Database& into, const std::string& table, std::size_t columns)
        : m_insert(into, "INSERT OR IGNORE INTO " + table + " VALUES(" + places(columns) + ")") {}

    void take(const StoredRow& row) {
        for (std::size_t i = 0; i < row.values.size(); ++i)
            std::visit([&](const auto& value) { bind(static_cast<int>(i + 1), value); }, row.values[i]);
        if (std::holds_alternative<std::monostate>(row.values[0]))
            m_insert.bind(1, row.id);
        m_insert.run();
    }

private:
    Statement m_insert;

    void bind(int place, std::monostate) { m_insert.bind(place, std::numeric_limits<double>::quiet_NaN()); }
    void bind(int place, std::int64_t value) { m_insert.bind(place, value); }
    void bind(int place, double value) { m_insert.bind(place, value); }
    void bind(int place, const std::string& value) { m_insert.bind(place, std::string_view(value)); }
    void bind(int place, const StoredBlob& value) { m_insert.bindBlob(place, value.bytes); }

    static std::string places(std::size_t count) {
        std::string list = "?";
        for (std::size_t i = 1; i < count; ++i)
            list += ", ?";
        return list;
    }
};

/// The rows of a table, by a connection of its own: after damage it was told of, one that writes too can
/// go on with nothing. False: not all of them can be read.
bool takeTable(Database& from, Database& into, const std::string& table) {
    try {
        Statement rows(from, "SELECT * FROM " + table);
        StoredRow row;
        std::optional<RowTaker> taker;
        auto most = fs::file_size(from.file()) / 4; // bytes of the smallest row
        while (rows.step()) {
            if (most-- == 0)
                return false; // its pages lead round in circles
            row.values.clear();
            for (int i = 0; i < rows.columns(); ++i)
                row.values.push_back(valueOf(rows, i));
            if (!taker)
                taker.emplace(into, table, row.values.size());
            taker->take(row);
        }
        return true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::InvalidInput || error.where() != from.path())
            throw;
        return false;
    }
}

/// The rows of all leaf pages that are not there yet.
void takeLeaves(Database& from, Database& into) {
    std::vector<std::pair<std::string_view, std::unique_ptr<RowTaker>>> byTypes;
    for (const auto& table : kLargeTables)
        byTypes.emplace_back(table.types, std::make_unique<RowTaker>(into, table.name, table.types.size()));
    constexpr std::string_view small = "nti";
    std::map<std::int64_t, RowTaker> byPage;
    for (const std::string table : kSmallTables)
        byPage.try_emplace(from.number("SELECT rootpage FROM sqlite_master WHERE name = '" + table + "'"),
                           into, table, small.size());
    forEachLeafRow(from.file(), [&](const StoredRow& row) {
        const auto types = row.types();
        for (const auto& [wanted, taker] : byTypes)
            if (types == wanted)
                taker->take(row);
        if (const auto taker = byPage.find(row.page); types == small && taker != byPage.end())
            taker->second.take(row);
    });
}

void takeTables(Database& from, Database& into) {
    bool isWhole = true;
    for (const auto& table : kLargeTables)
        isWhole = takeTable(from, into, table.name) && isWhole;
    for (const auto* table : kSmallTables)
        isWhole = takeTable(from, into, table) && isWhole;
    for (const auto* table : {"study_limits", "node_metrics", "simulated_points"})
        takeTable(from, into, table);
    if (!isWhole || isIncomplete(into))
        takeLeaves(from, into);
    into.execute("UPDATE studies SET done ="
                 " (SELECT coalesce(sum(count), 0) FROM chunks WHERE study = studies.id)");
}

/// Whether the list of tables can be read.
bool namesTables(Database& store) {
    try {
        for (const auto& table : kLargeTables)
            Statement(store, "SELECT * FROM " + std::string(table.name));
        for (const auto* table : kSmallTables)
            Statement(store, "SELECT * FROM " + std::string(table));
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// The page that names the tables, as a new store has it: in every store they begin at the same pages.
void replaceFirstPage(const std::string& copy, Database& fresh) {
    fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    const auto size = static_cast<std::size_t>(fresh.number("PRAGMA page_size"));
    std::string page(size, '\0');
    InputFile(fresh.path()).read(page.data(), static_cast<std::streamsize>(size));
    const auto set = [&](std::size_t at, std::size_t value) {
        for (std::size_t i = 0; i < 4; ++i)
            page[at + i] = static_cast<char>(value >> (24 - 8 * i));
    };
    set(28, fs::file_size(copy) / size); // pages of the file; then the free ones: none are known
    set(32, 0);
    set(36, 0);
    page.replace(92, 4, page, 24, 4); // these are of the same change
    std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
    if (!file.write(page.data(), static_cast<std::streamsize>(size)).flush())
        throw Error(ErrorCode::Io, copy, "cannot be written", "Check the disk (full, or at its quota?)");
}

std::vector<std::int64_t> ids(Database& store, const char* sql) {
    std::vector<std::int64_t> found;
    Statement rows(store, sql);
    while (rows.step())
        found.push_back(rows.integer(0));
    return found;
}

/// What the studies of a store lack; those of which not even their axes are known are removed.
void tellDamage(Database& store, std::vector<std::string>& lost) {
    for (const auto id :
         ids(store, "SELECT DISTINCT study FROM chunks WHERE study NOT IN (SELECT id FROM studies)")) {
        lost.push_back("study " + std::to_string(id) + ": what it is cannot be read");
        removeStudy(store, id);
    }
    ColumnNames names(store);
    for (const auto id : ids(store, "SELECT id FROM studies ORDER BY id")) {
        StudyInfo study;
        try {
            study = *readStudyInfo(store, id);
        } catch (const Error& error) { // it would hold the place of one that runs anew
            if (error.code() != ErrorCode::InvalidInput)
                throw;
            lost.push_back(error.message());
            removeStudy(store, id);
            continue;
        }
        try {
            readBase(store, id);
        } catch (const Error& error) { // its points read
            lost.push_back(error.message());
        }
        ChunkReader reader(store, names, study.id, study.points);
        std::size_t done = 0;
        for (const auto& chunk : reader.chunks({0, study.points}, lost))
            done += reader.isSound(chunk, lost) ? chunk.count : 0;
        if (done < study.points)
            lost.push_back("study " + std::to_string(study.id) + ": " + std::to_string(study.points - done) +
                           " of its " + std::to_string(study.points) + " points are not there, or not whole");
    }
}

void recoverFrom(const std::string& copy, Database& into, std::vector<std::string>& lost) {
    auto from = std::make_unique<Database>(copy);
    const bool isNamed = namesTables(*from);
    if (!isNamed) {
        from.reset();
        replaceFirstPage(copy, into);
        from = std::make_unique<Database>(copy);
    }
    from->number("PRAGMA wal_checkpoint(TRUNCATE)"); // leaves are read from the file
    Transaction transaction(into);
    takeTables(*from, into);
    transaction.commit();
    if (!isNamed && into.number("SELECT count(*) FROM studies") == 0)
        throwInvalid(copy, "the list of its tables cannot be read");
    tellDamage(into, lost);
}

} // namespace

std::vector<std::string> recoverStore(const std::string& path, const std::string& out) {
    if (!fs::exists(path))
        throw Error(ErrorCode::NotFound, path, "there is no such file", "Name the damaged store");
    std::optional<Error> foreign; // the first bytes are not those of a store: they may be what is damaged
    try {
        checkStoreFile(path);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::InvalidInput || !fs::is_regular_file(path) || isNamedStore(path))
            throw;
        foreign = error;
    }
    NewFile file(out);
    const auto copy = file.part() + "-old";
    for (const auto* ending : {"", "-wal", "-journal"}) { // what is not in the file itself yet
        std::error_code failure;
        if (fs::exists(path + ending) && !fs::copy_file(path + ending, copy + ending, failure))
            throw Error(ErrorCode::Io, out, "cannot be written: " + failure.message(), "Give another file");
    }
    std::vector<std::string> lost;
    try {
        Database into(file.part());
        prepareStore(into);
        recoverFrom(copy, into, lost);
        if (foreign && into.number("SELECT count(*) FROM studies") == 0)
            throw Error(*foreign);
        into.execute("PRAGMA journal_mode = DELETE"); // one file, without a log beside it
    } catch (const Error& error) {
        if (foreign)
            throw Error(*foreign);
        if (error.code() != ErrorCode::InvalidInput)
            throw;
        throwInvalid(path, "nothing of it can be recovered: " + error.message(),
                     "It was left as it is: restore a copy of it");
    }
    file.finish();
    return lost;
}

} // namespace heteroscape::engine
