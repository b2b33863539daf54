// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/wide_table.h"

#include "engine/base/error.h"
#include "engine/store/schema.h"
#include "engine/store/study_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPointsAtOnce = 65536;

} // namespace

void writeWideTable(Database& source, const StudyInfo& info, Database& target, PointTruths* truths) {
    const auto columns = readStudyTable(source, info, {}, {0, 0}).columns;
    std::string create, places;
    for (const auto& column : columns) {
        create += quotedName(column.name) + (column.isChoice()                ? " TEXT, "
                                             : column.name == kFeasibleColumn ? " INTEGER, "
                                                                              : " REAL, ");
        places += "?, ";
    }
    const std::string truth(truths ? kTruthColumn : std::string_view());
    target.execute(
        "CREATE TABLE " + quotedName(info.view) + "(" + create +
        (truths ? quotedName(truth) + " TEXT, " : "") +
        "\"bound\" TEXT);"
        "CREATE TABLE IF NOT EXISTS study_columns(study_table TEXT, name TEXT, label TEXT, unit TEXT)");
    Statement about(target, "INSERT INTO study_columns VALUES(?, ?, ?, ?)");
    for (const auto& column : columns)
        about.bind(1, std::string_view(info.view))
            .bind(2, std::string_view(column.name))
            .bind(3, std::string_view(column.label))
            .bind(4, std::string_view(column.unit))
            .run();
    if (truths)
        about.bind(1, std::string_view(info.view))
            .bind(2, std::string_view(truth))
            .bind(3, std::string_view("Rests on"))
            .bind(4, std::string_view())
            .run();
    Statement add(target,
                  "INSERT INTO " + quotedName(info.view) + " VALUES(" + places + (truths ? "?, ?)" : "?)"));
    for (std::size_t at = 0; at < info.points; at += kPointsAtOnce) {
        const auto table = readStudyTable(source, info, {}, {at, std::min(at + kPointsAtOnce, info.points)});
        if (!table.damage.empty())
            throwInvalid(source.path(), table.damage.front(),
                         "Run the study again: what is damaged is computed anew, then export it");
        std::vector<const StudyColumn*> read;
        for (const auto& column : columns)
            read.push_back(table.find(column.name));
        for (std::size_t row = 0; row < table.rows(); ++row) {
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const auto place = static_cast<int>(i) + 1;
                if (columns[i].isChoice())
                    add.bind(place, std::string_view(
                                        columns[i].names.at(static_cast<std::size_t>(read[i]->at(row)))));
                else if (columns[i].name == kFeasibleColumn)
                    add.bind(place, static_cast<std::int64_t>(read[i]->at(row)));
                else
                    add.bind(place, read[i]->at(row));
            }
            auto last = static_cast<int>(columns.size());
            if (truths)
                add.bind(++last, truthName(truths->at(table.ordinal(row))));
            add.bind(++last, std::string_view(table.bound(row))).run();
        }
    }
}

void writeTables(Database& source, const std::vector<ToldStudy>& studies, const std::string& path) {
    NewFile file(path);
    {
        Database target(file.part());
        Transaction transaction(target);
        for (const auto& study : studies)
            writeWideTable(source, study.info, target, study.truths.get());
        transaction.commit();
    }
    file.finish();
}

namespace {

constexpr std::string_view kPart = ".part-";
constexpr std::size_t kPartLetters = 6;

/// Holds a folder until the descriptor is closed or the program ends; -1: somebody else does.
int lockFolder(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0)
        ::close(file);
    return -1;
}

/// Whether a folder is one of ours: by its name and by what lies in it.
bool isPart(const fs::path& folder) {
    const auto name = folder.filename().string();
    if (name.size() <= kPart.size() + kPartLetters ||
        name.compare(name.size() - kPart.size() - kPartLetters, kPart.size(), kPart) != 0)
        return false;
    std::error_code failure;
    if (!fs::is_directory(fs::symlink_status(folder, failure)))
        return false;
    if (fs::is_empty(folder, failure)) // it may be being made: it is locked before anything lies in it
        return false;
    for (const auto& entry : fs::directory_iterator(folder, failure))
        if (!entry.path().filename().string().starts_with(NewFile::kName))
            return false;
    return !failure;
}

/// Removes what programs left in a folder that were killed.
void sweepParts(const fs::path& folder) {
    std::error_code failure;
    std::vector<fs::path> left;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (isPart(entry->path()))
            left.push_back(entry->path());
    for (const auto& part : left)
        if (const int lock = lockFolder(part); lock >= 0) {
            fs::remove_all(part, failure);
            ::close(lock);
        }
}

} // namespace

NewFile::NewFile(std::string path) : m_path(std::move(path)) {
    std::error_code failure;
    if (fs::exists(fs::symlink_status(m_path, failure))) // a link that leads nowhere, too
        throw Error(ErrorCode::InvalidInput, m_path, "the file is there already",
                    "It was left as it is: give another name, or remove it first");
    sweepParts(fs::absolute(m_path).parent_path());
    m_folder = m_path + std::string(kPart) + "XXXXXX";
    if (!::mkdtemp(m_folder.data()))
        throw Error(ErrorCode::Io, m_path, std::string("cannot be written: ") + std::strerror(errno),
                    "Check that the folder is there and that you may write to it");
    m_lock = lockFolder(m_folder);
}

NewFile::~NewFile() {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

void NewFile::finish() {
    std::error_code failure;
    fs::rename(part(), m_path, failure);
    if (failure)
        throw Error(ErrorCode::Io, m_path, "cannot be written: " + failure.message(),
                    "Check that you may write there");
}

} // namespace heteroscape::engine
