// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/selected_panel.h"

#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

SelectedPanel::SelectedPanel(StudyMarks* marks, QWidget* parent)
    : QWidget(parent), m_marks(marks), m_star(new QLabel(this)),
      m_heading(new TextLabel({}, TextSize::Body, ColorRole::Text, QFont::DemiBold, this)),
      m_ideal(upperBoundPill(this)), m_name(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_grid(new QGridLayout),
      m_reason(new TextLabel(tr("Not feasible"), TextSize::Dense, ColorRole::Muted, this)),
      m_alike(new QPushButton(tr("Like for like"), this)),
      m_open(new QPushButton(tr("Open on canvas"), this)), m_pin(new QPushButton(tr("Pin"), this)),
      m_pinDesign(new QPushButton(tr("Pin the open design"), this)),
      m_unpin(new QPushButton(tr("Unpin"), this)) {
    m_name->setWordWrap(true);
    m_alike->setObjectName(QStringLiteral("likeForLike"));
    m_alike->setToolTip(tr("Ideal points stand beside others, pale: they are bounds that no software passes. "
                           "Leaves them out; \u201cClear filter\u201d brings them back"));
    connect(m_alike, &QPushButton::clicked, this, [this] {
        auto limits = m_marks->limits();
        limits.push_back(engine::likeForLike(m_marks->study()->truths));
        m_marks->setLimits(std::move(limits));
    });
    m_open->setProperty("primary", true);
    m_open->setObjectName(QStringLiteral("openOnCanvas"));
    m_open->setToolTip(tr("Puts its design on the canvas. Undo brings yours back. Or Ctrl+click a point"));
    m_pin->setObjectName(QStringLiteral("pinPoint"));
    m_pin->setAccessibleName(tr("Pin as baseline"));
    m_pin->setToolTip(tr("Pin as baseline: everything reads as ratio to this point (B)"));
    m_pinDesign->setObjectName(QStringLiteral("pinDesign"));
    m_pinDesign->setToolTip(tr("Everything reads as ratio to the design on the canvas"));
    m_unpin->setObjectName(QStringLiteral("unpin"));
    m_unpin->setToolTip(tr("Read the metrics as they are (Shift+B)"));
    connect(m_open, &QPushButton::clicked, this, &SelectedPanel::openRequested);
    connect(m_pin, &QPushButton::clicked, this, &SelectedPanel::pinRequested);
    connect(m_pinDesign, &QPushButton::clicked, this, &SelectedPanel::pinDesignRequested);
    connect(m_unpin, &QPushButton::clicked, this, &SelectedPanel::unpinRequested);
    Theme::instance().follow(this, [this] {
        const auto& theme = Theme::instance();
        m_star->setPixmap(
            theme.pixmap(QStringLiteral("star-filled"), theme.series(1), 16, devicePixelRatioF()));
        m_pin->setIcon(theme.icon(QStringLiteral("pin")));
    });

    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(m_star);
    head->addWidget(m_heading, 1);
    makeMetrics();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_open, 1);
    buttons->addWidget(m_pin);
    auto* more = new QHBoxLayout;
    more->setSpacing(8);
    more->addWidget(m_pinDesign, 1);
    more->addWidget(m_unpin);
    auto* column = makeColumn(this, {}, 6);
    column->addLayout(head);
    auto* truth = new QHBoxLayout;
    truth->addWidget(m_ideal);
    truth->addStretch(1);
    truth->addWidget(m_alike);
    column->addLayout(truth);
    column->addWidget(m_name);
    column->addLayout(m_grid);
    column->addLayout(buttons);
    column->addLayout(more);
}

void SelectedPanel::showPoint(std::optional<std::size_t> row, bool best,
                              const std::vector<std::string>& leading) {
    m_row = row;
    const auto& study = m_marks->study();
    setVisible(study != nullptr);
    if (!study)
        return;
    m_star->setVisible(best);
    const auto& truths = study->truths;
    const bool leads = row && best && study->isIdeal(*row);
    m_heading->setText(!row                  ? tr("No point to choose")
                       : m_marks->selected() ? best ? tr("Selected: best point") : tr("Selected point")
                       : leads ? tr("Best point: an ideal one")
                                             : tr("Best point"));
    m_ideal->setVisible(row && !study->definition.base->nodes.empty() &&
                        engine::truthOf(study->scenarioOf(*row)) == engine::Truth::Ideal);
    const auto& limits = m_marks->limits();
    m_alike->setVisible(truths.areIdealAmongOthers() &&
                        std::none_of(limits.begin(), limits.end(),
                                     [](const auto& limit) { return limit.column == engine::kTruthColumn; }));
    m_name->setText(row ? study->nameOf(*row) : tr("No point is feasible and kept."));
    m_open->setEnabled(row.has_value());
    m_pin->setEnabled(row.has_value());
    m_unpin->setVisible(m_marks->baseline() != nullptr);
    fillMetrics(leading);
}

/// They stay, whatever they show: a panel that shrinks and grows with every part of a study that is running
/// would move all that lies below it.
void SelectedPanel::makeMetrics() {
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
    int index = 0;
    for (auto& [name, value] : m_metrics) {
        name = new TextLabel({}, TextSize::Caption, ColorRole::Muted, this);
        value = new TextLabel({}, TextSize::Body, ColorRole::Text, QFont::DemiBold, this);
        const int row = index / 2 * 3, column = index++ % 2;
        for (auto* label : {name, value}) {
            label->setElided(true);
            label->hide();
            m_grid->addWidget(label, label == name ? row : row + 1, column);
        }
    }
    m_grid->addWidget(m_reason, 0, 0, 1, 2);
}

void SelectedPanel::fillMetrics(const std::vector<std::string>& leading) {
    auto wanted = leading;
    wanted.insert(wanted.end(), {"throughput_tok_s", "ttft_s", "tpot_s", "price_usd", "latency_s"});
    const auto& table = m_marks->study()->table;
    std::vector<const engine::StudyColumn*> shown;
    for (const auto& name : wanted) {
        const auto* column = table.find(name);
        if (m_row && column && shown.size() < m_metrics.size() &&
            std::find(shown.begin(), shown.end(), column) == shown.end() &&
            !std::isnan(engine::feasibleValue(table, *column, *m_row)))
            shown.push_back(column);
    }
    m_reason->setVisible(m_row && shown.empty());
    for (std::size_t i = 0; i < m_metrics.size(); ++i) {
        if (i < shown.size())
            showMetric(m_metrics[i], *shown[i]);
        m_metrics[i].name->setVisible(i < shown.size());
        m_metrics[i].value->setVisible(i < shown.size());
        m_grid->setRowMinimumHeight(static_cast<int>(i) / 2 * 3 + 2, i / 2 * 2 < shown.size() ? 6 : 0);
    }
}

void SelectedPanel::showMetric(const Metric& metric, const engine::StudyColumn& column) {
    const double value = engine::feasibleValue(m_marks->study()->table, column, *m_row);
    const auto label = QString::fromStdString(column.label);
    const auto unit = engine::shownUnit(column.unit, value);
    auto text = withUnit(QString::fromStdString(engine::shortText(value * unit.factor)),
                         QString::fromStdString(unit.name));
    const auto exact =
        withUnit(QString::fromStdString(engine::exactText(value)), QString::fromStdString(column.unit));
    if (const auto& baseline = m_marks->baseline(); baseline && baseline->metrics.contains(column.name))
        text = QString::fromStdString(engine::shortText(baseline->ratio(column.name, value))) +
               QStringLiteral("\u2009×");
    metric.name->setText(label);
    metric.value->setText(text);
    metric.value->setObjectName(QStringLiteral("metric-") + QString::fromStdString(column.name));
    metric.value->setToolTip(plainTip(exact));
    metric.value->setAccessibleName(label + QStringLiteral(": ") + text);
}

} // namespace heteroscape::widgets

#include "moc_selected_panel.cpp"
