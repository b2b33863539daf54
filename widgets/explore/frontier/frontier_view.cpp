// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_view.h"

#include "engine/evaluation/evaluation.h"
#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"

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

/// What is put away changes no unit: neither do limits and axes.
template <class Value>
engine::ShownUnit timeUnit(const std::vector<engine::FrontierPoint>& points, engine::Metric metric,
                           const Value& of) {
    const auto& spec = engine::metricSpec(metric);
    double decisive = engine::kUnset;
    for (const auto& point : points)
        if (point.answered())
            decisive = decidesUnit(spec.key, decisive, of(point));
    return engine::shownUnit(spec.unit, std::isnan(decisive) ? 0 : decisive);
}

} // namespace

std::shared_ptr<const FrontierView> frontierView(std::shared_ptr<const FrontierRun> run,
                                                 const FrontierChoice& choice,
                                                 std::shared_ptr<const FrontierDetails> details) {
    auto view = std::make_shared<FrontierView>();
    const auto& systems = run->definition.systems;
    const auto& points = run->points;
    view->choice = choice;
    view->details = std::move(details);
    view->fronts.resize(systems.size());
    view->whys.resize(systems.size());
    view->sizes.resize(systems.size());
    view->onFront.resize(points.size());
    view->firstToken = timeUnit(points, engine::Metric::TimeToFirstToken,
                                [](const auto& point) { return point.ttftMedian; });
    view->perToken = timeUnit(points, engine::Metric::TimePerToken,
                              [](const auto& point) { return 1 / point.rates.perUser; });
    for (std::size_t i = 0; i < systems.size(); ++i) {
        if (choice.isOff(systems[i]))
            continue;
        const auto& shown = choice.shown;
        view->fronts[i] = engine::frontierFront(points, i, shown.axis, shown.limits, shown.along);
        for (const auto point : view->fronts[i]) {
            view->onFront[point] = true;
            view->rows.push_back(point);
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& point = points[i];
        ++view->sizes[point.system];
        const bool off = choice.isOff(systems[point.system]);
        if (!point.answered()) {
            if (!point.isPending() && view->whys[point.system].empty())
                view->whys[point.system] = point.why;
            view->without += off || point.isPending() ? 0 : 1;
            continue;
        }
        if (off || !std::isfinite(choice.up(point)) || !std::isfinite(choice.along(point)))
            continue;
        view->beyond += choice.shown.limits.hold(point) ? 0 : 1;
        if (choice.drawn.others || view->onFront[i])
            view->placed.push_back(i);
    }
    std::stable_sort(view->rows.begin(), view->rows.end(), [&](std::size_t one, std::size_t other) {
        return choice.up(points[one]) > choice.up(points[other]);
    });
    view->run = std::move(run);
    for (const auto place : view->rows)
        if (const auto* known = view->detail(place); known && !known->bottleneck.empty())
            view->truths.add(known->truth);
    return view;
}

double FrontierView::rateError(std::size_t i) const {
    const auto* known = detail(i);
    return known ? known->rate.percent : std::nan("");
}

double FrontierView::frontError(std::size_t system) const {
    std::vector<double> errors;
    for (const auto place : fronts[system])
        if (const double error = rateError(place); std::isfinite(error))
            errors.push_back(error);
    if (errors.empty())
        return std::nan("");
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::nth_element(errors.begin(), middle, errors.end());
    return *middle;
}

bool FrontierView::isIdealSystem(std::size_t system) const {
    return std::any_of(fronts[system].begin(), fronts[system].end(),
                       [this](std::size_t place) { return isIdeal(place); });
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

QString frontierAlongLabel(engine::FrontierAlong along) {
    switch (along) {
    case engine::FrontierAlong::Speed:
        return quantityLabel(FrontierWords::tr("Speed for one user"), QStringLiteral("tok/s"));
    case engine::FrontierAlong::FirstToken:
        return quantityLabel(FrontierWords::tr("Time to first token"), QStringLiteral("s"));
    case engine::FrontierAlong::Price:
        return quantityLabel(FrontierWords::tr("Price of one replica"), QStringLiteral("$"));
    }
    return {};
}

QString frontierErrorText(double percent) {
    return std::isfinite(percent)
               ? FrontierWords::tr("\u00b1%1\u202f%").arg(std::max(1.0, std::round(percent)), 0, 'f', 0)
               : QString();
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
