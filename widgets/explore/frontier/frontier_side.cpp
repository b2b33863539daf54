// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/frontier/frontier_side.h"

#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/filter_panel.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kNameWidth = 156; // px, beside tick, marker and what takes it away

QString rateText(double value, const QString& unit) {
    return std::isfinite(value) ? withUnit(QString::fromStdString(engine::shortText(value, 4)), unit)
                                : QStringLiteral("\u2013");
}

TextLabel* sectionHead(const QString& text) {
    return new TextLabel(text, TextSize::Body, ColorRole::Text, QFont::DemiBold);
}

} // namespace

FrontierSide::FrontierSide(QWidget* parent) : QWidget(parent) {
    auto* column = makeColumn(this, {12, 12, 12, 12}, 8);
    addChosen(column);
    auto* head = new QHBoxLayout;
    head->addWidget(sectionHead(tr("Systems")), 1);
    m_add = new QPushButton(tr("Add a design"), this);
    m_add->setObjectName(QStringLiteral("addFrontierDesign"));
    m_add->setToolTip(tr("Puts a design of yours, a pin or a preset on the same axes"));
    head->addWidget(m_add);
    column->addSpacing(8);
    column->addLayout(head);
    m_alike = new QPushButton(tr("Like for like"), this);
    m_alike->setObjectName(QStringLiteral("likeForLike"));
    m_alike->setToolTip(
        tr("Ideal systems, pale, are bounds that no software passes: puts them away. Undo brings "
           "them back"));
    m_alike->hide();
    connect(m_alike, &QPushButton::clicked, this, &FrontierSide::likeForLikeRequested);
    column->addWidget(m_alike);
    m_systems = new QVBoxLayout;
    m_systems->setSpacing(6);
    column->addLayout(m_systems);
    column->addSpacing(8);
    auto* limits = new QHBoxLayout;
    limits->addWidget(sectionHead(tr("Limits")), 1);
    limits->addWidget(new TextLabel(tr("drag the lines too"), TextSize::Caption, ColorRole::Muted, this));
    column->addLayout(limits);
    m_token = addLimit(column, "tokenLimit", tr("Time per token \u2264"), tr("ms"), 1, 50);
    m_firstToken = addLimit(column, "firstTokenLimit", tr("First token \u2264"), tr("s"), 2, 2);
    m_price = addLimit(column, "priceLimit", tr("Price \u2264"), tr("$"), 0, 250000);
    m_goal = addLimit(column, "tokenGoal", tr("Goal: a token \u2264"), tr("ms"), 1, 20);
    m_goal.on->setToolTip(tr("A time per token that is wished for: a dashed line, which leaves nothing out"));
    column->addSpacing(8);
    addShown(column);
    column->addStretch(1);
}

void FrontierSide::addChosen(QVBoxLayout* column) {
    m_heading = sectionHead({});
    m_words = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
    m_words->setWordWrap(true);
    column->addWidget(m_heading);
    column->addWidget(m_words);
    m_ideal = upperBoundPill(this);
    column->addWidget(m_ideal, 0, Qt::AlignLeft);
    auto* figures = new QGridLayout;
    figures->setHorizontalSpacing(12);
    figures->setVerticalSpacing(0);
    int at = 0;
    for (auto [label, name] : {std::pair(&m_rate, tr("Rate")),
                               {&m_speed, tr("Per user")},
                               {&m_first, tr("First token, median")}}) {
        *label = new TextLabel(TextSize::Body, ColorRole::Text, this, QFont::DemiBold);
        (*label)->setObjectName(QStringLiteral("frontierFigure%1").arg(at));
        figures->addWidget(new TextLabel(name, TextSize::Caption, ColorRole::Muted, this), at / 2 * 2,
                           at % 2);
        figures->addWidget(*label, at / 2 * 2 + 1, at % 2);
        ++at;
    }
    column->addLayout(figures);
    auto* buttons = new QHBoxLayout;
    m_open = new QPushButton(tr("Open on canvas"), this);
    m_open->setProperty("primary", true);
    m_open->setObjectName(QStringLiteral("openFrontierPoint"));
    m_open->setToolTip(tr("Puts its design on the canvas. Undo brings yours back"));
    m_pin = new QPushButton(tr("Pin"), this);
    m_pin->setObjectName(QStringLiteral("pinFrontierPoint"));
    m_pin->setToolTip(tr("Keeps its design among the pins, for comparison"));
    connect(m_open, &QPushButton::clicked, this, &FrontierSide::openRequested);
    connect(m_pin, &QPushButton::clicked, this, &FrontierSide::pinRequested);
    buttons->addWidget(m_open, 1);
    buttons->addWidget(m_pin);
    column->addLayout(buttons);
    showPoint({});
}

void FrontierSide::addShown(QVBoxLayout* column) {
    column->addWidget(sectionHead(tr("Show")));
    m_fronts = new QCheckBox(tr("Fronts"), this);
    m_others = new QCheckBox(tr("All points"), this);
    m_errors = new QCheckBox(tr("Expected error"), this);
    m_errors->setToolTip(tr("A band around each front: how far the rate is likely off, as on the tiles of "
                            "the point\u2019s design"));
    m_measured = new QCheckBox(tr("Measured servers"), this);
    m_measured->setObjectName(QStringLiteral("measuredServers"));
    m_measured->setEnabled(false);
    const FrontierDrawn first;
    for (auto [box, on] : {std::pair(m_fronts, first.fronts),
                           {m_others, first.others},
                           {m_errors, first.errors},
                           {m_measured, first.measured}}) {
        box->setChecked(on);
        connect(box, &QCheckBox::toggled, this, &FrontierSide::drawnChanged);
        column->addWidget(box);
    }
}

FrontierDrawn FrontierSide::drawn() const {
    return {m_fronts->isChecked(), m_others->isChecked(), m_errors->isChecked(),
            m_measured->isEnabled() && m_measured->isChecked()};
}

FrontierSide::Limit FrontierSide::addLimit(QVBoxLayout* column, const char* id, const QString& words,
                                           const QString& unit, int decimals, double usual) {
    constexpr double kMost = 99'999'999;
    constexpr int kFieldWidth = 82;
    auto* row = new QHBoxLayout;
    Limit limit{new QCheckBox(words, this), new QDoubleSpinBox(this)};
    limit.value->setDecimals(decimals);
    limit.value->setRange(std::pow(10.0, -decimals), kMost);
    limit.value->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    limit.value->setSuffix(QStringLiteral("\u2009") + unit);
    limit.value->setAccessibleName(words);
    limit.value->setValue(usual);
    limit.value->setKeyboardTracking(false);
    limit.value->setFixedWidth(kFieldWidth);
    const auto name = QString::fromLatin1(id);
    limit.value->setObjectName(name);
    connect(limit.on, &QCheckBox::toggled, this, [this, name] { emit limitsChanged(name); });
    connect(limit.value, &QDoubleSpinBox::valueChanged, this, [this, name, on = limit.on] {
        on->isChecked() ? emit limitsChanged(name) : on->setChecked(true);
    });
    row->addWidget(limit.on, 1);
    row->addWidget(limit.value);
    column->addLayout(row);
    return limit;
}

double FrontierSide::Limit::get() const {
    return on->isChecked() ? value->value() : 0.0;
}

void FrontierSide::Limit::set(double limit) const {
    const QSignalBlocker quiet(on), still(value);
    on->setChecked(limit > 0);
    if (limit > 0)
        value->setValue(limit);
}

void FrontierSide::putLimits(engine::FrontierShown& shown) const {
    shown.limits = {m_firstToken.get(), m_token.get() / 1e3, m_price.get()};
    shown.goal = m_goal.get() / 1e3;
}

void FrontierSide::setLimits(const engine::FrontierShown& shown) {
    m_firstToken.set(shown.limits.ttft);
    m_token.set(1e3 * shown.limits.timePerToken);
    m_price.set(shown.limits.price);
    m_goal.set(1e3 * shown.goal);
}

void FrontierSide::remakeSystems(std::size_t own) {
    while (auto* item = m_systems->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // a click on one of them may be under way
        delete item;
    }
    m_rows.clear();
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        const auto& name = m_names[i];
        auto* row = new QWidget(this);
        auto* grid = new QGridLayout(row);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setVerticalSpacing(0);
        auto* box = new QCheckBox(row);
        box->setObjectName(name);
        auto shown = box->fontMetrics().elidedText(name, Qt::ElideRight, kNameWidth);
        box->setText(shown.replace(u'&', QStringLiteral("&&")));
        box->setAccessibleName(name);
        box->setToolTip(plainTip(name));
        box->setMinimumWidth(0);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        const auto look = frontierLook(i);
        box->setIcon(markerIcon({look.color, look.marker}, devicePixelRatioF()));
        connect(box, &QCheckBox::toggled, this, [this, name](bool on) { emit systemToggled(name, on); });
        auto* note = new TextLabel(TextSize::Caption, ColorRole::Muted, row);
        note->setElided(true);
        grid->addWidget(box, 0, 0);
        grid->addWidget(note, 1, 0);
        if (i >= own) {
            auto* away = new QToolButton(row);
            away->setIcon(Theme::instance().icon(QStringLiteral("close")));
            away->setAccessibleName(tr("Take %1 away").arg(name));
            away->setToolTip(plainTip(tr("Take %1 away").arg(name)));
            connect(away, &QToolButton::clicked, this, [this, name] { emit systemRemoved(name); });
            grid->addWidget(away, 0, 1);
        }
        m_rows.emplace_back(box, note);
        m_systems->addWidget(row);
    }
}

void FrontierSide::setView(std::shared_ptr<const FrontierView> view, std::size_t own) {
    m_view = std::move(view);
    std::vector<QString> names;
    for (const auto& system : m_view->run->definition.systems)
        names.push_back(QString::fromStdString(system.name));
    if (names != m_names) {
        m_names = std::move(names);
        remakeSystems(own);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto& [box, note] = m_rows[i];
        const QSignalBlocker quiet(box);
        box->setChecked(!m_view->choice.shown.off.contains(m_names[i].toStdString()));
        const auto points = countText(m_view->sizes[i]), front = countText(m_view->fronts[i].size());
        const auto why = QString::fromStdString(m_view->whys[i]);
        const auto error = frontierErrorText(m_view->frontError(i));
        note->setRole(m_view->fronts[i].empty() && !why.isEmpty() ? ColorRole::Error : ColorRole::Muted);
        auto words = m_view->fronts[i].empty() && !why.isEmpty() ? why
                     : error.isEmpty() ? tr("%1 points, %2 on the front").arg(points, front)
                                       : tr("%1 points, %2 on the front, %3").arg(points, front, error);
        if (m_view->isIdealSystem(i)) // before all else: the line may be cut
            words = upperBoundText() + QStringLiteral(", ") + words;
        note->setText(words);
    }
    m_alike->setVisible(m_view->truths.areIdealAmongOthers());
    const auto measured = m_view->run->measured.size();
    m_measured->setEnabled(measured > 0);
    m_measured->setText(tr("Measured servers (%1)").arg(countText(measured)));
    m_measured->setToolTip(plainTip(
        measured > 0 ? tr("Published measurements of the same model, devices, precision and server, with "
                          "lengths at most a tenth apart")
                     : tr("None of the shipped measurements is of this model on these devices, in these "
                          "precisions and lengths")));
}

void FrontierSide::showPoint(std::optional<std::size_t> point) {
    const bool there = m_view && point;
    m_heading->setText(there ? tr("Selected point") : tr("No point is selected"));
    m_words->setText(there ? QString::fromStdString(m_view->systemOf(*point).name) + QStringLiteral("\n") +
                                 frontierPointWords(m_view->point(*point))
                           : tr("Click a point or a row: it can be opened as a design."));
    m_ideal->setVisible(there && m_view->isIdeal(*point));
    m_open->setEnabled(there);
    m_pin->setEnabled(there);
    if (!there) {
        for (auto* label : {m_rate, m_speed, m_first})
            label->setText(QStringLiteral("\u2013"));
        return;
    }
    const auto& chosen = m_view->point(*point);
    const auto* detail = m_view->detail(*point);
    const auto withError = [](const QString& figure, double percent) {
        const auto error = frontierErrorText(percent);
        return error.isEmpty() ? figure : figure + u' ' + error;
    };
    m_rate->setText(
        withError(rateText(m_view->choice.up(chosen), unitOf(frontierAxisLabel(m_view->choice.shown.axis))),
                  detail ? detail->rate.percent : std::nan("")));
    m_speed->setText(withError(rateText(chosen.rates.perUser, QStringLiteral("tok/s")),
                               detail ? detail->speed.percent : std::nan("")));
    const auto& time = m_view->firstToken;
    m_first->setText(rateText(chosen.ttftMedian * time.factor, QString::fromStdString(time.name)));
}

} // namespace heteroscape::widgets

#include "moc_frontier_side.cpp"
