// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_info_reader.h"

#include "engine/base/error.h"
#include "engine/store/study_shape.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

class InfoReader {
public:
    InfoReader(Database& database, std::int64_t id) : m_database(database) { m_info.id = id; }

    std::optional<StudyInfo> read() {
        Statement row(m_database, "SELECT name, view, created, points, done FROM studies WHERE id = ?");
        if (!row.bind(1, m_info.id).step())
            return std::nullopt;
        m_info.name = row.text(0);
        m_info.view = row.text(1);
        m_info.created = row.text(2);
        m_info.points = size(row.integer(3), 1, kMaxStudyPoints, "number of points");
        m_info.done = size(row.integer(4), 0, m_info.points, "number of stored points");
        row.reset();
        readAxes();
        readLimits();
        readNodeMetrics();
        readBytes();
        return std::move(m_info);
    }

private:
    Database& m_database;
    StudyInfo m_info;

    [[noreturn]] void damaged(const std::string& what) const {
        m_database.damaged("study " + std::to_string(m_info.id) + ": " + what);
    }

    std::size_t size(std::int64_t value, std::size_t least, std::size_t most, const std::string& what) const {
        if (value < 0 || static_cast<std::uint64_t>(value) < least ||
            static_cast<std::uint64_t>(value) > most)
            damaged("its " + what + " is " + std::to_string(value));
        return static_cast<std::size_t>(value);
    }

    void readAxes() {
        auto axes = heteroscape::engine::readAxes(m_database, m_info.id, m_info.points);
        m_info.isList = isListOf(axes, m_info.points);
        for (auto& stored : axes)
            m_info.axes.push_back(std::move(stored.axis));
    }

    void readLimits() {
        Statement limits(m_database,
                         "SELECT \"column\", least, most FROM study_limits WHERE study = ? ORDER BY place");
        limits.bind(1, m_info.id);
        while (limits.step()) {
            Limit limit{std::string(limits.text(0))};
            if (const double least = limits.real(1); !std::isnan(least))
                limit.least = least;
            if (const double most = limits.real(2); !std::isnan(most))
                limit.most = most;
            m_info.limits.push_back(std::move(limit));
        }
    }

    void readNodeMetrics() {
        Statement kept(m_database, "SELECT path FROM node_metrics WHERE study = ? ORDER BY place");
        kept.bind(1, m_info.id);
        while (kept.step())
            m_info.nodeMetrics.emplace_back(kept.text(0));
    }

    void readBytes() {
        // Blocks differ little in size within a study: the first chunk tells.
        Statement first(m_database,
                        "SELECT count, (SELECT sum(length(data)) FROM blocks WHERE chunk = chunks.id)"
                        " FROM chunks WHERE study = ? ORDER BY first LIMIT 1");
        if (!first.bind(1, m_info.id).step() || first.integer(0) < 1 || first.integer(1) < 0)
            return;
        m_info.bytes = static_cast<std::size_t>(static_cast<double>(m_info.done) *
                                                static_cast<double>(first.integer(1)) /
                                                static_cast<double>(first.integer(0)));
    }
};

} // namespace

std::optional<StudyInfo> readStudyInfo(Database& database, std::int64_t id) {
    return InfoReader(database, id).read();
}

std::vector<StudyInfo> readStudyInfos(Database& database, std::vector<std::string>* leftAside) {
    std::vector<std::int64_t> ids;
    Statement all(database, "SELECT id FROM studies ORDER BY id");
    while (all.step())
        ids.push_back(all.integer(0));
    std::vector<StudyInfo> found;
    for (const auto id : ids) {
        try {
            if (auto info = readStudyInfo(database, id))
                found.push_back(std::move(*info));
        } catch (const Error& error) {
            if (!leftAside || error.code() != ErrorCode::InvalidInput)
                throw;
            leftAside->emplace_back(error.what());
        }
    }
    return found;
}

} // namespace heteroscape::engine
