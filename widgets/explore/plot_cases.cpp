// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_cases.h"

#include "widgets/explore/plot_words.h"

#include <algorithm>

namespace heteroscape::widgets {

std::vector<std::string> caseAxes(const engine::SeriesQuery& query) {
    std::vector<std::string> axes;
    if (!query.cases.empty())
        for (const auto& [path, value] : query.cases.front().at)
            axes.push_back(path);
    return axes;
}

std::vector<engine::SeriesCase> everyCase(const LoadedStudy& study, const std::vector<std::string>& axes) {
    std::size_t count = axes.empty() ? 0 : 1;
    for (const auto& path : axes)
        count *= study.axis(path)->values.size();
    std::vector<engine::SeriesCase> cases;
    if (count == 0 || count > kMostCases)
        return cases;
    cases.push_back({});
    for (const auto& path : axes) {
        const auto& column = *study.table.find(path);
        std::vector<engine::SeriesCase> longer;
        for (const auto& begun : cases)
            for (const double value : study.axis(path)->values) {
                auto one = begun;
                one.name += (begun.name.empty() ? "" : ", ") + curveName(study, column, value).toStdString();
                one.at.emplace_back(path, value);
                longer.push_back(std::move(one));
            }
        cases = std::move(longer);
    }
    return cases;
}

bool samePlace(const engine::SeriesCase& a, const engine::SeriesCase& b) {
    return std::is_permutation(a.at.begin(), a.at.end(), b.at.begin(), b.at.end());
}

} // namespace heteroscape::widgets
