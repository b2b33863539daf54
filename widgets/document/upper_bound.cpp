// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/upper_bound.h"

#include "engine/scenario/runtime_choice.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/pill.h"
#include "widgets/theme/plain_text.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

struct UpperBoundWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::MetricsStrip)
};

} // namespace

bool isUpperBound(const engine::Scenario& scenario, engine::Metric metric) {
    const auto unit = engine::metricSpec(metric).unit;
    const bool hasTime = unit == "s" || unit.find("/s") != std::string_view::npos ||
                         unit.find("tok") != std::string_view::npos;
    return hasTime && engine::runsIdeal(scenario);
}

QString upperBoundText() {
    return UpperBoundWords::tr("Ideal: upper bound");
}

QString upperBoundTip() {
    return UpperBoundWords::tr("The runtime reaches every peak: real servers are slower, often by 2 to 7 "
                               "times. Its efficiencies are in the inspector.");
}

Pill* upperBoundPill(QWidget* parent) {
    auto* pill = new Pill(upperBoundText(), parent);
    pill->setToolTip(plainTip(upperBoundTip()));
    setTerm(pill, "ideal");
    pill->hide();
    return pill;
}

} // namespace heteroscape::widgets
