// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_reader.h"

#include "engine/base/error.h"
#include "engine/store/study_shape.h"
#include "engine/version.h"

#include <algorithm>
#include <map>
#include <optional>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostParts = 8; // some MB each

/// By value on a number, by what it stands for on a choice: the position on the lender's axis.
std::vector<std::size_t> positionsOn(const StoredAxis& lender, const StoredAxis& axis) {
    std::vector<std::size_t> found(axis.axis.values.size(), Lender::kNone);
    if (axis.axis.isChoice()) {
        std::map<std::string, std::size_t> places;
        for (std::size_t i = 0; i * kPrintBytes < lender.prints.size(); ++i)
            places.emplace(lender.prints.substr(i * kPrintBytes, kPrintBytes), i);
        for (std::size_t i = 0; i * kPrintBytes < axis.prints.size(); ++i)
            if (const auto at = places.find(axis.prints.substr(i * kPrintBytes, kPrintBytes));
                at != places.end())
                found[i] = at->second;
        return found;
    }
    std::map<double, std::size_t> places;
    for (std::size_t i = 0; i < lender.axis.values.size(); ++i)
        places.emplace(lender.axis.values[i], i);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (const auto at = places.find(axis.axis.values[i]); at != places.end())
            found[i] = at->second;
    return found;
}

/// None when the axes differ, or no point is in both.
std::optional<Lender> lenderOf(std::int64_t id, const std::vector<StoredAxis>& theirs,
                               const std::vector<StoredAxis>& ours) {
    if (theirs.size() != ours.size())
        return std::nullopt;
    Lender lender{id, {}, {}};
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (theirs[i].axis.path != ours[i].axis.path || theirs[i].axis.isChoice() != ours[i].axis.isChoice())
            return std::nullopt; // in another order they would be read in small pieces
        lender.lengths.push_back(theirs[i].axis.values.size());
        lender.positions.push_back(positionsOn(theirs[i], ours[i]));
        const auto& positions = lender.positions.back();
        if (std::all_of(positions.begin(), positions.end(), [](auto at) { return at == Lender::kNone; }))
            return std::nullopt;
    }
    return lender;
}

} // namespace

std::size_t Lender::ordinal(std::span<const std::size_t> at) const {
    std::size_t there = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto position = positions[i][at[i]];
        if (position == kNone)
            return kNone;
        there = there * lengths[i] + position;
    }
    return there;
}

LentPoints::Part LentPoints::read(const StoredPlace& place) {
    std::vector<std::string> damage;
    const auto points = static_cast<std::size_t>(std::max<std::int64_t>(
        m_database.number("SELECT points FROM studies WHERE id = " + std::to_string(place.study)), 0));
    ChunkReader reader(m_database, m_names, place.study, points);
    auto known = m_chunks.find(place.study);
    if (known == m_chunks.end())
        known = m_chunks.emplace(place.study, reader.chunks({0, points}, damage)).first;
    const auto& chunks = known->second;
    const auto after = std::upper_bound(chunks.begin(), chunks.end(), place.ordinal,
                                        [](std::size_t at, const Chunk& chunk) { return at < chunk.first; });
    if (after == chunks.begin() || place.ordinal >= std::prev(after)->end()) {
        const auto begin = after == chunks.begin() ? 0 : std::prev(after)->end();
        return {place.study, {begin, after == chunks.end() ? points : after->first}, false, {}};
    }
    const auto& chunk = *std::prev(after);
    Part part{place.study, {chunk.first, chunk.end()}, true, {}};
    part.whole = m_names.knowsAll(chunk.known, wholeColumns()) && reader.has(chunk, kFeasibleColumn) &&
                 reader.has(chunk, kBoundColumn);
    for (const auto& column : m_columns) {
        const auto& names = m_names.known(chunk.known);
        part.whole = part.whole && std::binary_search(names.begin(), names.end(), column);
    }
    for (std::size_t i = 0; i <= m_columns.size() && part.whole; ++i) {
        part.values.emplace_back(chunk.count);
        part.whole = reader.read(chunk, i < m_columns.size() ? m_columns[i] : kBoundColumn,
                                 part.values.back(), damage);
    }
    return part;
}

const LentPoints::Part& LentPoints::part(const StoredPlace& place) {
    const auto holds = [&](const Part& part) {
        return part.study == place.study && place.ordinal >= part.range.begin &&
               place.ordinal < part.range.end;
    };
    const auto at = std::find_if(m_parts.begin(), m_parts.end(), holds);
    if (at != m_parts.end())
        return *at;
    m_parts.push_front(read(place));
    if (m_parts.size() > kMostParts)
        m_parts.pop_back();
    return m_parts.front();
}

bool LentPoints::at(const StoredPlace& place, const std::vector<std::string>& columns,
                    std::span<double> values, double& bound) {
    if (columns != m_columns) {
        m_parts.clear();
        m_columns = columns;
    }
    const auto& there = part(place);
    if (!there.whole)
        return false;
    const auto row = place.ordinal - there.range.begin;
    for (std::size_t i = 0; i < columns.size(); ++i)
        values[i] = there.values[i][row];
    bound = there.values.back()[row];
    return true;
}

void LentPoints::forget(std::int64_t study) {
    std::erase_if(m_parts, [&](const Part& part) { return part.study == study; });
    m_chunks.erase(study);
}

std::vector<Lender> findLenders(Database& database, const Study& study) {
    std::vector<Lender> found;
    if (study.isList)
        return found;
    const auto family = familyOf(study);
    const auto fingerprint = fingerprintOf(study);
    const auto axes = storedAxes(study);
    Statement others(database, "SELECT id, points FROM studies WHERE family = ? AND fingerprint != ?"
                               " AND equations = ? AND done > 0 ORDER BY done DESC, id");
    others.bindBlob(1, family).bindBlob(2, fingerprint).bind(3, kEquationsVersion);
    while (others.step()) {
        try {
            const auto theirs =
                readAxes(database, others.integer(0), static_cast<std::size_t>(others.integer(1)));
            if (auto lender = lenderOf(others.integer(0), theirs, axes))
                found.push_back(std::move(*lender));
        } catch (const Error& error) { // a damaged one lends nothing
            if (error.code() != ErrorCode::InvalidInput)
                throw;
        }
    }
    return found;
}

} // namespace heteroscape::engine
