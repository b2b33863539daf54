// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_view.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

class FrontierWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FrontierPage)
public:
    struct Axis {
        const char* label;
        const char* unit;
        const char* name;
    };
    static constexpr std::array<Axis, 5> kAxes{{
        // in the order of FrontierAxis
        {QT_TR_NOOP("Throughput per device"), "tok/s", QT_TR_NOOP("per device")},
        {QT_TR_NOOP("Throughput per price"), "tok/s/$", QT_TR_NOOP("per $")},
        {QT_TR_NOOP("Throughput per power"), "tok/s/W", QT_TR_NOOP("per W")},
        {QT_TR_NOOP("Prompt and output per device"), "tok/s", QT_TR_NOOP("prompts too, per device")},
        {QT_TR_NOOP("Throughput of the budget"), "tok/s", QT_TR_NOOP("all that the budget buys")},
    }};
};

constexpr std::size_t kFrontierHues = 8;

} // namespace

std::shared_ptr<const FrontierView> frontierView(std::shared_ptr<const FrontierRun> run,
                                                 const FrontierChoice& choice) {
    auto view = std::make_shared<FrontierView>();
    const auto& systems = run->definition.systems;
    const auto& points = run->points;
    view->choice = choice;
    view->fronts.resize(systems.size());
    view->whys.resize(systems.size());
    view->sizes.resize(systems.size());
    view->onFront.resize(points.size());
    for (std::size_t i = 0; i < systems.size(); ++i) {
        if (choice.off.contains(systems[i].name))
            continue;
        view->fronts[i] = engine::frontierFront(points, i, choice.axis, choice.limits);
        for (const auto point : view->fronts[i]) {
            view->onFront[point] = true;
            view->rows.push_back(point);
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& point = points[i];
        ++view->sizes[point.system];
        const bool off = choice.off.contains(systems[point.system].name);
        if (!point.answered()) {
            if (!point.isPending() && view->whys[point.system].empty())
                view->whys[point.system] = point.why;
            view->without += off || point.isPending() ? 0 : 1;
            continue;
        }
        if (off || !std::isfinite(choice.up(point)))
            continue;
        view->beyond += choice.limits.hold(point) ? 0 : 1;
        if (choice.others || view->onFront[i])
            view->placed.push_back(i);
    }
    std::stable_sort(view->rows.begin(), view->rows.end(), [&](std::size_t one, std::size_t other) {
        return choice.up(points[one]) > choice.up(points[other]);
    });
    view->run = std::move(run);
    return view;
}

FrontierLook frontierLook(std::size_t system) {
    constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                                  ChartMarker::Triangle};
    constexpr std::array kDashes{ChartDash::Solid, ChartDash::Dashed, ChartDash::Dotted,
                                 ChartDash::DashDotted};
    return {ChartColor::series(static_cast<int>(system % kFrontierHues)), kMarkers[system % kMarkers.size()],
            kDashes[system % kDashes.size()]};
}

QString frontierAxisLabel(engine::FrontierAxis axis) {
    const auto& words = FrontierWords::kAxes[static_cast<std::size_t>(axis)];
    return quantityLabel(FrontierWords::tr(words.label), QString::fromUtf8(words.unit));
}

QString frontierAxisName(engine::FrontierAxis axis) {
    return FrontierWords::tr(FrontierWords::kAxes[static_cast<std::size_t>(axis)].name);
}

QString frontierPointWords(const engine::FrontierPoint& point) {
    QStringList words;
    if (!point.server.empty())
        words << QString::fromStdString(point.server) << QString::fromStdString(point.precision).toUpper();
    if (!point.layout.empty())
        words << QString::fromStdString(point.layout);
    words << FrontierWords::tr("%1 users").arg(QString::fromStdString(engine::exactText(point.users)));
    return words.join(QStringLiteral(", "));
}

} // namespace heteroscape::widgets
