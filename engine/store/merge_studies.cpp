// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/merge_studies.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/store/column_block.h"

#include <algorithm>
#include <filesystem>

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

} // namespace heteroscape::engine
