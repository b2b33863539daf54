// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/loaded_study.h"

#include "engine/base/error.h"
#include "engine/catalog/catalog.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/frontier/frontier.h"
#include "engine/plotting/series.h"
#include "engine/plotting/ticks.h"
#include "engine/scenario/diagnostics.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/truth_text.h"
#include "widgets/plots/chart.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// What the shipped tables have of a frontier's servers, as its points are told of. Read once for each.
std::vector<LoadedStudy::Measured> measuredOf(const engine::Study& study, const engine::Catalog& catalog) {
    static std::mutex mutex;
    static std::map<std::string, std::vector<LoadedStudy::Measured>> known; // by the definition
    constexpr std::size_t kMostKnown = 8;
    const std::scoped_lock lock(mutex);
    const auto& text = *study.base->frontier.definition;
    if (const auto found = known.find(text); found != known.end())
        return found->second;
    std::vector<LoadedStudy::Measured> measured;
    try {
        const auto definition = engine::keptFrontier(study.base, catalog);
        const engine::GpuServers servers(catalog, engine::shippedKernels());
        for (const auto& [id, prompt, output, point] :
             engine::frontierMeasured(*definition, catalog, servers)) {
            LoadedStudy::Measured one;
            one.group = definition->systems[point.system].name;
            one.name = QString::fromStdString(one.group);
            for (std::size_t i = 0; i < engine::frontierAxisNames().size(); ++i)
                one.values[engine::frontierColumn(static_cast<engine::FrontierAxis>(i), definition->budget)] =
                    engine::frontierValue(point, static_cast<engine::FrontierAxis>(i));
            for (std::size_t i = 0; i < engine::frontierAlongNames().size(); ++i)
                one.values[engine::frontierColumn(static_cast<engine::FrontierAlong>(i))] =
                    engine::frontierAlong(point, static_cast<engine::FrontierAlong>(i));
            const auto number = [](double value) {
                return QString::fromStdString(engine::shortText(value, 3));
            };
            using Words = LoadedStudy;
            const auto say = [&one](const QString& name, const QString& value) {
                one.facts.emplace_back(name, value);
            };
            say({}, QStringLiteral("%1 %2, %3, %4")
                        .arg(QString::fromStdString(point.server),
                             QString::fromStdString(point.precision).toUpper(),
                             QString::fromStdString(point.layout),
                             Words::tr("%1 users").arg(number(point.users))));
            say(Words::tr("Per user"), withUnit(number(point.rates.perUser), QStringLiteral("tok/s")));
            say(Words::tr("First token, mean"), withUnit(number(1e3 * point.ttft), QStringLiteral("ms")));
            say(Words::tr("Rate a device, from users and these times"),
                withUnit(number(point.rates.outputPerDevice), QStringLiteral("tok/s")));
            say(Words::tr("Lengths"), Words::tr("%1 in, %2 out").arg(number(prompt), number(output)));
            say(Words::tr("Row"), QString::fromStdString(id));
            measured.push_back(std::move(one));
        }
    } catch (const engine::Error&) { // of what is not known here any more nothing was measured
    }
    if (known.size() >= kMostKnown)
        known.clear();
    return known[text] = measured;
}

/// Where a design has one kind of accelerator or one link, an axis need not say which: "L2 capacity" instead
/// of "NPU of PRESERVE, Table 2 L2 capacity".
std::string shortLabel(const engine::Scenario& base, const engine::StudyColumn& column) {
    const auto accelerators = std::count_if(base.nodes.begin(), base.nodes.end(), [](const auto& node) {
        return engine::isAccelerator(node.device.kind);
    });
    const bool node = column.name.starts_with("nodes.") && accelerators == 1;
    const bool link = column.name.starts_with("links.") && base.links.size() == 1;
    if ((!node && !link) || column.isChoice())
        return column.label;
    if (node && column.name.ends_with(".count"))
        return QCoreApplication::translate("heteroscape::widgets::LoadedStudy", "Devices").toStdString();
    const auto label = std::string(engine::resolveQuantity(base, column.name).spec.label);
    return node ? label
                : QCoreApplication::translate("heteroscape::widgets::LoadedStudy", "Link: %1")
                      .arg(QString::fromStdString(label).toLower())
                      .toStdString();
}

/// Whether metrics of nodes need to say of which: not with one accelerator alone, nor where axes exchange it.
bool namesNodes(const engine::Study& study) {
    const auto exchanges = [](const engine::Axis& axis) {
        return axis.path == "system" || (axis.isChoice() && axis.path.ends_with(".device"));
    };
    const auto accelerators =
        std::count_if(study.base->nodes.begin(), study.base->nodes.end(),
                      [](const auto& node) { return engine::isAccelerator(node.device.kind); });
    return accelerators > 1 && std::none_of(study.axes.begin(), study.axes.end(), exchanges);
}

std::string withoutNode(const std::string& label) {
    const auto colon = label.find(": ");
    return colon == std::string::npos ? label : label.substr(colon + 2);
}

/// "8 × A100 (glitches)" needs not say whose it is where all are the same one's.
void dropSharedEnd(std::vector<QString>& names) {
    if (names.empty() || !names.front().endsWith(u')'))
        return;
    const auto end = names.front().mid(names.front().lastIndexOf(QStringLiteral(" (")));
    if (std::all_of(names.begin(), names.end(), [&](const QString& name) { return name.endsWith(end); }))
        for (auto& name : names)
            name.chop(end.size());
}

/// Zero where it makes no difference to what it is shown in.
double decisiveOf(const engine::StudyTable& table, const engine::StudyColumn& column) {
    if (column.isAxis || engine::shownUnit(column.unit, 0).name == column.unit)
        return 0;
    const engine::FeasibleValues value(table, column);
    double decisive = engine::kUnset;
    for (std::size_t row = 0; row < column.values.size(); ++row)
        decisive = decidesUnit(column.name, decisive, std::fabs(value(row)));
    return std::isnan(decisive) ? 0 : decisive;
}

} // namespace

bool isSwitch(const std::vector<std::string>& names) {
    return !names.empty() && std::all_of(names.begin(), names.end(),
                                         [](const auto& name) { return name == "true" || name == "false"; });
}

const engine::Axis* LoadedStudy::axis(const std::string& path) const {
    for (const auto& axis : definition.axes)
        if (axis.path == path)
            return &axis;
    return nullptr;
}

engine::Scenario LoadedStudy::scenarioOf(std::size_t row) const {
    auto scenario = *definition.base;
    // As the points were evaluated: choices first, in the order of their axes, then numbers.
    for (std::size_t i = 0; i < definition.axes.size(); ++i)
        if (const auto& axis = definition.axes[i]; axis.isChoice())
            engine::applyEdit(scenario,
                              axis.edits.at(static_cast<std::size_t>(table.columns.at(i).values.at(row))));
    for (std::size_t i = 0; i < definition.axes.size(); ++i) {
        const auto& axis = definition.axes[i];
        if (axis.isChoice())
            continue;
        const auto quantity = engine::resolveQuantity(scenario, axis.path);
        quantity.access(scenario) = {
            table.columns.at(i).values.at(row) * quantity.spec.scale, engine::Provenance::User, {}};
    }
    return scenario;
}

bool LoadedStudy::isOfDesigns() const {
    return !definition.axes.empty() && engine::isPointPath(definition.axes.front().path);
}

engine::ExpectedError LoadedStudy::errorOf(std::size_t row, const std::string& column) const {
    if (const auto known = knownError(row, column))
        return *known;
    const auto design = scenarioOf(row);
    engine::ExpectedError error;
    if (engine::hasExpectedErrors(design))
        error = engine::ExpectedErrors(design, engine::evaluate(design)).of(column);
    const std::scoped_lock lock(m_errorMutex);
    return m_errors[{row, column}] = error;
}

std::optional<engine::ExpectedError> LoadedStudy::knownError(std::size_t row,
                                                             const std::string& column) const {
    const std::scoped_lock lock(m_errorMutex);
    const auto found = m_errors.find({row, column});
    return found == m_errors.end() ? std::nullopt : std::optional(found->second);
}

QString LoadedStudy::nameOf(std::size_t row) const {
    QStringList parts;
    for (const auto& column : table.columns)
        if (column.name == engine::kPointDesign)
            continue; // says what the others do
        else if (column.isAxis && !column.isChoice())
            parts << QString::fromStdString(column.label) + u' ' + textWithUnit(column, column.at(row));
        else if (column.isAxis && isSwitch(column.names))
            parts << QString::fromStdString(column.label) + u' ' + text(column, column.at(row));
        else if (column.isAxis)
            parts << text(column, column.at(row));
    return parts.join(QStringLiteral(", "));
}

LoadedStudy::Obstacle LoadedStudy::obstacle(std::size_t row) const {
    const auto scenario = scenarioOf(row);
    for (const auto& diagnostic : engine::validate(scenario))
        if (diagnostic.severity == engine::Severity::Error)
            return {QString::fromStdString(diagnostic.message)};
    const auto evaluation = engine::evaluate(scenario);
    return {QString::fromStdString(evaluation.reason), evaluation.shortNode < evaluation.nodes.size()};
}

std::vector<QString> LoadedStudy::bandTexts(std::size_t row, const std::vector<std::size_t>& columns) const {
    std::vector<QString> texts(columns.size());
    const auto design = scenarioOf(row);
    if (!engine::hasExpectedErrors(design))
        return texts;
    const engine::ExpectedErrors errors(design, engine::evaluate(design));
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (const auto& column = table.columns[columns[i]]; isMetric(column))
            texts[i] = bandText(errors.of(column.name));
    return texts;
}

QString LoadedStudy::text(const engine::StudyColumn& column, double value) const {
    if (!column.isChoice())
        return QString::fromStdString(engine::tickText(value));
    if (!column.isAxis)
        return std::isnan(value) ? QStringLiteral("\u2013") : truthWords(static_cast<engine::Truth>(value));
    for (std::size_t i = 0; i < definition.axes.size(); ++i)
        if (definition.axes[i].path == column.name)
            return choices.at(i).at(static_cast<std::size_t>(value));
    return QString::fromStdString(column.text(value));
}

QString LoadedStudy::textWithUnit(const engine::StudyColumn& column, double value) const {
    if (column.isChoice())
        return text(column, value);
    const auto shown = column.isAxis ? engine::ShownUnit{column.unit} : engine::shownUnit(column.unit, value);
    return withUnit(text(column, value * shown.factor), QString::fromStdString(shown.name));
}

engine::ShownUnit LoadedStudy::shownUnit(const std::vector<std::string>& columns) const {
    const auto* first = columns.empty() ? nullptr : table.find(columns.front());
    if (!first || first->isAxis)
        return {first ? first->unit : std::string()};
    double times = engine::kUnset, others = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& name = table.columns[i].name;
        if (std::find(columns.begin(), columns.end(), name) == columns.end())
            continue;
        if (isTokenTime(name))
            times = decidesUnit(name, times, decisive.at(i));
        else
            others = decidesUnit(name, others, decisive.at(i));
    }
    return engine::shownUnit(first->unit, std::isnan(times) ? others : times);
}

engine::ShownUnit LoadedStudy::shownUnit(const engine::StudyColumn& column) const {
    const auto at = static_cast<std::size_t>(&column - table.columns.data());
    return column.isAxis ? engine::ShownUnit{column.unit} : engine::shownUnit(column.unit, decisive.at(at));
}

bool LoadedStudy::isIdeal(std::size_t row) const {
    const auto* truth = table.find(std::string(engine::kTruthColumn));
    return truth && truth->values[row] == static_cast<double>(engine::Truth::Ideal);
}

bool LoadedStudy::isSteady() const {
    return !definition.base->serving.isSimulated() && !axis("serving.arrivals");
}

bool isSimulated(const std::string& metric) {
    const auto* spec = engine::findMetric(metric);
    return spec && engine::isSimulated(spec->metric);
}

void LoadedStudy::findUnits() {
    decisive.clear();
    for (const auto& column : table.columns)
        decisive.push_back(decisiveOf(table, column));
}

std::shared_ptr<const LoadedStudy> readStudy(engine::Store& store, std::int64_t id,
                                             const engine::Catalog& catalog,
                                             const std::vector<std::string>& metrics) {
    auto table = store.read(id, metrics);
    auto definition = store.definition(id, catalog);
    const auto truths = engine::addTruths(table, definition);
    return asLoaded(std::move(table), std::move(definition), catalog, store.path(), truths);
}

std::shared_ptr<const LoadedStudy> asLoaded(engine::StudyTable table, engine::Study definition,
                                            const engine::Catalog& catalog, std::string store,
                                            engine::Truths truths) {
    auto study = std::make_shared<LoadedStudy>();
    study->store = std::move(store);
    study->truths = truths;
    study->table = std::move(table);
    study->definition = std::move(definition);
    for (auto& column : study->table.columns)
        if (column.isAxis)
            column.label = shortLabel(study->definition.base, column);
        else if (column.name.starts_with("nodes.") && !namesNodes(study->definition))
            column.label = withoutNode(column.label);
    study->findUnits();
    if (engine::isFrontier(study->definition))
        study->measured = measuredOf(study->definition, catalog);
    for (const auto& axis : study->definition.axes) {
        auto& names = study->choices.emplace_back();
        for (const auto& name : axis.names)
            names.push_back(choiceName(catalog, axis.path, name));
        dropSharedEnd(names);
    }
    return study;
}

} // namespace heteroscape::widgets
