// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/found_search.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/simulate.h"
#include "engine/search/search_result.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/truth_text.h"
#include "widgets/plots/chart.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

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

/// One design evaluated again, with all that columns are about.
struct LookedAgain {
    std::vector<std::size_t> positions;
    engine::Evaluation evaluation;

    LookedAgain(const FoundSearch& search, const engine::Scenario& design, std::uint64_t ordinal,
                const std::stop_token& stop)
        : evaluation(engine::evaluate(design)) {
        for (std::size_t i = 0; i < search.problem().study.axes.size(); ++i)
            positions.push_back(search.positionOf(ordinal, i));
        engine::simulateInto(design, evaluation, {.stop = stop});
    }
    double of(const engine::Study& study, const engine::Scenario& design, const std::string& column) const {
        return engine::PointColumn(study, column).at(design, evaluation, positions);
    }
};

QString limitUse(const engine::Scenario& base, const engine::Limit& limit, double value) {
    const bool below = std::isfinite(limit.most) && !(value < limit.least);
    return (below ? FoundWords::tr("%1 of %2") : FoundWords::tr("%1, at least %2"))
        .arg(columnValue(base, limit.column, value),
             columnValue(base, limit.column, below ? limit.most : limit.least));
}

/// The first number with three digits that is not below the value; `up` false: not above it.
double roundedOutward(double value, bool up) {
    if (value == 0.0 || !std::isfinite(value))
        return value;
    const double digit = std::pow(10.0, 2.0 - std::floor(std::log10(std::fabs(value))));
    const double outer = (up ? std::ceil(value * digit) : std::floor(value * digit)) / digit;
    return (up ? outer >= value : outer <= value) ? outer : value;
}

NearestDesign nearestDesign(const FoundSearch& search) {
    const auto& study = search.problem().study;
    const auto ordinal = search.tally().nearestToAll().ordinal;
    const auto design = search.designAt(ordinal);
    const LookedAgain looked(search, design, ordinal, {});
    NearestDesign nearest;
    QStringList words;
    for (const auto& limit : study.limits) {
        if (limit.column == "feasible")
            continue;
        const double value = looked.of(study, design, limit.column);
        if (!(engine::missOf(limit, value) > 0.0))
            continue;
        auto label = columnWords(study.base, limit.column).label;
        words << sentenceStart(label) + u' ' + limitUse(study.base, limit, value);
        if (std::isnan(value))
            continue;
        auto relaxed = limit;
        (value > limit.most ? relaxed.most : relaxed.least) = roundedOutward(value, value > limit.most);
        nearest.remedy = FoundWords::tr("Relax to %1")
                             .arg(columnValue(study.base, limit.column,
                                              value > limit.most ? relaxed.most : relaxed.least));
        nearest.relaxed.push_back(relaxed);
    }
    if (nearest.relaxed.size() > 1)
        nearest.remedy =
            FoundWords::tr("Relax %n limit(s)", nullptr, static_cast<int>(nearest.relaxed.size()));
    nearest.words = words.join(QStringLiteral(", "));
    for (const auto& goal : search.problem().goals) // what it costs to come so near
        if (goal.better < 0 && std::none_of(nearest.relaxed.begin(), nearest.relaxed.end(),
                                            [&](const auto& limit) { return limit.column == goal.column; })) {
            nearest.words = FoundWords::tr("%1, at %2")
                                .arg(nearest.words, columnValue(study.base, goal.column,
                                                                looked.of(study, design, goal.column)));
            break;
        }
    return nearest;
}

/// "16 × B200", "A100 80GB + 7 × Alveo U280": what computes.
QString foundSystemName(const engine::Scenario& design) {
    QStringList parts;
    for (const auto& node : design.nodes) {
        if (!engine::isAccelerator(node.device.kind))
            continue;
        const auto name = QString::fromStdString(node.shownName());
        parts << (node.count.value > 1.0
                      ? FoundWords::tr("%1 × %2").arg(
                            QString::fromStdString(engine::plainText(node.count.value)), name)
                      : name);
    }
    return parts.join(QStringLiteral(" + "));
}

/// Whether foundSystemName() tells it.
bool isInSystemName(const std::string& path) {
    const auto ends = [&](const char* end) { return path.ends_with(end) && path.starts_with("nodes."); };
    return ends(".count") || ends(".device");
}

/// The node and the field of "nodes.gpu.device.price_usd".
const engine::Node* deviceNodeOf(const engine::Scenario& design, const std::string& path) {
    for (const auto& node : design.nodes)
        if (path.starts_with("nodes." + node.id.value + ".device."))
            return &node;
    return nullptr;
}

/// Whether a number of a device is what the catalogue has for it.
bool isItsOwn(const engine::Scenario& design, const engine::Node& node, const std::string& path,
              const engine::Catalog& catalog) {
    const auto known = std::find_if(catalog.devices.begin(), catalog.devices.end(),
                                    [&](const auto& device) { return device.id == node.device.id; });
    if (known == catalog.devices.end())
        return false;
    auto own = design;
    own.findNode(node.id)->device = *known;
    const auto quantity = engine::resolveQuantity(design, path);
    return quantity.in(own).value == quantity.in(design).value;
}

std::vector<FoundFacts::Figure> figuresOf(const FoundSearch& search, const engine::Scenario& design,
                                          const LookedAgain& looked) {
    constexpr std::size_t kMostFigures = 3;
    const auto& study = search.problem().study;
    std::vector<std::string> columns;
    for (const auto& goal : search.problem().goals)
        if (!isAxisOf(search.problem(), goal.column))
            columns.push_back(goal.column);
    for (const auto* usual : {"throughput_tok_s", "tpot_s", "usd_per_mtok", "ttft_s"})
        if (std::find(columns.begin(), columns.end(), usual) == columns.end())
            columns.emplace_back(usual);
    std::optional<engine::ExpectedErrors> errors;
    if (engine::hasExpectedErrors(design))
        errors.emplace(design, looked.evaluation);
    std::vector<FoundFacts::Figure> figures;
    for (const auto& column : columns) {
        const double value = looked.of(study, design, column);
        if (std::isnan(value) || figures.size() == kMostFigures)
            continue;
        auto [number, caption] = columnFigure(study.base, column, value);
        auto label = columnWords(study.base, column).label;
        if (const auto error = errors ? errors->of(column) : engine::ExpectedError(); error) {
            if (const auto band = bandText(error); !band.isEmpty())
                caption += u' ' + band;
            label += FoundWords::tr(", %1").arg(QString::fromStdString(error.text()));
        }
        figures.push_back({number, caption, label});
    }
    return figures;
}

} // namespace

bool FoundSearch::idealLeads() const {
    return truths.areIdealAmongOthers() &&
           std::find(ideal.begin(), ideal.begin() + static_cast<std::ptrdiff_t>(front.size()), 1) !=
               ideal.begin() + static_cast<std::ptrdiff_t>(front.size());
}

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
    design.dropKept();
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

namespace {

void findReached(FoundSearch& search, std::size_t axis) {
    const engine::SearchSpace space(search.problem());
    const auto walked = std::find(space.order().begin(), space.order().end(), axis) - space.order().begin();
    const auto best = search.tally().reached(0, static_cast<std::size_t>(walked));
    search.reached.assign(best.begin(), best.end());
    for (const auto& [value, ordinal] : search.reached) {
        auto& error = search.reachedErrors.emplace_back();
        if (std::isnan(value))
            continue;
        const auto design = search.designAt(ordinal);
        if (engine::hasExpectedErrors(design))
            error =
                engine::ExpectedErrors(design, engine::evaluate(design)).of(search.problem().goals[0].column);
    }
}

} // namespace

std::shared_ptr<const FoundSearch> foundSearch(engine::SearchRecord record,
                                               std::shared_ptr<const engine::Catalog> catalog) {
    auto found = std::make_shared<FoundSearch>();
    found->record = std::move(record);
    found->catalog = std::move(catalog);
    found->front = found->cloud = found->tally().front();
    std::set<std::uint64_t> onFront;
    for (const auto& entry : found->front)
        onFront.insert(entry.ordinal);
    for (const auto& entry : found->tally().sampleWithin())
        if (!onFront.contains(entry.ordinal))
            found->cloud.push_back(entry);
    found->within = found->cloud.size();
    for (const auto& entry : found->tally().sampleOutside())
        found->cloud.push_back(entry);
    engine::PointTruths truths(found->problem().study);
    std::vector<engine::Truth> each;
    for (const auto& entry : found->cloud)
        each.push_back(truths.at(entry.ordinal));
    for (std::size_t i = 0; i < found->within; ++i)
        found->truths.add(each[i]);
    for (const auto truth : each)
        found->ideal.push_back(found->truths.areMixed() && truth == engine::Truth::Ideal ? 1 : 0);
    if (const auto axis = found->groupAxis())
        findReached(*found, *axis);
    if (found->isDone() && found->tally().kept() == 0) {
        found->unmet = QString::fromStdString(engine::searchResult(found->problem(), found->tally()).unmet);
        if (found->tally().running() > 0)
            found->nearest = nearestDesign(*found);
    }
    return found;
}

ColumnWords columnWords(const engine::Scenario& base, const std::string& column) {
    if (const auto* spec = engine::findMetric(column))
        return {QString::fromUtf8(spec->label), QString::fromUtf8(spec->unit), spec->better};
    if (column == "devices")
        return {FoundWords::tr("Devices"), {}, -1};
    if (column == "feasible")
        return {FoundWords::tr("Fits and runs"), {}, 1};
    if (column == "truth")
        return {FoundWords::tr("Rests on"), {}, 0};
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
    if (column == "truth")
        return truthWords(static_cast<engine::Truth>(std::clamp(value, 0.0, 3.0)));
    return withUnit(QString::fromStdString(engine::plainText(value)), columnWords(base, column).unit);
}

std::pair<QString, QString> columnFigure(const engine::Scenario& base, const std::string& column,
                                         double value) {
    const auto whole = columnValue(base, column, value);
    const auto words = columnWords(base, column);
    if (const auto* spec = engine::findMetric(column); spec && words.unit.contains(u'/')) {
        const auto text = metricText(*spec, value);
        return {text.value, text.unit};
    }
    return {whole, words.label};
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
    facts.system = foundSystemName(facts.design);
    facts.ideal = engine::truthOf(facts.design) == engine::Truth::Ideal;
    facts.pale = facts.ideal && search.truths.areIdealAmongOthers();
    const LookedAgain looked(search, facts.design, ordinal, stop);
    facts.metrics = looked.evaluation.metrics;
    facts.figures = figuresOf(search, facts.design, looked);
    for (const auto& limit : study.limits) {
        if (limit.column == "feasible" || limit.column == "truth")
            continue;
        const double value = looked.of(study, facts.design, limit.column);
        const bool below = std::isfinite(limit.most);
        facts.uses.push_back({columnWords(study.base, limit.column).label,
                              below ? value / limit.most : limit.least / value,
                              limitUse(study.base, limit, value)});
    }
    for (std::size_t i = 0; i < study.axes.size(); ++i) {
        const auto& axis = study.axes[i];
        const auto position = looked.positions[i];
        const auto value = search.valueText(i, position);
        const auto* node = axis.isChoice() ? nullptr : deviceNodeOf(facts.design, axis.path);
        if (node) {
            const bool own = isItsOwn(facts.design, *node, axis.path, *search.catalog);
            facts.uses.push_back(
                {search.axisName(i),
                 axis.values[position] / *std::max_element(axis.values.begin(), axis.values.end()),
                 own ? FoundWords::tr("%1, its own").arg(value) : FoundWords::tr("%1, what-if").arg(value)});
        } else if (!isInSystemName(axis.path)) {
            facts.chips.emplace_back(axis.isChoice() ? QString() : search.axisName(i), value);
        }
    }
    return facts;
}

} // namespace heteroscape::widgets
