// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/layout_proposals.h"

#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr std::array kSides{engine::Role::Both, engine::Role::Attention, engine::Role::Ffn};

} // namespace

SideChoice::SideChoice(QWidget* parent) : QWidget(parent) {
    auto* group = new QButtonGroup(this);
    auto* row = makeRow(this, {14, 4, 14, 2}, 4);
    for (std::size_t i = 0; i < kSides.size(); ++i) {
        auto* button = new QPushButton(this);
        button->setCheckable(true);
        button->setFont(Theme::instance().font(TextSize::Dense));
        group->addButton(button);
        row->addWidget(button, 1);
        connect(button, &QPushButton::clicked, this, [this, side = kSides[i]] {
            if (side != m_now)
                emit chosen(side);
        });
        m_buttons[i] = button;
    }
    m_buttons[0]->setText(tr("Whole"));
    m_buttons[0]->setToolTip(tr("All of every layer"));
    m_buttons[1]->setText(tr("Attention"));
    m_buttons[1]->setToolTip(
        tr("Attention of every layer with its KV cache; another node works off the feed-forward networks"));
    m_buttons[2]->setToolTip(tr("The feed-forward networks of every layer; another node attends"));
}

void SideChoice::show(engine::Role role, bool mixture) {
    m_buttons[2]->setText(mixture ? tr("Experts") : tr("FFN"));
    m_now = role == engine::Role::Attention || role == engine::Role::Ffn ? role : engine::Role::Both;
    button(m_now)->setChecked(true);
}

QPushButton* SideChoice::button(engine::Role role) const {
    for (std::size_t i = 0; i < kSides.size(); ++i)
        if (kSides[i] == role)
            return m_buttons[i];
    return nullptr;
}

namespace {

constexpr std::array kRankedBy{engine::Metric::Throughput,       engine::Metric::TimePerToken,
                               engine::Metric::TimeToFirstToken, engine::Metric::Latency,
                               engine::Metric::EnergyPerToken,   engine::Metric::CostPerToken};

QString metricShown(engine::Metric metric, double value) {
    const auto text = metricText(engine::metricSpec(metric), value);
    return text.value + QLatin1Char(' ') + text.unit;
}

/// A button as wide as its column, however long the text: what has no room is elided and told by the tip.
class RemedyButton : public QPushButton {
public:
    RemedyButton(const QString& text, QWidget* parent) : QPushButton(text, parent) {
        setToolTip(wrappedTip(text));
    }

    QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(QStringLiteral("MM\u2026")),
                QPushButton::sizeHint().height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        const auto room = style()->subElementRect(QStyle::SE_PushButtonContents, &option, this).width();
        option.text = fontMetrics().elidedText(text(), Qt::ElideRight, room);
        painter.drawControl(QStyle::CE_PushButton, option);
    }
};

} // namespace

LayoutOption::LayoutOption(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LayoutOption::show(const engine::RankedLayout& ranked, bool inUse) {
    m_laid = ranked.laid;
    setText(QString::fromStdString(engine::layoutPhrase(ranked.laid)));
    const auto needs = tr("%1 GB").arg(shortNumber(ranked.bytes / engine::units::GB));
    m_needs = inUse ? tr("%1, in use").arg(needs) : needs;
    m_rate = metricShown(engine::Metric::Throughput, ranked.throughput);
    m_time = tr("%1 a token").arg(metricShown(engine::Metric::TimePerToken, ranked.timePerToken));
    setChecked(inUse);
    setAccessibleName(QStringList{text(), m_needs, m_rate, m_time}.join(QStringLiteral(", ")));
    setToolTip(plainTip(inUse ? tr("The layout in use") : tr("Lay the model out so")));
    update();
}

void LayoutOption::enterEvent(QEnterEvent*) {
    update();
}

void LayoutOption::leaveEvent(QEvent*) {
    update();
}

void LayoutOption::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto box = QRectF(rect()).adjusted(12.5, 1.5, -12.5, -1.5);
    painter.setPen(QPen(theme.color(isChecked() || underMouse() ? ColorRole::Accent : ColorRole::Border), 1));
    painter.setBrush(theme.color(isChecked() ? ColorRole::AccentSoft : ColorRole::Surface));
    painter.drawRoundedRect(box, 4, 4);
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, 4, 4);
    }
    const QPointF dot(box.left() + 15, box.center().y());
    painter.setPen(QPen(theme.color(isChecked() ? ColorRole::Accent : ColorRole::BorderControl), 1.4));
    painter.setBrush(theme.color(ColorRole::Surface));
    painter.drawEllipse(dot, 6.5, 6.5);
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::Accent));
        painter.drawEllipse(dot, 3.5, 3.5);
    }
    const auto inside = box.adjusted(30, 3, -9, -3);
    const QRectF upper(inside.left(), inside.top(), inside.width(), inside.height() / 2);
    const auto lower = upper.translated(0, upper.height());
    const auto write = [&](const QRectF& line, const QString& left, const QString& right, const QFont& font,
                           ColorRole leftRole, ColorRole rightRole) {
        painter.setFont(font);
        const auto metrics = painter.fontMetrics();
        const int width = metrics.horizontalAdvance(right);
        painter.setPen(theme.color(rightRole));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
        const auto room = line.adjusted(0, 0, -width - 8, 0);
        painter.setPen(theme.color(leftRole));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(left, Qt::ElideRight, static_cast<int>(room.width())));
    };
    write(upper, text(), m_rate, theme.font(TextSize::Dense, QFont::DemiBold), ColorRole::Text,
          ColorRole::Text);
    write(lower, m_needs, m_time, theme.font(TextSize::Caption), ColorRole::Muted, ColorRole::Text2);
}

LayoutProposals::LayoutProposals(Document& document, engine::NodeId node, QWidget* parent)
    : QWidget(parent), m_document(document), m_node(std::move(node)), m_metric(new QComboBox(this)),
      m_none(new TextLabel(TextSize::Dense, ColorRole::Text, this)),
      m_copies(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_remedies(new QVBoxLayout) {
    auto* column = makeColumn(this, {0, 2, 0, 4}, 2);
    for (std::size_t i = 0; i < LayoutFinder::kMost; ++i) {
        auto* option = new LayoutOption(this);
        option->hide();
        connect(option, &QAbstractButton::clicked, this, [this, option] { take(option->laid()); });
        m_options.push_back(option);
        column->addWidget(option);
    }
    m_copies->setWordWrap(true);
    m_copies->setContentsMargins(14, 0, 14, 0);
    m_copies->hide();
    column->addWidget(m_copies);
    m_none->setWordWrap(true);
    m_none->setContentsMargins(14, 0, 14, 0);
    m_none->hide();
    column->addWidget(m_none);
    m_remedies->setContentsMargins(14, 0, 14, 0);
    column->addLayout(m_remedies);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(14, 2, 14, 0);
    row->addWidget(new TextLabel(tr("Best by"), TextSize::Dense, ColorRole::Text2, this));
    row->addWidget(m_metric, 1);
    column->addLayout(row);
    setTabOrder(m_options.back(), m_metric); // as they stand
    for (const auto metric : kRankedBy)
        m_metric->addItem(QString::fromUtf8(engine::metricSpec(metric).label), static_cast<int>(metric));
    m_metric->setAccessibleName(tr("Best by"));
    m_metric->setToolTip(tr("The metric by which layouts are compared"));
    connect(m_metric, &QComboBox::currentIndexChanged, this, &LayoutProposals::refresh);
    connect(&LayoutFinder::of(document), &LayoutFinder::found, this, &LayoutProposals::refresh);
    connect(&RemedyFinder::of(document), &RemedyFinder::found, this, &LayoutProposals::refresh);
}

engine::Metric LayoutProposals::metric() const {
    return static_cast<engine::Metric>(m_metric->currentData().toInt());
}

bool LayoutProposals::offersChoice() const {
    const auto& scenario = m_document.scenario();
    const auto* node = scenario.findNode(m_node);
    return node && node->runtime && engine::layoutsOf(scenario.model, *node).size() > 1;
}

void LayoutProposals::refresh() {
    if (!offersChoice()) {
        m_shown.reset();
        emit changed();
        return;
    }
    // While they are looked for, those of before stay: they are as good to take.
    if (const auto* ranking = LayoutFinder::of(m_document).ask(m_node, metric()))
        m_shown = *ranking;
    const auto* node = m_document.scenario().findNode(m_node);
    const auto now = engine::copiedLayoutOf(*node);
    for (std::size_t i = 0; i < m_options.size(); ++i) {
        const bool known = m_shown && i < m_shown->best.size();
        if (known)
            m_options[i]->show(m_shown->best[i], m_shown->best[i].laid == now);
        m_options[i]->setVisible(known);
    }
    const bool none = m_shown && m_shown->best.empty();
    const bool fixed = node->replicas.isSet();
    m_copies->setVisible(m_shown && !none && fixed);
    if (fixed)
        m_copies->setText(now.replicas == 1.0
                              ? tr("All with 1 replica, as set")
                              : tr("All with %1 replicas, as set")
                                    .arg(QString::fromStdString(engine::plainText(now.replicas))));
    m_none->setVisible(none);
    if (none) {
        const auto devices = QString::fromStdString(engine::plainText(engine::layoutChoiceDevices(*node)));
        // Without a link no layout that shares a copy is valid: one of them may fit once there is one.
        m_none->setText(
            engine::collectiveLink(m_document.scenario(), *node)
                ? tr("No layout of %1 devices fits.").arg(devices)
                : tr("No layout of %1 devices fits as they are linked: nothing joins them.").arg(devices));
    }
    showRemedies(none);
    emit changed();
}

void LayoutProposals::showRemedies(bool wanted) {
    const RemedyFinder::Remedies* found = nullptr;
    const auto* result = m_document.results().node(m_node);
    if (wanted && result && result->shortfall)
        found = RemedyFinder::of(m_document).ask(RemedyFinder::shortfallAt(m_node));
    QStringList labels;
    if (found)
        for (const auto& remedy : *found)
            labels << QString::fromStdString(remedy.label);
    if (labels == m_remedyLabels)
        return;
    m_remedyLabels = labels;
    while (auto* item = m_remedies->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // one of them may be the sender
        delete item;
    }
    for (qsizetype i = 0; i < labels.size(); ++i) {
        auto* button = new RemedyButton(labels[i], this);
        connect(button, &QPushButton::clicked, this,
                [this, edit = (*found)[static_cast<std::size_t>(i)].edit] { m_document.perform(edit); });
        m_remedies->addWidget(button);
    }
}

QString LayoutProposals::summary() const {
    if (!m_shown)
        return {};
    if (m_shown->fit == 0)
        return tr("none of %1 fits").arg(m_shown->valid);
    return m_shown->fit == 1 ? tr("1 that fits")
                             : tr("%1 of %2 that fit").arg(m_shown->best.size()).arg(m_shown->fit);
}

std::vector<LayoutOption*> LayoutProposals::options() const {
    std::vector<LayoutOption*> options;
    for (auto* option : m_options)
        if (!option->isHidden())
            options.push_back(option);
    return options;
}

void LayoutProposals::take(const engine::CopiedLayout& laid) {
    const auto* node = m_document.scenario().findNode(m_node);
    if (node && engine::copiedLayoutOf(*node) != laid)
        m_document.perform(engine::copiedLayoutEdit(*node, engine::CopiedLayout(laid)));
    refresh(); // a click on the one in use leaves it checked
}

} // namespace heteroscape::widgets

#include "moc_layout_proposals.cpp"
