// SPDX-License-Identifier: GPL-3.0-or-later
// A loadable extension of SQLite that shows the studies of a Heteroscape store as tables. It runs in any
// program with SQLite, so it knows of the engine only how blocks are packed, and reads the store through the
// SQLite that loads it (tables and columns: engine/store/schema.h).
//
//   .load heteroscape_studies                         every study of the file is a table, named as in lists
//   SELECT heteroscape_studies();                     again, for studies made since; or of an attached file:
//   SELECT heteroscape_studies('other');
//   CREATE VIRTUAL TABLE temp.t USING heteroscape_study(main, 3);      one study by its number
//
// Columns: an axis by its path (of choices the name), feasible, metrics by key and those of nodes by path,
// bound; hidden: ordinal. Only the blocks of columns that a query names are read. A damaged block is an error
// naming the study and the block.

#include "engine/store/column_block.h"

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using heteroscape::engine::blockSum;
using heteroscape::engine::bytesSum;
using heteroscape::engine::kMostBlockPoints;
using heteroscape::engine::unpackBlock;

/// What a terminal shows and does not obey: texts of the file are somebody else's.
std::string plain(std::string text) {
    constexpr std::size_t most = 500;
    if (text.size() > most)
        text.resize(most);
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            c = '?';
    return text;
}

struct Failure {
    explicit Failure(std::string text) : message(plain(std::move(text))) {}
    std::string message;
};

std::string quoted(std::string_view name, char mark) {
    std::string text(1, mark);
    for (const char c : name)
        text.append(c == mark ? 2 : 1, c);
    return text + mark;
}

/// A statement that is finished by itself.
class Query {
public:
    Query(sqlite3* database, const std::string& sql) {
        if (sqlite3_prepare_v2(database, sql.c_str(), -1, &m_statement, nullptr) != SQLITE_OK)
            throw Failure{sqlite3_errmsg(database)};
        m_database = database;
    }
    ~Query() { sqlite3_finalize(m_statement); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    void bind(int place, std::int64_t value) { sqlite3_bind_int64(m_statement, place, value); }
    bool step() {
        const int code = sqlite3_step(m_statement);
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            throw Failure{sqlite3_errmsg(m_database)};
        if (code == SQLITE_DONE)
            sqlite3_reset(m_statement);
        return code == SQLITE_ROW;
    }
    void reset() { sqlite3_reset(m_statement); }
    std::int64_t integer(int column) const { return sqlite3_column_int64(m_statement, column); }
    std::string text(int column) const {
        const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement, column));
        return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)))
                     : std::string();
    }

private:
    sqlite3* m_database = nullptr;
    sqlite3_stmt* m_statement = nullptr;
};

/// Whether every name that is read here is a table: a view could stand for anything, and never end.
bool isStore(sqlite3* database, const std::string& schema) {
    Query tables(database, "SELECT count(*) FROM " + quoted(schema, '"') +
                               ".sqlite_master WHERE type = 'table' AND rootpage > 0 AND name IN ('studies',"
                               " 'grid_axes', 'bounds', 'block_columns', 'known_columns', 'chunks',"
                               " 'blocks')");
    return tables.step() && tables.integer(0) == 7;
}

struct StudyAxis {
    std::string path;
    std::vector<double> values;
    std::vector<std::string> names;
    std::size_t stride = 1;
};

struct StudyChunk {
    std::int64_t id = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::set<std::int64_t> columns;
};

/// sqlite3_vtab first: SQLite knows it by that.
struct StudyTable : sqlite3_vtab {
    sqlite3* database = nullptr;
    std::string schema; ///< quoted
    std::int64_t study = 0;
    std::size_t points = 0;
    std::vector<StudyAxis> axes;
    std::vector<std::string> columns; ///< that have blocks: feasible, metrics, bound
    std::vector<std::int64_t> numbers;

    int ordinalColumn() const { return static_cast<int>(axes.size() + columns.size()); }
    std::string from(const std::string& table) const { return schema + "." + table; }
    std::string name() const { return "study " + std::to_string(study); }
};

struct StudyCursor : sqlite3_vtab_cursor {
    std::vector<StudyChunk> chunks;
    std::size_t chunk = 0;
    std::size_t row = 0;                     ///< in the chunk
    std::vector<std::vector<double>> values; ///< of the chunk's columns, as they are asked for
    std::unique_ptr<Query> block;
    std::vector<std::string> bounds; ///< by number
};

int tell(sqlite3_vtab* table, const std::string& message) {
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", message.c_str());
    return SQLITE_ERROR;
}

/// What throws is told to SQLite.
template <class Work>
int guarded(sqlite3_vtab* table, const Work& work) {
    try {
        work();
        return SQLITE_OK;
    } catch (const Failure& failure) {
        return tell(table, failure.message);
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        return tell(table, error.what());
    }
}

constexpr std::size_t kMostAxes = 8;
constexpr std::size_t kMostValues = 1'000'000; ///< of an axis
constexpr std::size_t kMostPoints = 10'000'000;
constexpr std::size_t kMostColumns = 2000; ///< SQLite takes no more

void readAxes(StudyTable& table) {
    Query axes(table.database, "SELECT path, numbers FROM " + table.from("grid_axes") +
                                   " WHERE study = ?1"
                                   " ORDER BY axis");
    axes.bind(1, table.study);
    while (axes.step()) {
        StudyAxis axis{axes.text(0), {}, {}, 1};
        const auto numbers = axes.text(1);
        if (table.axes.size() == kMostAxes || numbers.size() > kMostValues * sizeof(double))
            throw Failure{table.name() + ": its axes are larger than those of any study"};
        axis.values.resize(numbers.size() / sizeof(double));
        std::memcpy(axis.values.data(), numbers.data(), axis.values.size() * sizeof(double));
        Query names(table.database,
                    "SELECT n.value FROM " + table.from("grid_axes") +
                        " a, json_each(a.names) n"
                        " WHERE a.study = ?1 AND a.axis = ?2 AND a.names != '' ORDER BY n.key");
        names.bind(1, table.study);
        names.bind(2, static_cast<std::int64_t>(table.axes.size()));
        while (names.step() && axis.names.size() <= axis.values.size())
            axis.names.push_back(names.text(0));
        if (axis.names.size() > axis.values.size() || axis.values.empty() ||
            (!axis.names.empty() && std::any_of(axis.values.begin(), axis.values.end(), [&](double at) {
                return !(at >= 0.0 && at < static_cast<double>(axis.names.size()));
            })))
            throw Failure{table.name() + ": the values of " + axis.path + " do not fit together"};
        table.axes.push_back(std::move(axis));
    }
    if (table.axes.empty())
        throw Failure{"no study has the number " + std::to_string(table.study)};
    Query points(table.database, "SELECT points FROM " + table.from("studies") + " WHERE id = ?1");
    points.bind(1, table.study);
    const auto count = points.step() ? points.integer(0) : 0;
    if (count < 1 || count > static_cast<std::int64_t>(kMostPoints))
        throw Failure{table.name() + ": its number of points is " + std::to_string(count)};
    table.points = static_cast<std::size_t>(count);
    if (count > 1 && std::all_of(table.axes.begin(), table.axes.end(), [&](const StudyAxis& axis) {
            return static_cast<std::int64_t>(axis.values.size()) == count;
        }))
        return; // a list: point i has value i of each
    std::size_t product = 1;
    for (std::size_t i = table.axes.size(); i-- > 0 && product <= kMostPoints;) {
        table.axes[i].stride = product;
        product *= table.axes[i].values.size();
    }
    if (product != table.points)
        throw Failure{table.name() + ": its axes do not make its " + std::to_string(table.points) +
                      " points"};
}

/// Every column that some chunk knows: "feasible" first, "bound" last.
void readColumns(StudyTable& table) {
    std::set<std::string> known;
    Query lists(table.database, "SELECT DISTINCT k.names FROM " + table.from("chunks") + " c JOIN " +
                                    table.from("known_columns") + " k ON k.id = c.known WHERE c.study = ?1");
    lists.bind(1, table.study);
    while (lists.step()) {
        const auto names = lists.text(0);
        for (std::size_t at = 0; at < names.size();) {
            const auto end = std::min(names.find('\n', at), names.size());
            known.insert(names.substr(at, end - at));
            at = end + 1;
            if (known.size() > kMostColumns)
                throw Failure{table.name() + ": it has more columns than any study"};
        }
    }
    known.erase("feasible");
    known.erase("bound");
    for (const auto& axis : table.axes)
        known.erase(axis.path);
    table.columns.emplace_back("feasible");
    table.columns.insert(table.columns.end(), known.begin(), known.end());
    table.columns.emplace_back("bound");
    table.numbers.assign(table.columns.size(), 0);
    Query numbers(table.database, "SELECT id, name FROM " + table.from("block_columns") + " ORDER BY id");
    std::map<std::string, std::int64_t> numbered;
    for (std::int64_t last = 0; numbers.step() && numbers.integer(0) > last; last = numbers.integer(0))
        if (auto name = numbers.text(1); known.contains(name) || name == "feasible" || name == "bound")
            numbered[std::move(name)] = numbers.integer(0);
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (const auto number = numbered.find(table.columns[i]); number != numbered.end())
            table.numbers[i] = number->second;
}

std::string declaration(const StudyTable& table) {
    std::string sql = "CREATE TABLE t(";
    for (const auto& axis : table.axes)
        sql += quoted(axis.path, '"') + (axis.names.empty() ? " REAL, " : " TEXT, ");
    for (const auto& column : table.columns)
        sql += quoted(column, '"') + (column == "feasible" ? " INTEGER, "
                                      : column == "bound"  ? " TEXT, "
                                                           : " REAL, ");
    return sql + "ordinal INTEGER HIDDEN)";
}

int connect(sqlite3* database, void*, int argc, const char* const* argv, sqlite3_vtab** out, char** message) {
    auto table = std::unique_ptr<StudyTable>(new (std::nothrow) StudyTable{});
    if (!table)
        return SQLITE_NOMEM;
    try {
        if (argc != 5)
            throw Failure{"give the schema and the number of a study: USING heteroscape_study(main, 1)"};
        table->database = database;
        table->schema = quoted(argv[3], '"');
        table->study = std::strtoll(argv[4], nullptr, 10);
        if (!isStore(database, argv[3]))
            throw Failure{"no store of studies"};
        readAxes(*table);
        readColumns(*table);
        if (sqlite3_declare_vtab(database, declaration(*table).c_str()) != SQLITE_OK)
            throw Failure{sqlite3_errmsg(database)};
    } catch (const Failure& failure) {
        *message = sqlite3_mprintf("%s", failure.message.c_str());
        return SQLITE_ERROR;
    } catch (const std::exception&) {
        return SQLITE_NOMEM;
    }
    *out = table.release();
    return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
    delete static_cast<StudyTable*>(table);
    return SQLITE_OK;
}

int bestIndex(sqlite3_vtab*, sqlite3_index_info* info) {
    info->estimatedCost = 1e6;
    return SQLITE_OK;
}

int openCursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
    *out = new (std::nothrow) StudyCursor{};
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

int closeCursor(sqlite3_vtab_cursor* cursor) {
    delete static_cast<StudyCursor*>(cursor);
    return SQLITE_OK;
}

StudyTable& tableOf(StudyCursor& cursor) {
    return *static_cast<StudyTable*>(cursor.pVtab);
}

void readChunks(StudyTable& table, StudyCursor& cursor) {
    Query rows(table.database, "SELECT id, first, count, columns, sum FROM " + table.from("chunks") +
                                   " WHERE study = ?1 ORDER BY first");
    rows.bind(1, table.study);
    std::size_t last = 0;
    while (rows.step()) {
        const auto first = rows.integer(1);
        const auto count = rows.integer(2);
        const auto columns = rows.text(3);
        const auto points = static_cast<std::int64_t>(table.points);
        if (count < 1 || count > static_cast<std::int64_t>(kMostBlockPoints) ||
            first < static_cast<std::int64_t>(last) || first > points - count ||
            columns.size() > (kMostColumns + 2) * sizeof(std::int64_t))
            throw Failure{table.name() + ", the points from " + std::to_string(first) +
                          " on: what is said of their blocks does not fit"};
        StudyChunk chunk{
            rows.integer(0), static_cast<std::size_t>(first), static_cast<std::size_t>(count), {}};
        last = chunk.first + chunk.count;
        for (std::size_t at = 0; at + sizeof(std::int64_t) <= columns.size(); at += sizeof(std::int64_t)) {
            std::int64_t column = 0;
            std::memcpy(&column, columns.data() + at, sizeof column);
            chunk.columns.insert(column);
        }
        if (rows.integer(4) != blockSum("", chunk.first, chunk.count, columns))
            throw Failure{table.name() + ", the points from " + std::to_string(first) +
                          " on: what is said of their blocks does not fit"};
        cursor.chunks.push_back(std::move(chunk));
    }
}

void readBounds(StudyTable& table, StudyCursor& cursor) {
    Query bounds(table.database, "SELECT id, text, sum FROM " + table.from("bounds") + " ORDER BY id");
    cursor.bounds.clear();
    while (bounds.step()) { // in order, each once, unless its pages lead round in circles
        const auto id = bounds.integer(0);
        if (id < static_cast<std::int64_t>(cursor.bounds.size()) || id > 1'000'000)
            throw Failure{table.name() + ": a bound has the number " + std::to_string(id)};
        cursor.bounds.resize(static_cast<std::size_t>(id) + 1);
        if (auto text = bounds.text(1); bytesSum(text) == bounds.integer(2))
            cursor.bounds[static_cast<std::size_t>(id)] = std::move(text);
    }
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) {
    auto& cursor = *static_cast<StudyCursor*>(base);
    auto& table = tableOf(cursor);
    return guarded(&table, [&] {
        cursor.chunks.clear();
        cursor.chunk = cursor.row = 0;
        readChunks(table, cursor);
        readBounds(table, cursor);
        cursor.values.assign(table.columns.size(), {});
        cursor.block =
            std::make_unique<Query>(table.database, "SELECT sum, data FROM " + table.from("blocks") +
                                                        " WHERE chunk = ?1 AND \"column\" = ?2");
    });
}

int next(sqlite3_vtab_cursor* base) {
    auto& cursor = *static_cast<StudyCursor*>(base);
    if (++cursor.row == cursor.chunks[cursor.chunk].count) {
        cursor.row = 0;
        ++cursor.chunk;
        for (auto& values : cursor.values)
            values.clear();
    }
    return SQLITE_OK;
}

int atEnd(sqlite3_vtab_cursor* base) {
    const auto& cursor = *static_cast<const StudyCursor*>(base);
    return cursor.chunk >= cursor.chunks.size() ? 1 : 0;
}

/// A column of the chunk that the cursor is at, read when it is first asked for.
double valueAt(StudyTable& table, StudyCursor& cursor, std::size_t column) {
    const auto& chunk = cursor.chunks[cursor.chunk];
    auto& values = cursor.values[column];
    if (values.empty()) {
        std::string bytes;
        const auto block = table.name() + ", " + table.columns[column] + " of the points " +
                           std::to_string(chunk.first) + " to " +
                           std::to_string(chunk.first + chunk.count - 1);
        if (chunk.columns.contains(table.numbers[column])) {
            cursor.block->bind(1, chunk.id);
            cursor.block->bind(2, table.numbers[column]);
            if (!cursor.block->step())
                throw Failure{block + ": the block is not there"};
            bytes = cursor.block->text(1);
            const bool fits =
                cursor.block->integer(0) == blockSum(table.columns[column], chunk.first, chunk.count, bytes);
            cursor.block->reset();
            if (!fits)
                throw Failure{block + ": the checksum does not fit"};
        }
        values.resize(chunk.count);
        const auto& name = table.columns[column];
        const auto isNone = [&](double value) {
            return std::isinf(value) || (name == "feasible" && value != 0.0 && value != 1.0);
        };
        if (!unpackBlock(bytes, values) || std::any_of(values.begin(), values.end(), isNone)) {
            values.clear();
            throw Failure{block + ": the values do not fit"};
        }
    }
    return values[cursor.row];
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
    auto& cursor = *static_cast<StudyCursor*>(base);
    auto& table = tableOf(cursor);
    const auto ordinal = cursor.chunks[cursor.chunk].first + cursor.row;
    if (index == table.ordinalColumn()) {
        sqlite3_result_int64(context, static_cast<sqlite3_int64>(ordinal));
        return SQLITE_OK;
    }
    const auto place = static_cast<std::size_t>(index);
    if (place < table.axes.size()) {
        const auto& axis = table.axes[place];
        const auto position = ordinal / axis.stride % axis.values.size();
        if (axis.names.empty())
            sqlite3_result_double(context, axis.values[position]);
        else
            sqlite3_result_text(context, axis.names[static_cast<std::size_t>(axis.values[position])].c_str(),
                                -1, SQLITE_TRANSIENT);
        return SQLITE_OK;
    }
    return guarded(&table, [&] {
        const auto& name = table.columns[place - table.axes.size()];
        const double value = valueAt(table, cursor, place - table.axes.size());
        if (std::isnan(value))
            sqlite3_result_null(context);
        else if (name == "feasible")
            sqlite3_result_int(context, value != 0.0 ? 1 : 0);
        else if (name != "bound")
            sqlite3_result_double(context, value);
        else if (value >= 0 && value < static_cast<double>(cursor.bounds.size()))
            sqlite3_result_text(context, cursor.bounds[static_cast<std::size_t>(value)].c_str(), -1,
                                SQLITE_TRANSIENT);
    });
}

int rowId(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
    const auto& cursor = *static_cast<const StudyCursor*>(base);
    *out = static_cast<sqlite3_int64>(cursor.chunks[cursor.chunk].first + cursor.row);
    return SQLITE_OK;
}

sqlite3_module studyModule() {
    sqlite3_module module{};
    module.iVersion = 1;
    module.xCreate = connect;
    module.xConnect = connect;
    module.xBestIndex = bestIndex;
    module.xDisconnect = disconnect;
    module.xDestroy = disconnect;
    module.xOpen = openCursor;
    module.xClose = closeCursor;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = atEnd;
    module.xColumn = column;
    module.xRowid = rowId;
    return module;
}

const sqlite3_module kStudyModule = studyModule();

constexpr std::size_t kMostStudies = 1'000'000;

/// Makes a table of every study of an open file; how many there are. What is there by that name is replaced.
int showStudies(sqlite3* database, const std::string& schema) {
    std::vector<std::pair<std::int64_t, std::string>> studies;
    {
        if (!isStore(database, schema))
            return 0; // of another program
        Query all(database, "SELECT id, view FROM " + quoted(schema, '"') + ".studies");
        while (all.step()) {
            studies.emplace_back(all.integer(0), all.text(1));
            if (studies.size() > kMostStudies)
                throw Failure{"the file has more studies than any store"};
        }
    }
    for (const auto& [id, view] : studies) {
        const auto table = "temp." + quoted(view, '"');
        const auto sql = "DROP TABLE IF EXISTS " + table + "; CREATE VIRTUAL TABLE " + table +
                         " USING heteroscape_study(" + schema + ", " + std::to_string(id) + ")";
        char* message = nullptr;
        if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
            const Failure failure{message ? message : "cannot make the table"};
            sqlite3_free(message);
            throw failure;
        }
    }
    return static_cast<int>(studies.size());
}

void showStudiesFunction(sqlite3_context* context, int argc, sqlite3_value** argv) {
    try {
        const auto* text = argc > 0 ? reinterpret_cast<const char*>(sqlite3_value_text(argv[0])) : "main";
        sqlite3_result_int(context, showStudies(sqlite3_context_db_handle(context), text ? text : "main"));
    } catch (const Failure& failure) {
        sqlite3_result_error(context, failure.message.c_str(), -1);
    } catch (const std::exception&) {
        sqlite3_result_error_nomem(context);
    }
}

} // namespace

extern "C" __attribute__((visibility("default"))) int
sqlite3_extension_init(sqlite3* database, char** message, const sqlite3_api_routines* api) {
    SQLITE_EXTENSION_INIT2(api)
    int code = sqlite3_create_module(database, "heteroscape_study", &kStudyModule, nullptr);
    for (const int arguments : {0, 1})
        if (code == SQLITE_OK)
            code = sqlite3_create_function(database, "heteroscape_studies", arguments,
                                           SQLITE_UTF8 | SQLITE_DIRECTONLY, nullptr, showStudiesFunction,
                                           nullptr, nullptr);
    if (code != SQLITE_OK)
        return code;
    try {
        showStudies(database, "main");
    } catch (const Failure& failure) {
        *message = sqlite3_mprintf("%s", failure.message.c_str());
        return SQLITE_ERROR;
    } catch (const std::exception&) {
        return SQLITE_NOMEM;
    }
    return SQLITE_OK;
}
