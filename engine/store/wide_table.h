// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"
#include "engine/study/study_table.h"
#include "engine/study/truths.h"

#include <memory>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A study as a plain table of SQL, named StudyInfo::view, a row a stored point in ordinal order: a column an
/// axis by its path (of choices the name), feasible, a column a metric by its key, those of
/// nodes by their path, what it rests on where that is told, bound. And rows in "study_columns" (study_table,
/// name, label, unit) that say what they are. In a transaction of `target`. Read from `source` some points at
/// a time.
void writeWideTable(Database& source, const StudyInfo& info, Database& target, PointTruths* truths = nullptr);

/// Studies as tables in a new SQLite file of its own. Throws Error: when the file is there, when it cannot be
/// written, and naming the blocks when some are damaged.
struct ToldStudy {
    StudyInfo info;
    std::unique_ptr<PointTruths> truths; ///< null: not told
};
void writeTables(Database& source, const std::vector<ToldStudy>& studies, const std::string& path);

/// A new SQLite file, made beside `path` in a place of its own and moved there when it is whole. Places that
/// a program left there when it was killed are swept away.
class NewFile {
public:
    explicit NewFile(std::string path); ///< throws Error when it is there, or the folder cannot be written
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    static constexpr const char* kName = "study.sqlite";
    std::string part() const { return m_folder + "/" + kName; }
    void finish();

private:
    std::string m_path;
    std::string m_folder;
    int m_lock = -1; ///< of the folder: whoever holds it is alive
};

} // namespace heteroscape::engine
