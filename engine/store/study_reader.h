// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/chunks.h"
#include "engine/store/sqlite.h"
#include "engine/store/store.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What the store says of a study; none when it has no such number. Everything is checked before it is used:
/// a valid SQLite file may hold any nonsense. Throws Error (InvalidInput) naming the file, the study and what
/// does not fit together.
std::optional<StudyInfo> readStudyInfo(Database& database, std::int64_t id);

/// The studies, oldest first. One that is damaged is left aside and told in `leftAside`; where nobody takes
/// that, it throws.
std::vector<StudyInfo> readStudyInfos(Database& database, std::vector<std::string>* leftAside);

/// The stored points of a study within a range of ordinals, as columns: see Store::read(). A column without
/// any value stays empty, so that a study of a million points takes the memory of what it really has.
StudyTable readStudyTable(Database& database, const StudyInfo& info, const std::vector<std::string>& metrics,
                          PointRange range);

/// Copies one study with its points out of `source` into a new store at `path`: see Store::exportStudy().
void copyStudy(Database& source, const StudyInfo& info, const std::string& path);

/// Points of studies, one at a time, by columns: for studies that take over what others have. A few chunks
/// are kept unpacked.
class LentPoints {
public:
    LentPoints(Database& database, ColumnNames& names) : m_database(database), m_names(names) {}

    /// The values of a point at `columns`, and its number of a bound. False when it is not whole.
    bool at(const StoredPlace& place, const std::vector<std::string>& columns, std::span<double> values,
            double& bound);
    void forget(std::int64_t study); ///< what was read of it: something was written since

private:
    struct Part {
        std::int64_t study = 0;
        PointRange range;
        bool whole = false;
        std::vector<std::vector<double>> values; ///< of m_columns, then of the bound
    };

    Database& m_database;
    ColumnNames& m_names;
    std::vector<std::string> m_columns;
    std::map<std::int64_t, std::vector<Chunk>> m_chunks; ///< of a study
    std::deque<Part> m_parts;                            ///< the newest first

    const Part& part(const StoredPlace& place);
    Part read(const StoredPlace& place);
};

/// Studies of the store that have points of `study`: of its family, with equal values on some of its axes.
std::vector<Lender> findLenders(Database& database, const Study& study);

} // namespace heteroscape::engine
