// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_lines.h"

#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

class FrontierLineWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FrontierPage)
};

using Kind = FrontierLine::Kind;
using engine::FrontierAlong;

bool isOfToken(Kind kind) {
    return kind == Kind::Token || kind == Kind::Goal;
}

/// Where it lies along; tok/s for a time per token.
double placeOf(const FrontierLine& line) {
    return isOfToken(line.kind) ? 1e3 / line.value : line.value;
}

QString frontierLineWords(const FrontierLine& line) {
    const auto number = QString::fromStdString(engine::shortText(line.value, 3));
    switch (line.kind) {
    case Kind::Token:
        return FrontierLineWords::tr("limit: %1 a token").arg(withUnit(number, QStringLiteral("ms")));
    case Kind::Goal:
        return FrontierLineWords::tr("goal: %1 a token").arg(withUnit(number, QStringLiteral("ms")));
    case Kind::FirstToken: {
        const auto time = metricText(engine::metricSpec(engine::Metric::TimeToFirstToken), line.value);
        return FrontierLineWords::tr("limit: first token in %1").arg(withUnit(time.value, time.unit));
    }
    case Kind::Price:
        return FrontierLineWords::tr("limit: $%1").arg(QString::fromStdString(engine::plainText(line.value)));
    }
    return {};
}

} // namespace

std::vector<FrontierLine> frontierLines(const engine::FrontierShown& shown) {
    std::vector<FrontierLine> lines;
    const auto add = [&](FrontierAlong along, Kind kind, double value) {
        if (shown.along == along && value > 0)
            lines.push_back({kind, value});
    };
    add(FrontierAlong::Speed, Kind::Token, 1e3 * shown.limits.timePerToken);
    add(FrontierAlong::Speed, Kind::Goal, 1e3 * shown.goal);
    add(FrontierAlong::FirstToken, Kind::FirstToken, shown.limits.ttft);
    add(FrontierAlong::Price, Kind::Price, shown.limits.price);
    return lines;
}

std::vector<ChartReference> frontierReferences(const engine::FrontierShown& shown) {
    std::vector<ChartReference> references;
    for (const auto& line : frontierLines(shown)) {
        const bool isGoal = line.kind == Kind::Goal;
        ChartReference reference;
        reference.label = frontierLineWords(line);
        reference.at = placeOf(line);
        reference.color = ChartColor::role(isGoal ? ColorRole::Muted : ColorRole::Error);
        reference.dash = isGoal ? ChartDash::Dashed : ChartDash::Solid;
        reference.vertical = reference.pill = reference.movable = true;
        reference.outside = isGoal ? 0 : line.kind == Kind::Token ? -1 : 1;
        references.push_back(std::move(reference));
    }
    return references;
}

double frontierLineValue(Kind kind, double at) {
    const double value = isOfToken(kind) ? 1e3 / at : at;
    return engine::parseNumber(engine::shortText(value, 3)).value_or(value);
}

void setFrontierLine(engine::FrontierShown& shown, const FrontierLine& line) {
    switch (line.kind) {
    case Kind::Token:
        shown.limits.timePerToken = line.value / 1e3;
        break;
    case Kind::Goal:
        shown.goal = line.value / 1e3;
        break;
    case Kind::FirstToken:
        shown.limits.ttft = line.value;
        break;
    case Kind::Price:
        shown.limits.price = line.value;
        break;
    }
}

} // namespace heteroscape::widgets
