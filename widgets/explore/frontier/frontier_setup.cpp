// SPDX-License-Identifier: GPL-3.0-or-later
// What a frontier is set up to: the design keeps it, and every change of it is an edit.
#include "widgets/explore/frontier/frontier_setup.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "widgets/document/pins.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/plots/fronts.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

namespace {

constexpr const char* kUsersPath = "workload.batch"; // numbers of users are written as those of a batch are

/// What of a definition a study is made of.
std::string computedPart(engine::FrontierDefinition definition) {
    const auto off = definition.shown.off;
    definition.shown = {};
    definition.shown.off = off;
    return engine::writeFrontier(definition).dump();
}

/// To three digits, as a line is moved.
double rounded(double value) {
    return engine::parseNumber(engine::shortText(value, 3)).value_or(value);
}

} // namespace

std::vector<double> usersFrom(const QString& text) {
    const auto axis =
        engine::parseAxis(engine::Scenario(), engine::Catalog(), kUsersPath + ("=" + text.toStdString()));
    if (axis.values.size() > engine::kMostFrontierValues)
        throw engine::Error(engine::ErrorCode::InvalidInput, kUsersPath, "more than 1,000 numbers of users",
                            "Give fewer, such as 1:1024:*2");
    for (const double users : axis.values)
        if (users > engine::kMostFrontierUsers)
            throw engine::Error(engine::ErrorCode::InvalidInput, kUsersPath, "more than 100,000 users",
                                "Give fewer");
    return axis.values;
}

QString usersText(const std::vector<double>& users) {
    engine::Axis axis;
    axis.path = kUsersPath;
    axis.values = users;
    return QString::fromStdString(axisText(axis).values);
}

FrontierSetup::FrontierSetup(Document* document, QWidget* parent)
    : SourceForm(parent), m_document(document), m_tools(new QWidget), m_addMenu(new QMenu(this)),
      m_run(new RunRow(this)) {
    makeTools();
    layOut();
    connectFields();
    m_run->setRunnable(false);
    m_addMenu->setObjectName(QStringLiteral("addDesign"));
    connect(m_addMenu, &QMenu::aboutToShow, this, &FrontierSetup::fillAddMenu);
    connect(m_document, &Document::changed, this, [this] {
        if (isVisible())
            follow();
    });
    connect(&m_making, &Job::failed, this, [this](const QString& message) {
        m_madeWith.clear();
        emit refused(message);
    });
}

void FrontierSetup::showEvent(QShowEvent* event) {
    SourceForm::showEvent(event);
    follow();
    if (m_study && std::exchange(m_unrun, false))
        emit wanted();
}

void FrontierSetup::follow() {
    const auto& kept = m_document->scenario().frontier;
    if (kept == m_kept)
        return;
    m_kept = kept;
    try {
        const auto& catalog = m_document->catalog();
        if (auto definition = engine::keptFrontier(m_document->scenario(), catalog))
            adopt(*std::move(definition));
        else if (m_frontier->count() > 0)
            adopt(engine::findFrontier(catalog, m_frontier->itemData(0).toString().toStdString()));
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
    }
}

void FrontierSetup::change(engine::FrontierDefinition to, const QString& text, const QString& gesture) {
    m_kept = engine::keepFrontier(to);
    adopt(std::move(to));
    m_document->perform(engine::SetFrontier{*m_kept}, gesture, text);
}

void FrontierSetup::changeShown(const engine::FrontierShown& to, const QString& text,
                                const QString& gesture) {
    auto definition = m_definition;
    definition.shown = to;
    change(std::move(definition), text, gesture);
}

void FrontierSetup::adopt(engine::FrontierDefinition definition) {
    const auto before = std::exchange(m_definition, std::move(definition)).shown;
    const auto& systems = m_definition.systems;
    m_shipped = 0;
    const auto ids = engine::shippedFrontiers(m_document->catalog().folder);
    if (std::find(ids.begin(), ids.end(), m_definition.id) != ids.end()) {
        const auto shipped = engine::findFrontier(m_document->catalog(), m_definition.id).systems;
        while (m_shipped < std::min(systems.size(), shipped.size()) &&
               systems[m_shipped].name == shipped[m_shipped].name)
            ++m_shipped;
    }
    showFields();
    if (computedPart(m_definition) != m_madeWith) {
        make();
        return;
    }
    const auto& shown = m_definition.shown;
    if (shown.axis != before.axis || shown.along != before.along || shown.goal != before.goal)
        emit plotsChanged();
    if (shown.limits != before.limits)
        emit limitsChanged();
}

void FrontierSetup::make() {
    m_madeWith = computedPart(m_definition);
    m_study.reset();
    m_run->setRunnable(false);
    emit changed();
    m_making.start([this, definition = m_definition,
                    catalog = m_document->sharedCatalog()](JobRun&) -> Job::Show {
        const engine::GpuServers servers(*catalog, engine::shippedKernels());
        auto study = std::make_shared<engine::Study>(engine::frontierStudy(definition, *catalog, servers));
        return [this, study = std::move(study)] {
            m_study = std::move(*study);
            m_study->limits = limits();
            m_run->setRunnable(true);
            m_run->reset();
            remakeSystems(); // their looks are those of the points
            m_unrun = !isVisible();
            emit changed();
            if (!m_unrun)
                emit wanted();
        };
    });
}

void FrontierSetup::setRunning(bool running) {
    m_run->setRunning(running);
}

bool FrontierSetup::isCurrent(const LoadedStudy& study) const {
    return !m_study || m_study->axes == study.definition.axes;
}

void FrontierSetup::awaitStudy() {
    m_kept = m_document->scenario().frontier; // the page shows another: the design's would replace it
}

void FrontierSetup::showsStudy(const LoadedStudy& study) {
    try {
        auto definition = engine::keptFrontier(study.definition.base, m_document->catalog());
        if (!definition || (m_study && m_study->axes == study.definition.axes) || m_making.isBusy())
            return;
        m_madeWith = computedPart(*definition);
        m_study = study.definition;
        m_definition = *std::move(definition);
        m_run->setRunnable(true);
        showFields();
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
    }
}

void FrontierSetup::takeStudy(const engine::Study& study) {
    try {
        if (auto definition = engine::keptFrontier(study.base, m_document->catalog())) {
            const auto name = QString::fromStdString(definition->name);
            change(*std::move(definition), tr("Show the frontier \u201c%1\u201d").arg(name));
        }
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
    }
}

std::vector<engine::Limit> FrontierSetup::limits() const {
    auto limits = engine::frontierLimits(m_definition.shown.limits);
    limits.insert(limits.end(), m_others.begin(), m_others.end());
    return limits;
}

void FrontierSetup::setLimits(const std::vector<engine::Limit>& limits) {
    m_others.clear();
    engine::FrontierLimits own;
    for (const auto& limit : limits) {
        const bool most = !std::isfinite(limit.least), least = !std::isfinite(limit.most);
        if (limit.column == engine::rates::kFirstTokenMedian && most)
            own.ttft = rounded(limit.most);
        else if (limit.column == engine::rates::kPerUser && least && limit.least > 0)
            own.timePerToken = rounded(1e3 / limit.least) / 1e3;
        else if (limit.column == engine::rates::kPrice && most)
            own.price = rounded(limit.most);
        else
            m_others.push_back(limit);
    }
    m_token.set(1e3 * own.timePerToken);
    m_firstToken.set(own.ttft);
    m_price.set(own.price);
    if (m_study)
        m_study->limits = limits;
}

void FrontierSetup::keepLimits(const std::vector<engine::Limit>& limits) {
    setLimits(limits);
    if (limits == this->limits())
        return;
    auto shown = m_definition.shown;
    shown.limits = {m_firstToken.get(), m_token.get() / 1e3, m_price.get()};
    if (shown != m_definition.shown)
        changeShown(shown, tr("Move a limit of the frontier"));
}

std::vector<engine::StudyPlot> FrontierSetup::plots(const engine::Study& study) const {
    auto shown = m_definition.shown;
    double budget = m_definition.budget;
    engine::StudyPlot plot;
    plot.kind = kindOf(scatterForm);
    plot.metrics = {engine::frontierColumn(shown.along), engine::frontierColumn(shown.axis, budget)};
    plot.query.metric = plot.metrics.front();
    plot.query.x = engine::kPointLayout;
    plot.query.curve = study.axes.front().path;
    plot.logAcross = plot.logValues = plot.groupFronts = plot.bands = true;
    if (shown.along == engine::FrontierAlong::Speed && shown.goal > 0)
        plot.goal = 1 / shown.goal;
    auto best = plot, layouts = plot;
    best.kind = kindOf(bestAtForm);
    layouts.kind = kindOf(onFrontForm);
    return {plot, best, layouts};
}

QString FrontierSetup::emptyHeading() const {
    return tr("Throughput against speed");
}

QString FrontierSetup::emptyWords(bool isReady) const {
    return isReady
               ? tr("Every layout of the systems on the left under every number of users is a point: it is "
                    "computed once, kept, and drawn here.")
               : tr("The points are being listed.");
}

void FrontierSetup::showFrontier(const QString& id) {
    follow();
    try {
        auto to = engine::findFrontier(m_document->catalog(), id.toStdString());
        for (auto i = m_shipped; i < m_definition.systems.size(); ++i) // the user's go along
            to.systems.push_back(m_definition.systems[i]);
        const auto name = QString::fromStdString(to.name);
        change(std::move(to), tr("Show the frontier \u201c%1\u201d").arg(name));
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
    }
}

void FrontierSetup::addDesign(const QString& name, const engine::Scenario& design) {
    auto kept = design;
    kept.dropKept();
    engine::FrontierSystem system;
    system.open = std::make_shared<const engine::Scenario>(std::move(kept));
    addSystem(name, std::move(system));
}

void FrontierSetup::addSystem(const QString& name, engine::FrontierSystem system) {
    follow();
    auto to = m_definition;
    const auto isTaken = [&](const std::string& wanted) {
        return std::any_of(to.systems.begin(), to.systems.end(),
                           [&](const auto& one) { return one.name == wanted; });
    };
    system.name = name.toStdString();
    for (int again = 2; isTaken(system.name); ++again)
        system.name = QStringLiteral("%1 (%2)").arg(name).arg(again).toStdString();
    to.systems.push_back(std::move(system));
    change(std::move(to), tr("Put %1 on the frontier").arg(name));
}

void FrontierSetup::fillAddMenu() {
    m_addMenu->clear();
    addOpenDesigns(m_addMenu, m_document,
                   [this](const QString& name, const engine::Scenario& design) { addDesign(name, design); });
    addPresets(m_addMenu, m_document->catalog(), [this](const std::string& id) {
        engine::FrontierSystem system;
        system.design = id;
        const auto name = engine::loadPreset(m_document->catalog(), id, id).name;
        addSystem(QString::fromStdString(name), std::move(system));
    });
}

void FrontierSetup::takeUsers() {
    try {
        auto users = usersFrom(m_users->text());
        if (users == m_numbers)
            return;
        m_numbers = std::move(users);
        auto to = m_definition;
        readFields(to);
        change(std::move(to), tr("Change what the frontier is of"), QStringLiteral("frontier.users"));
    } catch (const engine::Error& error) {
        emit refused(QString::fromStdString(error.what()));
    }
    m_users->setText(usersText(m_numbers));
}

void FrontierSetup::readFields(engine::FrontierDefinition& definition) const {
    if (m_model->currentIndex() >= 0)
        definition.model = m_model->currentData().toString().toStdString();
    definition.prompt = m_prompt->value();
    definition.output = m_output->value();
    definition.load = static_cast<engine::FrontierLoad>(m_load->currentIndex());
    definition.users = m_numbers;
}

void FrontierSetup::showFields() {
    const QSignalBlocker calm(m_prompt), hushed(m_output); // the others tell of what the user does alone
    m_frontier->setCurrentIndex(m_frontier->findData(QString::fromStdString(m_definition.id)));
    m_frontier->setToolTip(plainTip(QString::fromStdString(m_definition.about)));
    m_axis->setCurrentIndex(static_cast<int>(m_definition.shown.axis));
    m_along->setCurrentIndex(static_cast<int>(m_definition.shown.along));
    m_model->setCurrentIndex(m_model->findData(QString::fromStdString(m_definition.model)));
    m_prompt->setValue(static_cast<int>(m_definition.prompt));
    m_output->setValue(static_cast<int>(m_definition.output));
    m_load->setCurrentIndex(static_cast<int>(m_definition.load));
    m_numbers = m_definition.users;
    m_users->setText(usersText(m_numbers));
    m_token.set(1e3 * m_definition.shown.limits.timePerToken);
    m_firstToken.set(m_definition.shown.limits.ttft);
    m_price.set(m_definition.shown.limits.price);
    m_goal.set(1e3 * m_definition.shown.goal);
    remakeSystems();
}

} // namespace heteroscape::widgets

#include "moc_frontier_setup.cpp"
