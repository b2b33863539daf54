// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/found_search.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/search/search_result.h"
#include "engine/units/number_text.h"
#include "engine/units/shown_unit.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/metric_text.h"
#include "widgets/plots/chart.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace heteroscape::widgets {

namespace {

struct FoundWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FindPage)
};

constexpr std::size_t kMostGroups = 8; // that are told apart by hue

bool isAxisOf(const engine::SearchProblem& problem, const std::string& column) {
    for (const auto& axis : problem.study.axes)
        if (axis.path == column)
            return true;
    return false;
}

QString sentenceStart(const QString& text) {
    return text.size() > 1 && text[1].isLower() ? text.left(1).toLower() + text.mid(1) : text;
}

} // namespace

std::size_t FoundSearch::positionOf(std::uint64_t ordinal, std::size_t axis) const {
    const auto& axes = problem().study.axes;
    for (auto i = axes.size(); --i > axis;)
        ordinal /= axes[i].values.size();
    return ordinal % axes[axis].values.size();
}

QString FoundSearch::valueText(std::size_t axis, std::size_t position) const {
    const auto& of = problem().study.axes[axis];
    if (of.isChoice())
        return choiceName(*catalog, of.path, of.names[position]);
    return columnValue(problem().study.base, of.path, of.values[position]);
}

QString FoundSearch::axisName(std::size_t axis) const {
    return columnWords(problem().study.base, problem().study.axes[axis].path).label;
}

QString FoundSearch::nameOf(std::uint64_t ordinal) const {
    QStringList words;
    for (std::size_t i = 0; i < problem().study.axes.size(); ++i) {
        const auto value = valueText(i, positionOf(ordinal, i));
        words << (problem().study.axes[i].isChoice() ? value : axisName(i) + u' ' + value);
    }
    return words.join(QStringLiteral(", "));
}

engine::Scenario FoundSearch::designAt(std::uint64_t ordinal) const {
    engine::PointSetter setter(problem().study);
    auto design = setter.at(ordinal);
    design.searches.clear();
    return design;
}

std::optional<std::size_t> FoundSearch::groupAxis() const {
    const auto& axes = problem().study.axes;
    std::optional<std::size_t> fewest;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].isChoice() && axes[i].values.size() > 1)
            return i;
        const auto length = axes[i].values.size();
        if (length > 1 && length <= kMostGroups && (!fewest || length < axes[*fewest].values.size()))
            fewest = i;
    }
    return fewest;
}

std::shared_ptr<const FoundSearch> foundSearch(engine::SearchRecord record,
                                               std::shared_ptr<const engine::Catalog> catalog) {
    auto found = std::make_shared<FoundSearch>();
    found->record = std::move(record);
    found->catalog = std::move(catalog);
    found->front = found->tally().front();
    if (found->isDone() && found->tally().kept() == 0)
        found->unmet = QString::fromStdString(engine::searchResult(found->problem(), found->tally()).unmet);
    return found;
}

ColumnWords columnWords(const engine::Scenario& base, const std::string& column) {
    if (const auto* spec = engine::findMetric(column))
        return {QString::fromUtf8(spec->label), QString::fromUtf8(spec->unit), spec->better};
    if (column == "devices")
        return {FoundWords::tr("Devices"), {}, -1};
    if (column == "feasible")
        return {FoundWords::tr("Fits and runs"), {}, 1};
    try {
        const auto spec = engine::findParameter(base, {}, column).spec;
        return {QString::fromStdString(engine::axisLabel(base, column)), QString::fromUtf8(spec.unit), 0};
    } catch (const std::exception&) {
        return {QString::fromStdString(column), {}, 0}; // a metric of a node
    }
}

QString columnValue(const engine::Scenario& base, const std::string& column, double value) {
    if (const auto* spec = engine::findMetric(column)) {
        const auto text = metricText(*spec, value);
        return withUnit(text.value, text.unit);
    }
    return withUnit(QString::fromStdString(engine::plainText(value)), columnWords(base, column).unit);
}

QString searchName(const engine::SearchProblem& problem) {
    QStringList words;
    for (const auto& goal : problem.goals) {
        const auto label = sentenceStart(columnWords(problem.study.base, goal.column).label);
        words << (goal.better > 0 ? FoundWords::tr("most %1") : FoundWords::tr("least %1")).arg(label);
    }
    auto name = words.join(QStringLiteral(", "));
    return name.left(1).toUpper() + name.mid(1);
}

FoundFacts foundFacts(const FoundSearch& search, std::uint64_t ordinal, const std::stop_token& stop) {
    const auto& study = search.problem().study;
    FoundFacts facts;
    facts.ordinal = ordinal;
    facts.name = search.nameOf(ordinal);
    facts.design = search.designAt(ordinal);
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < study.axes.size(); ++i) {
        positions.push_back(search.positionOf(ordinal, i));
        facts.chips.emplace_back(study.axes[i].isChoice() ? QString() : search.axisName(i),
                                 search.valueText(i, positions[i]));
    }
    auto evaluation = engine::evaluate(facts.design);
    if (facts.design.serving.isSimulated()) {
        engine::SimulationOptions options;
        options.stop = stop;
        engine::setServingMetrics(engine::simulate(facts.design, evaluation, options), evaluation);
    }
    facts.metrics = evaluation.metrics;
    const auto valueOf = [&](const std::string& column) {
        return engine::PointColumn(study, column).at(facts.design, evaluation, positions);
    };
    const auto figure = [&](const std::string& column) {
        if (!isAxisOf(search.problem(), column) && column != "feasible")
            facts.figures.emplace_back(columnValue(study.base, column, valueOf(column)),
                                       columnWords(study.base, column).label);
    };
    for (const auto& goal : search.problem().goals)
        figure(goal.column);
    for (const auto& limit : study.limits) {
        if (limit.column == "feasible")
            continue;
        const double value = valueOf(limit.column);
        const bool below = std::isfinite(limit.most);
        const double end = below ? limit.most : limit.least;
        facts.limits.push_back({columnWords(study.base, limit.column).label,
                                below ? value / end : end / value,
                                (below ? FoundWords::tr("%1 of %2") : FoundWords::tr("%1, at least %2"))
                                    .arg(columnValue(study.base, limit.column, value),
                                         columnValue(study.base, limit.column, end))});
    }
    return facts;
}

} // namespace heteroscape::widgets
