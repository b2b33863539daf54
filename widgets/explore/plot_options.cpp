// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_options.h"

#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr int kWidth = 320;
constexpr int kListHeight = 132;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN(); ///< on no axis: the first is taken

QString label(const engine::StudyColumn& column) {
    return QString::fromStdString(column.label);
}

TextLabel* heading(const QString& text, QWidget* parent) {
    return new TextLabel(text, TextSize::Dense, ColorRole::Text, QFont::Medium, parent);
}

} // namespace

PlotOptions::PlotOptions(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_gain(new QComboBox(this)), m_base(new QComboBox(this)),
      m_meanColumn(new QVBoxLayout), m_mean(new QComboBox(this)), m_metricsHeading(heading({}, this)),
      m_metrics(new QListWidget(this)), m_log(new QCheckBox(tr("Logarithmic values"), this)),
      m_optimum(new QCheckBox(tr("Mark the best point"), this)) {
    setFrameShape(QFrame::StyledPanel);
    m_gain->setObjectName(QStringLiteral("gainAxis"));
    m_base->setObjectName(QStringLiteral("gainBase"));
    m_mean->setObjectName(QStringLiteral("meanKind"));
    m_metrics->setObjectName(QStringLiteral("furtherMetrics"));
    m_log->setObjectName(QStringLiteral("logValues"));
    m_optimum->setObjectName(QStringLiteral("optimum"));
    m_gain->setAccessibleName(tr("Gain over"));
    m_base->setAccessibleName(tr("Base of the gain"));
    m_mean->setAccessibleName(tr("Kind of mean"));
    m_metrics->setFixedHeight(kListHeight);
    m_mean->addItem(tr("Arithmetic mean"), static_cast<int>(engine::MeanKind::Arithmetic));
    m_mean->addItem(tr("Harmonic mean"), static_cast<int>(engine::MeanKind::Harmonic));
    m_mean->addItem(tr("Sum"), static_cast<int>(engine::MeanKind::Sum));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 12);
    column->setSpacing(6);
    column->addWidget(heading(tr("Gain over"), this));
    auto* gain = new QHBoxLayout;
    gain->addWidget(m_gain, 3);
    gain->addWidget(m_base, 2);
    column->addLayout(gain);
    column->addSpacing(4);
    column->addWidget(heading(tr("Mean over"), this));
    m_meanColumn->setSpacing(2);
    column->addLayout(m_meanColumn);
    column->addWidget(m_mean);
    column->addSpacing(4);
    column->addWidget(m_metricsHeading);
    column->addWidget(m_metrics);
    column->addSpacing(4);
    column->addWidget(m_log);
    column->addWidget(m_optimum);

    connect(m_gain, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.query.gain = {m_gain->currentData().toString().toStdString(), kNoValue};
        fillBases();
        emit changed();
    });
    connect(m_base, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.query.gain.value = m_base->currentData().toDouble();
        emit changed();
    });
    connect(m_mean, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.query.mean = static_cast<engine::MeanKind>(m_mean->currentData().toInt());
        emit changed();
    });
    connect(m_metrics, &QListWidget::itemChanged, this, [this] {
        const bool bars = m_plot.kind == engine::PlotKind::Bars;
        auto& metrics = bars ? m_plot.metrics : m_plot.rightMetrics;
        metrics.clear();
        if (bars)
            metrics.push_back(m_plot.query.metric);
        for (int row = 0; row < m_metrics->count(); ++row)
            if (m_metrics->item(row)->checkState() == Qt::Checked)
                metrics.push_back(m_metrics->item(row)->data(Qt::UserRole).toString().toStdString());
        enableMetrics();
        emit changed();
    });
    connect(m_log, &QCheckBox::toggled, this, [this](bool on) {
        m_plot.logValues = on;
        emit changed();
    });
    connect(m_optimum, &QCheckBox::toggled, this, [this](bool on) {
        m_plot.optimum = on;
        emit changed();
    });
}

void PlotOptions::open(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot,
                       const QWidget* anchor) {
    m_study = std::move(study);
    m_plot = plot;
    fill();
    setFixedWidth(kWidth);
    adjustSize();
    auto at = anchor->mapToGlobal(QPoint(anchor->width() - kWidth, anchor->height() + 2));
    const auto screen = anchor->screen()->availableGeometry();
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    at.setY(std::clamp(at.y(), screen.top(), std::max(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    m_gain->setFocus();
}

void PlotOptions::fill() {
    const QSignalBlocker quietGain(m_gain), quietMean(m_mean), quietLog(m_log), quietOptimum(m_optimum);
    m_gain->clear();
    m_gain->addItem(tr("None: the values themselves"), QString());
    for (const auto& axis : m_study->table.info.axes)
        m_gain->addItem(label(*m_study->table.find(axis.path)), QString::fromStdString(axis.path));
    m_gain->setCurrentIndex(std::max(0, m_gain->findData(QString::fromStdString(m_plot.query.gain.axis))));
    fillBases();
    fillMeans();
    m_mean->setCurrentIndex(m_mean->findData(static_cast<int>(m_plot.query.mean)));
    m_log->setChecked(m_plot.logValues);
    m_log->setEnabled(m_plot.kind != engine::PlotKind::HeatMap);
    m_optimum->setChecked(m_plot.optimum);
    m_optimum->setEnabled(m_plot.kind != engine::PlotKind::Bars);
    fillMetrics();
}

void PlotOptions::fillBases() {
    const QSignalBlocker quiet(m_base);
    const double wanted = m_plot.query.gain.value;
    m_base->clear();
    const auto* column = m_study->table.find(m_plot.query.gain.axis);
    m_base->setVisible(column != nullptr);
    if (!column) {
        m_plot.query.gain = {};
        return;
    }
    for (const double value : m_study->axis(column->name)->values)
        m_base->addItem(m_study->textWithUnit(*column, value), value);
    m_base->setCurrentIndex(std::max(0, m_base->findData(wanted)));
    m_plot.query.gain.value = m_base->currentData().toDouble();
}

void PlotOptions::fillMeans() {
    for (auto* box : m_means)
        delete box;
    m_means.clear();
    for (const auto& axis : m_study->table.info.axes) {
        auto* box = new QCheckBox(label(*m_study->table.find(axis.path)), this);
        box->setObjectName(QStringLiteral("mean.") + QString::fromStdString(axis.path));
        auto& over = m_plot.query.meanOver;
        box->setChecked(std::find(over.begin(), over.end(), axis.path) != over.end());
        const bool drawn = axis.path == m_plot.query.x || axis.path == m_plot.query.curve;
        box->setEnabled(!drawn);
        if (drawn)
            box->setToolTip(tr("This axis is drawn"));
        m_meanColumn->addWidget(box);
        m_means.push_back(box);
        connect(box, &QCheckBox::toggled, this, [this, path = axis.path](bool on) {
            auto& means = m_plot.query.meanOver;
            std::erase(means, path);
            if (on)
                means.push_back(path);
            m_mean->setEnabled(!means.empty());
            emit changed();
        });
    }
    m_mean->setEnabled(!m_plot.query.meanOver.empty());
}

void PlotOptions::fillMetrics() {
    const QSignalBlocker quiet(m_metrics);
    m_metrics->clear();
    const bool bars = m_plot.kind == engine::PlotKind::Bars;
    const bool used = m_plot.kind != engine::PlotKind::HeatMap;
    m_metricsHeading->setVisible(used);
    m_metrics->setVisible(used);
    m_metricsHeading->setText(bars ? tr("Stacked on it") : tr("On the right axis"));
    m_metrics->setAccessibleName(m_metricsHeading->text());
    const auto& chosen = bars ? m_plot.metrics : m_plot.rightMetrics;
    for (const auto& column : m_study->table.columns) {
        if (column.isAxis || column.name == "feasible" || (bars && column.name == m_plot.query.metric))
            continue;
        auto* item = new QListWidgetItem(label(column), m_metrics);
        item->setData(Qt::UserRole, QString::fromStdString(column.name));
        const bool on = std::find(chosen.begin(), chosen.end(), column.name) != chosen.end();
        item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    enableMetrics();
}

/// One axis has one unit: what has another cannot be added.
void PlotOptions::enableMetrics() {
    const QSignalBlocker quiet(m_metrics);
    const bool bars = m_plot.kind == engine::PlotKind::Bars;
    const auto& chosen = bars ? m_plot.metrics : m_plot.rightMetrics;
    const auto* unit = chosen.empty() ? nullptr : &m_study->table.find(chosen.front())->unit;
    for (int row = 0; row < m_metrics->count(); ++row) {
        auto* item = m_metrics->item(row);
        const auto* column = m_study->table.find(item->data(Qt::UserRole).toString().toStdString());
        item->setFlags(!unit || column->unit == *unit
                           ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                           : Qt::NoItemFlags);
    }
}

} // namespace heteroscape::widgets
