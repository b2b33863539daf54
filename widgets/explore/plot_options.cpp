// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_options.h"

#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>

#include <algorithm>
#include <limits>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kOptionsWidth = 320;
constexpr int kListHeight = 132, kCasesHeight = 76;
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
      m_metrics(new QListWidget(this)), m_casesHeading(heading(tr("Cases shown"), this)),
      m_cases(new QListWidget(this)), m_crossover(new QComboBox(this)), m_crossoverWith(new QComboBox(this)) {
    setFrameShape(QFrame::StyledPanel);
    m_gain->setObjectName(QStringLiteral("gainAxis"));
    m_base->setObjectName(QStringLiteral("gainBase"));
    m_mean->setObjectName(QStringLiteral("meanKind"));
    m_metrics->setObjectName(QStringLiteral("furtherMetrics"));
    m_cases->setObjectName(QStringLiteral("cases"));
    m_crossover->setObjectName(QStringLiteral("crossover"));
    m_cases->setAccessibleName(m_casesHeading->text());
    m_crossover->setAccessibleName(tr("Crossover of curves"));
    m_cases->setFixedHeight(kCasesHeight);
    m_crossoverWith->setObjectName(QStringLiteral("crossoverWith"));
    m_crossoverWith->setAccessibleName(tr("What curves cross"));
    m_crossoverWith->addItem(tr("With curves and reference lines"),
                             static_cast<int>(engine::CrossoverWith::All));
    m_crossoverWith->addItem(tr("With other curves"), static_cast<int>(engine::CrossoverWith::Curves));
    m_crossoverWith->addItem(tr("With reference lines"), static_cast<int>(engine::CrossoverWith::References));
    m_crossover->addItem(tr("Crossovers are not marked"), -1);
    m_crossover->addItem(tr("Mark crossovers between points"),
                         static_cast<int>(engine::CrossoverKind::Interpolated));
    m_crossover->addItem(tr("Mark the first point of a new lead"),
                         static_cast<int>(engine::CrossoverKind::FirstPoint));
    m_gain->setAccessibleName(tr("Gain over"));
    m_base->setAccessibleName(tr("Base of the gain"));
    m_mean->setAccessibleName(tr("Kind of mean"));
    m_metrics->setFixedHeight(kListHeight);
    m_mean->addItem(tr("Arithmetic mean"), static_cast<int>(engine::MeanKind::Arithmetic));
    m_mean->addItem(tr("Harmonic mean"), static_cast<int>(engine::MeanKind::Harmonic));
    m_mean->addItem(tr("Sum"), static_cast<int>(engine::MeanKind::Sum));

    auto* column = makeColumn(this, {12, 10, 12, 12}, 6);
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
    column->addWidget(m_casesHeading);
    column->addWidget(m_cases);
    column->addWidget(m_metricsHeading);
    column->addWidget(m_metrics);
    column->addSpacing(4);
    addMark("logAcross", tr("Logarithmic across"), &engine::StudyPlot::logAcross);
    m_log = addMark("logValues", tr("Logarithmic values"), &engine::StudyPlot::logValues);
    addMark("optimum", tr("Mark the best point"), &engine::StudyPlot::optimum);
    addMark("shares", tr("As shares of the whole"), &engine::StudyPlot::shares);
    addMark("barValues", tr("Write values over the bars"), &engine::StudyPlot::values);
    addMark("knee", tr("Mark the knee"), &engine::StudyPlot::knee)
        ->setToolTip(tr("The point of each curve where it bends most: where a system saturates"));
    m_bands = addMark("bands", tr("Show how far values may lie off"), &engine::StudyPlot::bands);
    m_bands->setToolTip(tr("By the uncertainty of the calibrated constants, each taken by itself"));
    addMark("pareto", tr("Mark the Pareto front"), &engine::StudyPlot::pareto)
        ->setToolTip(tr("The designs that no other beats in all the metrics shown"));
    addMark("groupFronts", tr("A front for each colour"), &engine::StudyPlot::groupFronts)
        ->setToolTip(tr("Of each value by which the points are coloured those that no other of it beats"));
    addMark("frontsOnly", tr("Fronts alone"), &engine::StudyPlot::frontsOnly)
        ->setToolTip(tr("Leaves out points that are on none of these fronts"));
    addMark("measured", tr("Measured servers"), &engine::StudyPlot::measured)
        ->setToolTip(tr("Published measurements of the same model, devices, precision and server, with "
                        "lengths at most a tenth apart; none are shown where none are shipped"));
    addMark("contours", tr("Draw lines of equal value"), &engine::StudyPlot::contours);
    column->addWidget(m_crossover);
    column->addWidget(m_crossoverWith);

    connect(m_gain, &QComboBox::currentIndexChanged, this, [this] {
        const auto chosen = m_gain->currentData();
        if (chosen.typeId() == QMetaType::Int && chosen.toInt() < 0)
            m_plot.query.gain = m_given;
        else if (chosen.typeId() == QMetaType::Int) { // a case
            const auto& at = m_plot.query.cases.at(static_cast<std::size_t>(chosen.toInt())).at;
            m_plot.query.gain = {at.front().first, at.front().second, {at.begin() + 1, at.end()}};
        } else
            m_plot.query.gain = {chosen.toString().toStdString(), kNoValue};
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
        auto& metrics = furtherMetrics();
        metrics.clear();
        if (&metrics == &m_plot.metrics)
            metrics.push_back(m_plot.query.metric);
        for (int row = 0; row < m_metrics->count(); ++row)
            if (m_metrics->item(row)->checkState() == Qt::Checked)
                metrics.push_back(m_metrics->item(row)->data(Qt::UserRole).toString().toStdString());
        enableMetrics();
        emit changed();
    });
    connect(m_cases, &QListWidget::itemChanged, this, [this] {
        std::vector<engine::SeriesCase> shown;
        for (int row = 0; row < m_cases->count(); ++row)
            if (m_cases->item(row)->checkState() == Qt::Checked)
                shown.push_back(m_everyCase[static_cast<std::size_t>(row)]);
        if (shown.empty()) { // a plot of no curve says nothing
            fillCases();
            return;
        }
        m_plot.query.cases = std::move(shown);
        emit changed();
    });
    connect(m_crossover, &QComboBox::currentIndexChanged, this, [this] {
        const int kind = m_crossover->currentData().toInt();
        m_plot.crossover = kind < 0 ? std::nullopt : std::optional(static_cast<engine::CrossoverKind>(kind));
        m_crossoverWith->setEnabled(kind >= 0);
        emit changed();
    });
    connect(m_crossoverWith, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.crossoverWith = static_cast<engine::CrossoverWith>(m_crossoverWith->currentData().toInt());
        emit changed();
    });
}

QCheckBox* PlotOptions::addMark(const char* object, const QString& text, bool engine::StudyPlot::*member) {
    auto* box = new QCheckBox(text, this);
    box->setObjectName(QLatin1String(object));
    layout()->addWidget(box);
    connect(box, &QCheckBox::toggled, this, [this, member](bool on) {
        m_plot.*member = on;
        fillMarks();
        emit changed();
    });
    m_marks.emplace_back(box, member);
    return box;
}

void PlotOptions::open(std::shared_ptr<const LoadedStudy> study, const engine::StudyPlot& plot,
                       const QWidget* anchor) {
    m_study = std::move(study);
    m_plot = plot;
    fill();
    setFixedWidth(kOptionsWidth);
    adjustSize();
    auto at = anchor->mapToGlobal(QPoint(anchor->width() - kOptionsWidth, anchor->height() + 2));
    const auto screen = anchor->screen()->availableGeometry();
    at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())));
    at.setY(std::clamp(at.y(), screen.top(), std::max(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    m_gain->setFocus();
}

void PlotOptions::fill() {
    const QSignalBlocker quietGain(m_gain), quietMean(m_mean);
    m_gain->clear();
    m_gain->addItem(tr("None: the values themselves"), QString());
    for (const auto& axis : m_study->table.info.axes)
        m_gain->addItem(label(*m_study->table.find(axis.path)), QString::fromStdString(axis.path));
    const auto& gain = m_plot.query.gain;
    engine::SeriesCase base{{}, gain.further};
    base.at.emplace_back(gain.axis, gain.value);
    std::optional<int> atCase;
    for (std::size_t i = 0; i < m_plot.query.cases.size(); ++i) {
        const auto& one = m_plot.query.cases[i];
        if (!gain.further.empty() && samePlace(one, base))
            atCase = m_gain->count();
        m_gain->addItem(QString::fromStdString(one.name), static_cast<int>(i));
    }
    if (!gain.further.empty() && !atCase) {
        atCase = m_gain->count();
        m_given = gain;
        m_gain->addItem(tr("Several axes at once"), -1);
    }
    m_gain->setCurrentIndex(atCase ? *atCase
                                   : std::max(0, m_gain->findData(QString::fromStdString(gain.axis))));
    fillBases();
    fillMeans();
    m_mean->setCurrentIndex(m_mean->findData(static_cast<int>(m_plot.query.mean)));
    fillMarks();
    fillCases();
    fillMetrics();
}

/// A mark that a kind of plot has on fronts alone.
bool isOfFronts(const PlotForm& form, bool engine::StudyPlot::*mark) {
    return mark == &engine::StudyPlot::frontsOnly ||
           (mark == &engine::StudyPlot::bands && form.isOfEveryPoint());
}

/// What only some kinds of plot have is not there for the others.
void PlotOptions::fillMarks() {
    const QSignalBlocker quietCrossover(m_crossover), quietWith(m_crossoverWith);
    const auto& form = plotForm(m_plot.kind);
    m_gain->setEnabled(form.isCut());
    for (const auto& [box, member] : m_marks) {
        const QSignalBlocker quiet(box);
        box->setChecked(m_plot.*member);
        box->setVisible(form.offers(member) && (m_plot.groupFronts || !isOfFronts(form, member)));
    }
    m_log->setEnabled(form.offers(&engine::StudyPlot::logValues));
    m_log->setVisible(form.isCut() || form.isCloud());
    m_log->setText(form.isCloud() ? tr("Logarithmic upwards") : tr("Logarithmic values"));
    m_bands->setEnabled(!isSimulated(m_plot.query.metric)); // requests are not simulated so many times
    m_crossover->setCurrentIndex(
        m_crossover->findData(m_plot.crossover ? static_cast<int>(*m_plot.crossover) : -1));
    m_crossoverWith->setCurrentIndex(m_crossoverWith->findData(static_cast<int>(m_plot.crossoverWith)));
    m_crossoverWith->setEnabled(m_plot.crossover.has_value());
    for (auto* combo : {m_crossover, m_crossoverWith})
        combo->setVisible(form.crossovers);
}

/// The cases shown, then every other combination of their axes.
void PlotOptions::fillCases() {
    const QSignalBlocker quiet(m_cases);
    const auto& shown = m_plot.query.cases;
    m_everyCase = shown;
    for (auto& one : everyCase(*m_study, caseAxes(m_plot.query)))
        if (std::none_of(shown.begin(), shown.end(),
                         [&one](const auto& other) { return samePlace(one, other); }))
            m_everyCase.push_back(std::move(one));
    m_cases->clear();
    for (std::size_t i = 0; i < m_everyCase.size(); ++i) {
        auto* item = new QListWidgetItem(QString::fromStdString(m_everyCase[i].name), m_cases);
        item->setCheckState(i < shown.size() ? Qt::Checked : Qt::Unchecked);
    }
    m_casesHeading->setVisible(!shown.empty());
    m_cases->setVisible(!shown.empty());
}

void PlotOptions::fillBases() {
    const QSignalBlocker quiet(m_base);
    const double wanted = m_plot.query.gain.value;
    m_base->clear();
    const auto* column = m_study->table.find(m_plot.query.gain.axis);
    m_base->setVisible(column != nullptr && m_plot.query.gain.further.empty());
    if (!column) {
        m_plot.query.gain = {};
        return;
    }
    if (!m_plot.query.gain.further.empty())
        return;
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
        const auto& query = m_plot.query;
        const bool drawn = axis.path == query.x || axis.path == query.curve || query.inCases(axis.path);
        box->setEnabled(!drawn && plotForm(m_plot.kind).isCut());
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
    const auto& form = plotForm(m_plot.kind);
    m_metricsHeading->setVisible(form.further != nullptr);
    m_metrics->setVisible(form.further != nullptr);
    m_metricsHeading->setText(form.further ? PlotForm::words(form.further) : QString());
    m_metrics->setAccessibleName(m_metricsHeading->text());
    const auto& chosen = furtherMetrics();
    bool headed = false;
    for (const auto& column : m_study->table.columns) {
        if (!isMetric(column) || (&chosen == &m_plot.metrics && column.name == m_plot.query.metric))
            continue;
        if (isSimulated(column.name) && !std::exchange(headed, true)) {
            auto* heading = new QListWidgetItem(tr("Simulated requests"), m_metrics);
            heading->setFlags(Qt::NoItemFlags);
            heading->setFont(Theme::instance().font(TextSize::Caption, QFont::DemiBold));
        }
        auto* item = new QListWidgetItem(label(column), m_metrics);
        item->setData(Qt::UserRole, QString::fromStdString(column.name));
        const bool on = std::find(chosen.begin(), chosen.end(), column.name) != chosen.end();
        item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    enableMetrics();
}

std::vector<std::string>& PlotOptions::furtherMetrics() {
    const auto& form = plotForm(m_plot.kind);
    return form.further && !form.onRight ? m_plot.metrics : m_plot.rightMetrics;
}

/// One axis has one unit: what has another cannot be added.
void PlotOptions::enableMetrics() {
    const QSignalBlocker quiet(m_metrics);
    if (!plotForm(m_plot.kind).isChart())
        return; // each has an axis of its own
    const auto& chosen = furtherMetrics();
    const auto* unit = chosen.empty() ? nullptr : &m_study->table.find(chosen.front())->unit;
    for (int row = 0; row < m_metrics->count(); ++row) {
        auto* item = m_metrics->item(row);
        const auto* column = m_study->table.find(item->data(Qt::UserRole).toString().toStdString());
        if (!column) // a heading
            continue;
        item->setFlags(!unit || column->unit == *unit
                           ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                           : Qt::NoItemFlags);
    }
}

} // namespace heteroscape::widgets

#include "moc_plot_options.cpp"
