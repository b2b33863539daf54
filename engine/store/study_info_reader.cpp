// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_info_reader.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/store/schema.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

/// What a point takes in the file beside its values, with its key and its row: bytes, about.
constexpr std::size_t kPointOverhead = 60;

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
        Statement axes(m_database, "SELECT path, length FROM study_axes WHERE study = ? ORDER BY axis");
        axes.bind(1, m_info.id);
        std::size_t points = 1;
        while (axes.step()) {
            if (m_info.axes.size() == kMaxAxes)
                damaged("it has more than " + std::to_string(kMaxAxes) + " axes");
            Axis axis{std::string(axes.text(0)), {}};
            readValues(axis, size(axes.integer(1), 1, kMaxAxisValues, "length of " + axis.path));
            points *= axis.values.size();
            if (points > m_info.points)
                damaged("its axes make more points than it says");
            m_info.axes.push_back(std::move(axis));
        }
        if (m_info.axes.empty() || points != m_info.points)
            damaged("its axes do not make its " + std::to_string(m_info.points) + " points");
    }

    void readValues(Axis& axis, std::size_t length) {
        Statement values(m_database, "SELECT value, name FROM axis_values WHERE study = ? AND axis = ?"
                                     " ORDER BY position");
        values.bind(1, m_info.id).bind(2, static_cast<std::int64_t>(m_info.axes.size()));
        while (values.step()) {
            if (axis.values.size() == length || !std::isfinite(values.real(0)))
                damaged("the values of " + axis.path + " do not fit together");
            axis.values.push_back(values.real(0));
            if (const auto name = values.text(1); !name.empty())
                axis.names.emplace_back(name);
        }
        if (axis.values.size() != length || (axis.isChoice() && axis.names.size() != length))
            damaged("values of " + axis.path + " are missing");
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
        Statement kept(m_database, "SELECT path FROM study_figures WHERE study = ? ORDER BY place");
        kept.bind(1, m_info.id);
        while (kept.step())
            m_info.nodeMetrics.emplace_back(kept.text(0));
    }

    void readBytes() {
        // The bytes of the metrics of a point: eight each that is there. Points differ little in size within
        // a study: the first tells.
        std::string sql = "SELECT 8 * (0";
        for (const auto& spec : metricSpecs())
            sql += " + (p." + quotedName(spec.key) + " IS NOT NULL)";
        Statement first(m_database, sql + ") FROM study_rows r CROSS JOIN points p ON p.id = r.point"
                                          " WHERE r.study = ? LIMIT 1");
        if (first.bind(1, m_info.id).step())
            m_info.bytes = m_info.done * (static_cast<std::size_t>(first.integer(0)) + kPointOverhead);
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
