// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/metrics_strip.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/offload_view.h"
#include "widgets/document/serving_view.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/plain_text.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Metric;

constexpr int kLate = 300; // ms

double shownValue(const std::array<double, engine::kMetricCount>& values, Metric metric, double factor) {
    const auto& spec = engine::metricSpec(metric);
    return values[static_cast<std::size_t>(metric)] / spec.scale * factor;
}

/// The same metric in a unit that leaves no zeros to count.
struct Scaled {
    double factor;
    QString unit;
};
std::optional<Scaled> otherScale(const QString& unit, double value) {
    if (unit == QStringLiteral("ms") && value >= 1e4)
        return Scaled{1e-3, QStringLiteral("s")};
    if (!(value < 0.01))
        return {};
    if (unit == QStringLiteral("tok/s/k$"))
        return Scaled{1e3, QStringLiteral("tok/s/M$")};
    if (unit == QStringLiteral("tok/s/W"))
        return Scaled{1e3, QStringLiteral("tok/s/kW")};
    if (unit == QStringLiteral("tok/s/mm\u00b2"))
        return Scaled{1e6, QStringLiteral("tok/s/m\u00b2")};
    return {};
}

} // namespace

MetricsStrip::MetricsStrip(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_simulation(simulationOf(document)),
      m_bottleneck(new MetricCell(tr("Bottleneck"), this)) {
    setFixedHeight(64);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    addCell(Metric::Throughput, tr("Throughput"), 1.0, QStringLiteral("tok/s"));
    addCell(Metric::TimeToFirstToken, tr("Time to first token"), 1.0, QStringLiteral("ms"));
    addCell(Metric::TimePerToken, tr("Time per token"), 1.0, QStringLiteral("ms"));
    addCell(Metric::ThroughputPerPrice, tr("Cost efficiency"), 1000.0, QStringLiteral("tok/s/k$"));
    addCell(Metric::ThroughputPerPower, tr("Energy efficiency"), 1.0, QStringLiteral("tok/s/W"));
    addCell(Metric::ThroughputPerArea, tr("Area efficiency"), 1.0, QStringLiteral("tok/s/mm\u00b2"));
    addCell(Metric::CostPerToken, tr("Cost of tokens"), 1.0, QStringLiteral("$/Mtok"));
    addCell(Metric::FirstTokenP99, tr("TTFT, p99"), 1.0, QStringLiteral("ms"));
    m_cells.back().simulated = true;
    addCell(Metric::ServedThroughput, tr("Served"), 1.0, QStringLiteral("tok/s"));
    m_cells.back().simulated = true;
    row->addWidget(m_bottleneck, 1);
    connect(m_bottleneck, &QAbstractButton::clicked, this, [this] {
        const auto place = bottleneckPlace(*m_document);
        if (place.node)
            m_document->select({{*place.node}, {}});
        else if (place.link)
            m_document->select({{}, {*place.link}});
    });
    connect(document, &Document::reset, this, &MetricsStrip::forget);
    connect(document, &Document::changed, this, &MetricsStrip::refresh);
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

void MetricsStrip::addCell(Metric metric, const QString& caption, double factor, const QString& unit) {
    auto* cell = new MetricCell(caption, this);
    const auto& spec = engine::metricSpec(metric);
    // A time is told in ms whatever the unit of the metric's column is.
    if (unit == QStringLiteral("ms") && spec.unit == "s")
        factor *= 1000.0;
    m_cells.push_back({metric, cell, factor, unit});
    layout()->addWidget(cell);
    const auto index = m_cells.size() - 1;
    connect(cell, &QAbstractButton::clicked, this, [this, index] { cellClicked(m_cells[index]); });
}

MetricCell* MetricsStrip::cell(Metric metric) const {
    for (const auto& shown : m_cells)
        if (shown.metric == metric)
            return shown.cell;
    return nullptr;
}

void MetricsStrip::setNotesVisible(bool visible) {
    for (const auto& shown : m_cells)
        shown.cell->setNoteVisible(visible);
    fitCells();
}

void MetricsStrip::pinBaseline() {
    if (!m_document->evaluation().feasible)
        return;
    m_baseline = m_document->evaluation().metrics;
    if (const auto run = m_simulation->run(); run && !m_simulation->isBusy())
        m_baseline = run->evaluation.metrics; // those and what was simulated
    refresh();
    emit baselineChanged();
}

void MetricsStrip::clearBaseline() {
    m_baseline.reset();
    refresh();
    emit baselineChanged();
}

void MetricsStrip::forget() {
    m_last.reset(); // the baseline stays: comparing two designs is what it is for
}

void MetricsStrip::refresh() {
    const auto& evaluation = m_document->evaluation();
    if (evaluation.feasible)
        m_last = evaluation.metrics;
    Values none;
    none.fill(engine::kUnset);
    for (const auto& shown : m_cells)
        if (!shown.simulated)
            refreshCell(shown, m_last.value_or(none), !evaluation.feasible);
    refreshBottleneck();
    // While a simulation is under way its metrics stand; it tells when there are others.
    if (!m_simulation->isBusy())
        refreshSimulated();
    fitCells();
}

void MetricsStrip::refreshSimulated() {
    const auto run = m_simulation->run();
    Values none;
    none.fill(engine::kUnset);
    for (const auto& shown : m_cells)
        if (shown.simulated)
            refreshCell(shown, run ? run->evaluation.metrics : none, !run || m_simulation->isBusy());
    fitCells();
}

void MetricsStrip::fitCells() {
    // Where there is no room for all, the cost of tokens tells more of an offloading system, the area of
    // others.
    const auto& nodes = m_document->evaluation().nodes;
    const bool offloads =
        std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.offload.active; });
    auto* cost = cell(Metric::CostPerToken);
    auto* area = cell(Metric::ThroughputPerArea);
    std::array<MetricCell*, 4> spare{cost, area, cell(Metric::ThroughputPerPower),
                                     cell(Metric::ThroughputPerPrice)};
    if (offloads)
        std::swap(spare[0], spare[1]);
    // A simulation has more to tell than they have; without one only the first of them gives way.
    const bool simulated = !m_simulation->isSteady();
    int wanted = m_bottleneck->sizeHint().width();
    for (const auto& shown : m_cells) {
        if (shown.simulated)
            shown.cell->setVisible(simulated);
        if (!shown.simulated || simulated)
            wanted += shown.cell->sizeHint().width();
    }
    for (auto* one : spare) {
        const bool fits = wanted <= width() || (!simulated && one != spare[0]);
        one->setVisible(fits);
        if (!fits)
            wanted -= one->sizeHint().width();
    }
}

void MetricsStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitCells();
}

void MetricsStrip::refreshCell(const Shown& shown, const Values& values, bool stale) {
    const auto& spec = engine::metricSpec(shown.metric);
    const double value = shownValue(values, shown.metric, shown.factor);
    MetricCell::Content content;
    content.value = shortNumber(value);
    content.unit = shown.unit;
    // Offloading systems take minutes for what others do in milliseconds.
    if (const auto scaled = otherScale(shown.unit, value)) {
        content.value = shortNumber(value * scaled->factor);
        content.unit = scaled->unit;
    }
    content.stale = stale;
    if (shown.simulated && (!m_baseline || std::isnan(shownValue(*m_baseline, shown.metric, 1.0)))) {
        content.note = tr("simulated");
    } else if (!stale && std::isnan(value)) {
        if (missingQuantity(shown.metric)) {
            content.note = shown.metric == Metric::ThroughputPerArea               ? tr("Set die area")
                           : missingQuantity(shown.metric)->ends_with("price_usd") ? tr("Set price")
                                                                                   : tr("Set power");
            content.noteRole = ColorRole::Accent;
        }
    } else if (!stale && m_baseline) {
        const double ratio = value / shownValue(*m_baseline, shown.metric, shown.factor);
        if (std::isfinite(ratio)) {
            content.note = tr("%1\u00d7 pinned").arg(shortNumber(ratio));
            const auto shownRatio = std::lround(ratio * 1000.0);
            const bool better = spec.better * (shownRatio - 1000) > 0;
            content.noteRole = shownRatio == 1000 ? ColorRole::Muted
                               : better           ? ColorRole::Ok
                                                  : ColorRole::Error;
        }
    }
    shown.cell->setContent(content);
    shown.cell->setToolTip(metricToolTip(shown, value, stale));
}

/// Markup: all but its own words is escaped.
QString MetricsStrip::metricToolTip(const Shown& shown, double value, bool stale) const {
    const auto& spec = engine::metricSpec(shown.metric);
    auto tip = QStringLiteral("<b>%1</b>").arg(QString::fromUtf8(spec.label).toHtmlEscaped());
    if (!std::isnan(value))
        tip += QStringLiteral(": %1 %2").arg(QString::fromStdString(engine::exactText(value)),
                                             shown.unit.toHtmlEscaped());
    tip += QStringLiteral("<br>") + QString::fromUtf8(spec.about).toHtmlEscaped();
    if (shown.simulated)
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
        content.value = m_document->scenario().nodes.empty() ? tr("No device yet") : tr("Cannot run");
        content.icon =
            m_document->scenario().nodes.empty() ? QStringLiteral("info") : QStringLiteral("warning");
        content.valueRole = m_document->scenario().nodes.empty() ? ColorRole::Muted : ColorRole::Error;
        m_bottleneck->setToolTip(plainTip(QString::fromStdString(evaluation.reason)));
    } else {
        const auto label =
            QString::fromStdString(engine::boundLabel(m_document->evaluatedScenario(), evaluation));
        const auto colon = label.indexOf(QStringLiteral(": "));
        content.value = bottleneckPlace(*m_document).name;
        content.note = colon < 0 ? QString() : label.mid(colon + 2);
        content.icon = QStringLiteral("flame");
        content.valueRole = ColorRole::Hot;
        m_bottleneck->setToolTip(plainTip(label));
    }
    m_bottleneck->setContent(content);
}

std::optional<std::string> MetricsStrip::missingQuantity(Metric metric) const {
    for (const auto& node : m_document->evaluatedScenario().nodes) {
        const auto prefix = "nodes." + node.id.value + ".device.";
        const auto& device = node.device;
        if (metric == Metric::ThroughputPerArea && engine::isAccelerator(device.kind) &&
            !device.dieArea.isSet())
            return prefix + "die_area_mm2";
        const bool costs = metric == Metric::CostPerToken;
        if ((costs || metric == Metric::ThroughputPerPrice) && !engine::isFabric(device.kind) &&
            !device.price.isSet())
            return prefix + "price_usd";
        const auto* use = nodeEvaluation(*m_document, node.id);
        if ((!costs && metric != Metric::ThroughputPerPower) || !use)
            continue;
        if (use->prefillBusy > 0.0 && !device.powerPrefill.isSet())
            return prefix + "power_prefill_w";
        if (use->decodeBusy > 0.0 && !device.powerDecode.isSet())
            return prefix + "power_decode_w";
        if (use->busy() < 1.0 && !engine::isFabric(device.kind) && !device.powerIdle.isSet())
            return prefix + "power_idle_w";
    }
    return std::nullopt;
}

void MetricsStrip::cellClicked(const Shown& shown) {
    if (shown.simulated) {
        emit simulationRequested();
        return;
    }
    const auto& evaluation = m_document->evaluation();
    if (!evaluation.feasible)
        return;
    if (std::isnan(evaluation.metric(shown.metric))) {
        if (const auto path = missingQuantity(shown.metric))
            emit quantityRequested(*path);
        return;
    }
    ExplanationPopup::show(m_document->evaluatedScenario(), std::string(engine::metricSpec(shown.metric).key),
                           shown.cell);
}

void MetricsStrip::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorRole::Surface));
}

} // namespace heteroscape::widgets
