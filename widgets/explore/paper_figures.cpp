// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/paper_figures.h"

#include "engine/base/error.h"
#include "engine/scenario/scenario_key.h"

namespace heteroscape::widgets {

QStringList PaperFigures::read(const engine::Catalog& catalog) {
    QStringList problems;
    std::vector<std::string> ids;
    const auto attempt = [&problems](const auto& work) {
        try {
            work();
        } catch (const engine::Error& error) {
            problems << QString::fromUtf8(error.what());
        }
    };
    attempt([&] { ids = engine::listStudies(catalog); });
    for (const auto& id : ids) // one that cannot be read does not hide the others
        attempt([&] { m_all.push_back(engine::loadStudy(catalog, id, "study")); });
    return problems;
}

const engine::FigureStudy* PaperFigures::of(const engine::Study& study) const {
    const auto key = engine::scenarioKey(study.base);
    for (const auto& figure : m_all)
        if (figure.study.axes == study.axes && engine::scenarioKey(figure.study.base) == key)
            return &figure;
    return nullptr;
}

std::vector<std::string> PaperFigures::metricsOf(const std::vector<engine::Axis>& axes) const {
    std::vector<std::string> metrics;
    for (const auto& figure : m_all)
        if (figure.study.axes == axes)
            for (const auto& plot : figure.plots)
                for (const auto* some : {&plot.metrics, &plot.rightMetrics})
                    metrics.insert(metrics.end(), some->begin(), some->end());
    return metrics;
}

} // namespace heteroscape::widgets
