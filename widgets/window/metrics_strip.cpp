// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/metrics_strip.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/offload_view.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/document/truth_text.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/glossary/glossary.h"
#include "widgets/inspector/value_text.h"
#include "widgets/settings/settings.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/window/metric_cell.h"

#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Metric;

constexpr int kLate = 300; // ms
constexpr int kStripHeight = 64;
constexpr int kMoreWidth = 40;

/// What a strip shows at first: what buyers and operators ask for first.
const std::vector<Metric>& usualMetrics(bool simulated) {
    static const std::vector<Metric> steady{Metric::Throughput,         Metric::TimeToFirstToken,
                                            Metric::TimePerToken,       Metric::CostPerToken,
                                            Metric::ThroughputPerPower, Metric::ThroughputPerPrice,
                                            Metric::ThroughputPerArea};
    static const std::vector<Metric> served{
        Metric::ServedThroughput, Metric::FirstTokenP50, Metric::FirstTokenP99, Metric::TokenMean,
        Metric::TokenP99,         Metric::EndToEndP99,   Metric::ServedEnergy};
    return simulated ? served : steady;
}

QString labelOf(Metric metric) {
    return QString::fromUtf8(engine::metricSpec(metric).label);
}

/// In the unit of the metric's column.
double columnValue(const std::array<double, engine::kMetricCount>& values, Metric metric) {
    return values[static_cast<std::size_t>(metric)] / engine::metricSpec(metric).scale;
}

std::array<double, engine::kMetricCount> noValues() {
    std::array<double, engine::kMetricCount> none;
    none.fill(engine::kUnset);
    return none;
}

} // namespace

MetricsStrip::MetricsStrip(Document* document, Settings* settings, QWidget* parent)
    : QWidget(parent), m_document(document), m_settings(settings), m_simulation(simulationOf(document)),
      m_state(new QWidget(this)), m_simulated(new QToolButton(m_state)), m_steady(new QToolButton(m_state)),
      m_more(new QToolButton(this)), m_bottleneck(new MetricCell(tr("Bottleneck"), this)) {
    setFixedHeight(kStripHeight);
    setTerm(m_bottleneck, "bound");
    auto* row = makeRow(this);
    makeStateButtons();
    row->addWidget(m_state);
    m_more->setObjectName(QStringLiteral("moreMetrics"));
    m_bottleneck->setObjectName(QStringLiteral("bottleneck"));
    m_more->setFixedHeight(26);
    m_more->setAutoRaise(true);
    row->addWidget(m_more);
    row->addWidget(m_bottleneck, 1);
    loadMetrics(false);
    loadMetrics(true);
    connect(m_more, &QToolButton::clicked, this, &MetricsStrip::chooseMetrics);
    connect(m_bottleneck, &QAbstractButton::clicked, this, [this] {
        const auto place = bottleneckPlace(*m_document);
        if (place.node)
            m_document->select({{*place.node}, {}});
        else if (place.link)
            m_document->select({{}, {*place.link}});
    });
    // Nothing of another design stays but the pins: comparing designs is what they are for.
    connect(document, &Document::reset, this, [this] { m_last.reset(); });
    connect(&ExpectedErrorFinder::of(*document), &ExpectedErrorFinder::found, this, &MetricsStrip::refresh);
    connect(document, &Document::changed, this, &MetricsStrip::refresh);
    connect(&document->pins(), &Pins::changed, this, &MetricsStrip::refresh);
    connect(document, &Document::evaluated, this, &MetricsStrip::refresh);
    m_late.setSingleShot(true);
    m_late.setInterval(kLate);
    connect(&m_late, &QTimer::timeout, this, &MetricsStrip::refreshSimulated);
    connect(m_simulation, &SimulationRunner::started, this, [this] { m_late.start(); });
    connect(m_simulation, &SimulationRunner::finished, this, [this] {
        m_late.stop();
        refreshSimulated();
    });
    refresh();
}

void MetricsStrip::makeStateButtons() {
    auto* column = makeColumn(m_state, {8, 6, 4, 6}, 2);
    const auto prepare = [&](QToolButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setToolTip(plainTip(tip));
        button->setAccessibleDescription(tip);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setAutoRaise(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        column->addWidget(button);
        connect(button, &QToolButton::toggled, this, &MetricsStrip::refresh);
    };
    prepare(m_simulated, tr("Simulated"), tr("The metrics of the requests that were simulated."));
    prepare(
        m_steady, tr("Steady state"),
        tr("The closed form: every batch full, no request ever waits. It knows nothing of the arrivals."));
    m_simulated->setObjectName(QStringLiteral("simulated"));
    m_steady->setObjectName(QStringLiteral("steadyState"));
    m_simulated->setChecked(true);
}

bool MetricsStrip::showsSimulation() const {
    return !m_simulation->isSteady() && m_simulated->isChecked();
}

void MetricsStrip::loadMetrics(bool simulated) {
    std::vector<Metric> metrics;
    if (m_settings)
        for (const auto& key : m_settings->stripMetrics(simulated))
            if (const auto* spec = engine::findMetric(key.toStdString()))
                metrics.push_back(spec->metric);
    auto wrong = [simulated](Metric metric) { return engine::isSimulated(metric) != simulated; };
    std::erase_if(metrics, wrong);
    setMetrics(simulated, metrics.empty() ? usualMetrics(simulated) : metrics);
}

void MetricsStrip::setMetrics(bool simulated, const std::vector<Metric>& metrics) {
    auto& shown = cells(simulated);
    for (const auto& one : shown)
        delete one.cell;
    shown.clear();
    auto* row = static_cast<QHBoxLayout*>(layout());
    for (const auto metric : metrics) {
        if (engine::isSimulated(metric) != simulated || cell(metric))
            continue;
        auto* made = new MetricCell(labelOf(metric), this);
        setTerm(made, engine::metricSpec(metric).key);
        made->setNoteVisible(m_notesVisible);
        row->insertWidget(row->indexOf(m_more), made);
        shown.push_back({metric, made});
        connect(made, &QAbstractButton::clicked, this, [this, metric] { explain(metric); });
    }
    refresh();
}

MetricCell* MetricsStrip::cell(Metric metric) const {
    for (const auto& list : m_cells)
        for (const auto& shown : list)
            if (shown.metric == metric)
                return shown.cell;
    return nullptr;
}

void MetricsStrip::setNotesVisible(bool visible) {
    m_notesVisible = visible;
    for (const auto& list : m_cells)
        for (const auto& shown : list)
            shown.cell->setNoteVisible(visible);
    fitCells();
}

void MetricsStrip::pinBaseline() {
    if (!m_document->evaluation().feasible)
        return;
    auto metrics = m_document->evaluation().metrics;
    if (const auto run = m_simulation->run(); run && !m_simulation->isBusy())
        metrics = run->evaluation.metrics; // those and what was simulated
    auto& pins = m_document->pins();
    pins.setBaseline(pins.add(m_document->title(), m_document->scenario(), metrics));
}

void MetricsStrip::refresh() {
    const auto& evaluation = m_document->evaluation();
    if (evaluation.feasible)
        m_last = evaluation.metrics;
    for (const auto& shown : cells(false))
        refreshCell(shown, m_last.value_or(noValues()), !evaluation.feasible);
    refreshBottleneck();
    // While a simulation is under way its metrics stand; it tells when there are others.
    if (!m_simulation->isBusy())
        refreshSimulated();
    fitCells();
}

MetricsStrip::Values MetricsStrip::simulatedValues() const {
    const auto run = m_simulation->run();
    return run ? run->evaluation.metrics : noValues();
}

void MetricsStrip::refreshSimulated() {
    for (const auto& shown : cells(true))
        refreshCell(shown, simulatedValues(), !m_simulation->run() || m_simulation->isBusy());
    fitCells();
}

void MetricsStrip::fitCells() {
    m_state->setVisible(!m_simulation->isSteady());
    for (const auto& other : cells(!showsSimulation()))
        other.cell->hide();
    int left = width() - m_bottleneck->minimumSizeHint().width() -
               std::max(kMoreWidth, m_more->sizeHint().width()) -
               (m_state->isHidden() ? 0 : m_state->sizeHint().width());
    QStringList hidden;
    for (const auto& shown : cells(showsSimulation())) {
        left -= shown.cell->sizeHint().width();
        // The first is there in any window; what follows one that does not fit is not shown before it.
        const bool fits = &shown == &cells(showsSimulation()).front() || (left >= 0 && hidden.isEmpty());
        shown.cell->setVisible(fits);
        if (!fits)
            hidden << labelOf(shown.metric);
    }
    m_more->setText(hidden.isEmpty() ? QString() : QStringLiteral("+%1").arg(hidden.size()));
    m_more->setIcon(hidden.isEmpty() ? Theme::instance().icon(QStringLiteral("dots"), ColorRole::Muted)
                                     : QIcon());
    m_more->setAccessibleName(hidden.isEmpty()
                                  ? tr("Choose metrics")
                                  : tr("%n more metrics", nullptr, static_cast<int>(hidden.size())));
    m_more->setToolTip(
        plainTip(hidden.isEmpty() ? tr("Choose and order the metrics") : hidden.join(QLatin1Char('\n'))));
}

void MetricsStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitCells();
}

void MetricsStrip::chooseMetrics() {
    const bool simulated = showsSimulation();
    const auto values = simulated ? simulatedValues() : m_last.value_or(noValues());
    std::vector<MetricsChooser::Row> rows;
    const auto add = [&](Metric metric, bool chosen) {
        const auto value = columnValue(values, metric);
        const auto text = metricText(engine::metricSpec(metric), value);
        rows.push_back({metric, labelOf(metric),
                        std::isnan(value) ? QString() : (text.value + QLatin1Char(' ') + text.unit).trimmed(),
                        chosen});
    };
    for (const auto& shown : cells(simulated))
        add(shown.metric, true);
    for (const auto& spec : engine::metricSpecs())
        if (engine::isSimulated(spec.metric) == simulated && !cell(spec.metric))
            add(spec.metric, false);
    auto* chooser = new MetricsChooser(rows, this);
    const auto keep = [this, simulated](const std::vector<Metric>& metrics) {
        QStringList keys;
        for (const auto metric : metrics)
            keys << QString::fromUtf8(engine::metricSpec(metric).key);
        if (m_settings)
            m_settings->setStripMetrics(simulated, keys);
        setMetrics(simulated, metrics.empty() ? usualMetrics(simulated) : metrics);
    };
    connect(chooser, &MetricsChooser::chosen, this, keep);
    connect(chooser, &MetricsChooser::resetRequested, this, [keep, chooser] {
        keep({});
        chooser->close();
    });
    chooser->move(m_more->mapToGlobal(QPoint(m_more->width() - chooser->width(), m_more->height() + 4)));
    chooser->show();
    chooser->setFocus();
}

void MetricsStrip::refreshCell(const Shown& shown, const Values& values, bool stale) {
    const double value = columnValue(values, shown.metric);
    const auto text = metricText(engine::metricSpec(shown.metric), value);
    MetricCell::Content content;
    content.value = text.value;
    content.unit = text.unit;
    content.stale = stale;
    const bool simulated = engine::isSimulated(shown.metric);
    const auto* baseline = m_document->pins().baseline();
    if (baseline && !stale && std::isfinite(value / columnValue(baseline->metrics, shown.metric)))
        tellChange(content, shown.metric, value);
    else if (simulated)
        content.note = tr("simulated");
    else if (!m_simulation->isSteady())
        content.note = tr("steady state");
    else if (!stale && std::isfinite(value))
        content.note = ExpectedErrorFinder::of(*m_document).note(shown.metric);
    if (!simulated && !stale && std::isnan(value))
        if (const auto missing = missingQuantity(*m_document, shown.metric)) {
            content.note = shown.metric == Metric::ThroughputPerArea ? tr("Set die area")
                           : missing->ends_with("price_usd")         ? tr("Set price")
                                                                     : tr("Set power");
            content.noteRole = ColorRole::Accent;
        }
    if (isUpperBound(*m_document->results().scenario, shown.metric) && std::isfinite(value)) {
        content.pill = upperBoundText();
        content.shortPill = tr("Ideal");
    }
    shown.cell->setContent(content);
    shown.cell->setToolTip(metricToolTip(shown.metric, value, stale));
}

void MetricsStrip::tellChange(MetricCell::Content& content, Metric metric, double value) const {
    const auto& baseline = *m_document->pins().baseline();
    const double ratio = value / columnValue(baseline.metrics, metric);
    content.note = tr("%1\u00d7 pinned").arg(shortNumber(ratio));
    if (engine::truthOf(*m_document->results().scenario) !=
        engine::truthOf(baseline.design)) { // neither better nor worse
        content.note = tr("%1, unlike").arg(content.note);
        content.noteRole = ColorRole::Muted;
        return;
    }
    const auto shownRatio = std::lround(ratio * 1000.0);
    const bool better = engine::metricSpec(metric).better * (shownRatio - 1000) > 0;
    content.noteRole = shownRatio == 1000 ? ColorRole::Muted : better ? ColorRole::Ok : ColorRole::Error;
}

QString MetricsStrip::metricToolTip(Metric metric, double value, bool stale) const {
    const auto& spec = engine::metricSpec(metric);
    const auto unit = metricUnit(spec, value);
    auto tip = strongMarkup(labelOf(metric));
    if (!std::isnan(value))
        tip += QStringLiteral(": %1 %2").arg(QString::fromStdString(engine::exactText(value * unit.factor)),
                                             unit.name.toHtmlEscaped());
    tip += QStringLiteral("<br>") + QString::fromUtf8(spec.about).toHtmlEscaped();
    if (const auto* baseline = m_document->pins().baseline())
        tip += tr("<br>Read against %1: %2")
                   .arg(baseline->name.toHtmlEscaped(), truthWords(engine::truthOf(baseline->design)));
    if (!std::isnan(value) && isUpperBound(*m_document->results().scenario, metric))
        tip += QStringLiteral("<br>") + upperBoundTip().toHtmlEscaped();
    if (const auto sure = ExpectedErrorFinder::of(*m_document).tip(metric); !stale && !sure.isEmpty())
        tip += QStringLiteral("<br>") + sure.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    const auto by = powerPartsText(metric, m_document->results().evaluation, m_simulation->run().get());
    tip += std::isnan(value) || by.isEmpty() ? QString() : QStringLiteral("<br>") + by.toHtmlEscaped();
    if (engine::isSimulated(metric))
        tip += QStringLiteral("<br>") + (m_simulation->isBusy() ? tr("A simulation is under way.")
                                                                : tr("Click to see all of the simulation."));
    else if (stale && !std::isnan(value))
        tip += QStringLiteral("<br>") + tr("Of the last design that could run.");
    else if (!std::isnan(value))
        tip += QStringLiteral("<br>") + tr("Click to see how it comes about.");
    return tip;
}

void MetricsStrip::refreshBottleneck() {
    const auto& evaluation = m_document->evaluation();
    MetricCell::Content content;
    if (!evaluation.feasible) {
        const bool empty = m_document->scenario().nodes.empty();
        content.value = empty ? tr("No device yet") : tr("Cannot run");
        content.icon = empty ? QStringLiteral("info") : QStringLiteral("warning");
        content.valueRole = empty ? ColorRole::Muted : ColorRole::Error;
        m_bottleneck->setToolTip(plainTip(QString::fromStdString(evaluation.reason)));
    } else {
        const auto label =
            QString::fromStdString(engine::boundLabel(m_document->results().scenario, evaluation));
        const auto colon = label.indexOf(QStringLiteral(": "));
        content.value = bottleneckPlace(*m_document).name;
        content.note = colon < 0 ? QString() : label.mid(colon + 2);
        content.icon = QStringLiteral("flame");
        content.valueRole = ColorRole::Hot;
        m_bottleneck->setToolTip(plainTip(label));
    }
    m_bottleneck->setContent(content);
}

void MetricsStrip::explain(Metric metric) {
    if (engine::isSimulated(metric)) {
        emit simulationRequested();
        return;
    }
    const auto& evaluation = m_document->evaluation();
    if (!evaluation.feasible)
        return;
    if (std::isnan(evaluation.metric(metric))) {
        if (const auto path = missingQuantity(*m_document, metric))
            emit quantityRequested(*path);
        return;
    }
    const auto* shown = cell(metric);
    ExplanationPopup::show(m_document->results().scenario, std::string(engine::metricSpec(metric).key),
                           shown && shown->isVisible() ? static_cast<QWidget*>(cell(metric)) : this);
}

void MetricsStrip::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorRole::Surface));
}

} // namespace heteroscape::widgets

#include "moc_metrics_strip.cpp"
