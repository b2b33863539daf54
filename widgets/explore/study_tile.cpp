// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_tile.h"

#include "engine/units/number_text.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

QComboBox* makeCombo(const QString& name, QWidget* parent) {
    auto* combo = new QComboBox(parent);
    combo->setAccessibleName(name);
    combo->setToolTip(name);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(8);
    return combo;
}

QString key(const QComboBox* combo) {
    return combo->currentData().toString();
}

/// Chooses the entry of a key; the fallback when there is none.
void choose(QComboBox* combo, const QString& wanted, int fallback) {
    const int found = combo->findData(wanted);
    combo->setCurrentIndex(found >= 0 ? found : std::min(fallback, combo->count() - 1));
}

} // namespace

StudyTile::StudyTile(const QString& metric, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_metricKey(metric),
      m_title(new TextLabel({}, TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_metric(makeCombo(tr("Metric"), this)), m_across(makeCombo(tr("Across"), this)),
      m_curves(makeCombo(tr("Curves"), this)), m_heldRow(new QHBoxLayout), m_view(new PlotView(this)),
      m_export(new ExportButton([this] { return m_view->chart(); },
                                {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"),
                                  [this] { return m_study ? linePlotCsv(spec()) : QString(); }}},
                                metric, this)) {
    auto* fit = new QToolButton(this);
    fit->setToolTip(tr("Show all data (Home)"));
    fit->setAccessibleName(tr("Show all data"));
    const auto restyle = [fit] { fit->setIcon(Theme::instance().icon(QStringLiteral("fit"))); };
    connect(&Theme::instance(), &Theme::changed, fit, restyle);
    restyle();
    connect(fit, &QToolButton::clicked, m_view, &PlotView::fit);

    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(m_title, 1);
    head->addWidget(fit);
    head->addWidget(m_export);
    auto* choices = new QHBoxLayout;
    choices->setSpacing(6);
    choices->addWidget(m_metric, 3);
    choices->addWidget(new TextLabel(tr("over"), TextSize::Dense, ColorRole::Muted, QFont::Normal, this));
    choices->addWidget(m_across, 3);
    choices->addWidget(new TextLabel(tr("by"), TextSize::Dense, ColorRole::Muted, QFont::Normal, this));
    choices->addWidget(m_curves, 3);
    m_heldRow->setSpacing(6);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 8, 8);
    column->setSpacing(6);
    column->addLayout(head);
    column->addLayout(choices);
    column->addLayout(m_heldRow);
    column->addWidget(m_view, 1);

    connect(m_metric, &QComboBox::currentIndexChanged, this, [this] {
        m_metricKey = key(m_metric);
        replot();
        emit metricChanged();
    });
    connect(m_across, &QComboBox::currentIndexChanged, this, [this] {
        if (key(m_curves) == key(m_across)) { // one axis cannot be both
            const QSignalBlocker quiet(m_curves);
            m_curves->setCurrentIndex(m_curves->findData(QString()));
        }
        fillHeld();
        replot();
    });
    connect(m_curves, &QComboBox::currentIndexChanged, this, [this] {
        if (!key(m_curves).isEmpty() && key(m_curves) == key(m_across)) {
            const QSignalBlocker quiet(m_across);
            for (int i = 0; i < m_across->count(); ++i)
                if (m_across->itemData(i).toString() != key(m_curves))
                    m_across->setCurrentIndex(i);
            if (key(m_curves) == key(m_across)) {
                const QSignalBlocker quietToo(m_curves);
                m_curves->setCurrentIndex(m_curves->findData(QString()));
            }
        }
        fillHeld();
        replot();
    });
    const auto rowOf = [this](ChartPoint point) -> std::optional<std::size_t> {
        if (point.line < 0 || static_cast<std::size_t>(point.line) >= m_series.size())
            return std::nullopt;
        return m_series[static_cast<std::size_t>(point.line)].rows[static_cast<std::size_t>(point.index)];
    };
    connect(m_view, &PlotView::pointClicked, this, [this, rowOf](ChartPoint point) {
        if (const auto row = rowOf(point))
            emit rowClicked(*row);
    });
    connect(m_view, &PlotView::pointActivated, this, [this, rowOf](ChartPoint point) {
        if (const auto row = rowOf(point))
            emit rowActivated(*row);
    });
}

void StudyTile::setStudy(std::shared_ptr<const LoadedStudy> study) {
    const bool same = m_study && study && m_study->table.info.id == study->table.info.id;
    m_study = std::move(study);
    if (!same) {
        m_heldValues.clear();
        m_row.reset();
    }
    if (!m_study)
        return;
    fillCombos();
    fillHeld();
    replot();
}

void StudyTile::fillCombos() {
    const auto across = key(m_across), curves = key(m_curves);
    const QSignalBlocker quiet1(m_metric), quiet2(m_across), quiet3(m_curves);
    m_metric->clear();
    m_across->clear();
    m_curves->clear();
    m_curves->addItem(tr("one curve"), QString());
    for (const auto& column : m_study->table.columns) {
        const auto label = QString::fromStdString(column.label), name = QString::fromStdString(column.name);
        if (column.isAxis) {
            m_across->addItem(label, name);
            m_curves->addItem(label, name);
        } else if (column.name != "feasible")
            m_metric->addItem(label, name);
    }
    choose(m_metric, m_metricKey, 0);
    choose(m_across, across, 0);
    const int other = m_across->currentIndex() == 0 ? 2 : 1; // entry 0 is "one curve"
    choose(m_curves, curves.isEmpty() ? QStringLiteral("?") : curves, m_across->count() > 1 ? other : 0);
    if (key(m_curves) == key(m_across))
        m_curves->setCurrentIndex(m_across->count() > 1 ? other : 0);
    m_curves->setEnabled(m_across->count() > 1);
}

void StudyTile::fillHeld() {
    while (auto* item = m_heldRow->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_held.clear();
    if (!m_study)
        return;
    const auto across = key(m_across).toStdString(), curves = key(m_curves).toStdString();
    for (const auto& axis : m_study->table.info.axes) {
        if (axis.path == across || axis.path == curves)
            continue;
        const auto* column = m_study->table.find(axis.path);
        const auto label = QString::fromStdString(column ? column->label : axis.path);
        auto* combo = makeCombo(tr("%1 held at").arg(label), this);
        for (const double value : axis.values)
            combo->addItem(QString::fromStdString(engine::tickText(value)), value);
        const auto held = m_heldValues.try_emplace(axis.path, axis.values.front()).first->second;
        combo->setCurrentIndex(std::max(0, combo->findData(held)));
        connect(combo, &QComboBox::currentIndexChanged, this, [this, combo, path = axis.path] {
            m_heldValues[path] = combo->currentData().toDouble();
            replot();
        });
        m_heldRow->addWidget(new TextLabel(label, TextSize::Caption, ColorRole::Muted, QFont::Normal, this));
        m_heldRow->addWidget(combo);
        m_held[axis.path] = combo;
    }
    if (!m_held.empty())
        m_heldRow->addStretch(1);
}

engine::SeriesQuery StudyTile::query() const {
    engine::SeriesQuery query{
        key(m_across).toStdString(), key(m_curves).toStdString(), key(m_metric).toStdString(), {}};
    for (const auto& [path, combo] : m_held)
        query.fixed.emplace_back(path, combo->currentData().toDouble());
    return query;
}

LinePlotSpec StudyTile::spec() const {
    return studyPlot(m_study->table, query());
}

void StudyTile::replot() {
    if (!m_study || m_metric->count() == 0 || m_across->count() == 0)
        return;
    m_series = engine::studySeries(m_study->table, query());
    m_title->setText(m_study->table.find(query().metric)->label.c_str());
    m_view->setPlot(spec());
    selectRow(m_row);
}

void StudyTile::selectRow(std::optional<std::size_t> row) {
    m_row = row;
    std::optional<ChartPoint> point;
    for (std::size_t line = 0; row && line < m_series.size(); ++line) {
        const auto& rows = m_series[line].rows;
        const auto found = std::find(rows.begin(), rows.end(), *row);
        if (found != rows.end())
            point = ChartPoint{static_cast<int>(line), static_cast<int>(found - rows.begin())};
    }
    m_view->select(point);
}

} // namespace heteroscape::widgets
