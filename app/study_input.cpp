// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_input.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/metric.h"
#include "engine/study/point_list.h"

#include <algorithm>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

Study studyOf(Shared<Scenario> base, const Catalog& catalog, const std::vector<std::string>& axes,
              const std::string& points) {
    Study study;
    study.base = std::move(base);
    study.name = study.base->name;
    if (axes.empty() && points.empty())
        throwInvalid("--axis", "missing",
                     "Give at least one axis, a file of points, or the id of a study (list studies)");
    if (!points.empty()) {
        InputFile file(points);
        readPoints(study, catalog, file, points);
    }
    if (!axes.empty())
        readAxes(study, catalog, axes);
    return study;
}

void takeMetrics(const std::vector<std::string>& metrics, Study& study) {
    for (const auto& metric : metrics) {
        if (findMetric(metric))
            continue;
        if (!metric.starts_with("nodes.")) {
            std::vector<std::string_view> keys;
            for (const auto& spec : metricSpecs())
                keys.push_back(spec.key);
            throw Error(ErrorCode::NotFound, "--metric " + metric.substr(0, 200), "no such metric",
                        "Allowed: " + joined(keys) + "; or one of a node, such as nodes.gpu.decode_ms");
        }
        if (!sweepsSystems(study.axes)) // else nodes differ from point to point
            PointColumn(study, metric); // throws, saying what there is
        if (std::find(study.nodeMetrics.begin(), study.nodeMetrics.end(), metric) == study.nodeMetrics.end())
            study.nodeMetrics.push_back(metric);
    }
}

SearchProblem searchProblemOf(Shared<Scenario> base, const Catalog& catalog, const SearchWishes& wishes) {
    if (wishes.axes.empty())
        throwInvalid("--axis", "missing",
                     "Give at least one variable: --axis path=a,b,c or path=from:to:step");
    SearchProblem problem;
    problem.study = studyOf(std::move(base), catalog, wishes.axes);
    for (const auto& limit : wishes.limits)
        problem.study.limits.push_back(parseSearchLimit(limit));
    for (const auto& metric : wishes.most)
        problem.goals.push_back({metric, 1});
    for (const auto& metric : wishes.least)
        problem.goals.push_back({metric, -1});
    problem.best = wishes.best;
    checkProblem(problem);
    return problem;
}

} // namespace heteroscape::cli
