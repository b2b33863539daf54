// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/found_card.h"

#include "widgets/document/metric_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

UnmetNote::UnmetNote(QWidget* parent)
    : QWidget(parent), m_closest(new TextLabel(TextSize::Body, ColorRole::Error, this, QFont::DemiBold)),
      m_why(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_relax(new QPushButton(this)) {
    m_closest->setObjectName(QStringLiteral("closest"));
    m_why->setObjectName(QStringLiteral("unmet"));
    m_relax->setObjectName(QStringLiteral("relax"));
    m_relax->setToolTip(tr("Sets the limit so that this design keeps it; then search again"));
    m_relax->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (auto* label : {m_closest, m_why})
        label->setWordWrap(true);
    auto* row = makeRow(this, {12, 0, 12, 4}, 8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_closest);
    words->addWidget(m_why);
    row->addLayout(words, 1);
    row->addWidget(m_relax, 0, Qt::AlignTop);
    connect(m_relax, &QPushButton::clicked, this, [this] { emit relaxRequested(m_relaxed); });
    hide();
}

void UnmetNote::show(const FoundSearch* search) {
    setVisible(search && !search->unmet.isEmpty());
    if (isHidden())
        return;
    m_closest->setText(search->nearest ? tr("No design. Closest: %1").arg(search->nearest->words)
                                       : tr("No design."));
    m_why->setText(search->unmet);
    m_relaxed = search->nearest ? search->nearest->relaxed : std::vector<engine::Limit>();
    m_relax->setText(search->nearest ? search->nearest->remedy : QString());
    m_relax->setVisible(!m_relaxed.empty());
}

namespace {

constexpr double kTight = 0.95; // of a limit, from which it is hot
constexpr int kDisc = 18;

/// How much of a limit is used.
class UseBar : public QWidget {
public:
    UseBar(double share, QWidget* parent) : QWidget(parent), m_share(share) {
        setFixedHeight(5);
        setMinimumWidth(40);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const auto& theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::Track));
        painter.drawRoundedRect(rect(), 2.5, 2.5);
        painter.setBrush(theme.color(m_share > kTight ? ColorRole::Hot : ColorRole::Accent));
        painter.drawRoundedRect(QRectF(0, 0, width() * std::clamp(m_share, 0.0, 1.0), height()), 2.5, 2.5);
    }

private:
    double m_share;
};

/// A variable and its value; narrower than these it has an ellipsis and tells them as its tip.
class Chip : public QWidget {
public:
    Chip(const QString& name, const QString& value, QWidget* parent)
        : QWidget(parent), m_name(name.isEmpty() ? QString() : name + u' '), m_value(value) {
        setFixedHeight(20);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        setToolTip(plainTip(m_name + m_value));
        setAccessibleName(m_name + m_value);
    }
    QSize sizeHint() const override { return {nameWidth() + valueWidth() + 2 * kPad, 20}; }
    QSize minimumSizeHint() const override { return {std::min(sizeHint().width(), 40), 20}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const auto& theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::Sunken));
        painter.drawRoundedRect(rect(), 4, 4);
        const int room = width() - 2 * kPad, value = std::min(valueWidth(), room);
        const auto write = [&](const QFont& font, const QRect& box, const QString& text) {
            painter.setFont(font);
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                             QFontMetrics(font).elidedText(text, Qt::ElideRight, box.width()));
        };
        painter.setPen(theme.color(ColorRole::Text));
        write(plain(), QRect(kPad, 0, std::max(0, room - value), height()), m_name);
        write(bold(), QRect(kPad + std::min(nameWidth(), room - value), 0, value, height()), m_value);
    }

private:
    static constexpr int kPad = 7;
    QString m_name, m_value;

    static QFont plain() { return Theme::instance().font(TextSize::Caption); }
    static QFont bold() { return Theme::instance().font(TextSize::Caption, QFont::DemiBold); }
    int nameWidth() const { return QFontMetrics(plain()).horizontalAdvance(m_name) + 1; }
    int valueWidth() const { return QFontMetrics(bold()).horizontalAdvance(m_value) + 2; }
};

void empty(QLayout* layout) {
    while (auto* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

FoundCard::FoundCard(const QString& letter, QWidget* parent, bool pins)
    : QWidget(parent), m_letter(letter),
      m_title(new TextLabel(TextSize::Body, ColorRole::Text, this, QFont::DemiBold)),
      m_why(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_ideal(upperBoundPill(this)),
      m_chips(new QHBoxLayout), m_figures(new QGridLayout), m_limits(new QGridLayout),
      m_open(new QPushButton(tr("Open design"), this)) {
    auto* pin = new QPushButton(tr("Pin"), this);
    auto* compare = new QPushButton(tr("Compare"), this);
    m_open->setObjectName(QStringLiteral("openFound"));
    pin->setObjectName(QStringLiteral("pinFound"));
    compare->setObjectName(QStringLiteral("compareFound"));
    connect(m_open, &QPushButton::clicked, this, &FoundCard::openRequested);
    connect(pin, &QPushButton::clicked, this, &FoundCard::pinRequested);
    connect(compare, &QPushButton::clicked, this, &FoundCard::compareRequested);
    for (auto* button : {m_open, pin, compare})
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    pin->setVisible(pins);
    m_title->setElided(true);
    m_why->setElided(true);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(kDisc + 8, 0, 0, 0);
    head->addWidget(m_title, 3);
    head->addWidget(m_why, 2);
    m_why->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_open);
    buttons->addWidget(pin);
    buttons->addWidget(compare);
    buttons->addStretch(1);
    m_figures->setHorizontalSpacing(12);
    m_figures->setVerticalSpacing(0);
    m_limits->setHorizontalSpacing(6);
    m_limits->setVerticalSpacing(2);
    m_limits->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(6);
    column->addLayout(head);
    column->addWidget(m_ideal, 0, Qt::AlignLeft);
    m_chips->setSpacing(6);
    column->addLayout(m_chips);
    column->addLayout(m_figures);
    column->addLayout(m_limits);
    column->addStretch(1);
    column->addLayout(buttons);
    setMinimumWidth(236);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    Theme::instance().follow(this, [this] { update(); });
}

void FoundCard::show(const FoundFacts& facts, const QString& why, bool chosen) {
    m_facts = facts;
    m_chosen = chosen;
    m_why->setText(why);
    m_title->setText(facts.system);
    m_title->setRole(facts.pale ? ColorRole::Muted : ColorRole::Text);
    m_ideal->setVisible(facts.ideal);
    empty(m_chips);
    for (const auto& [name, value] : facts.chips)
        m_chips->addWidget(new Chip(name, value, this));
    m_chips->addStretch(1);
    setAccessibleName(tr("Design %1: %2").arg(m_letter, facts.name));
    empty(m_figures);
    for (std::size_t i = 0; i < facts.figures.size(); ++i) {
        const auto& [value, caption, label] = facts.figures[i];
        auto* number = new TextLabel(value, TextSize::Heading,
                                     facts.pale ? ColorRole::Muted : ColorRole::Text, QFont::DemiBold, this);
        auto* what = new TextLabel(caption, TextSize::Caption, ColorRole::Muted, this);
        number->setToolTip(plainTip(label));
        number->setElided(true);
        what->setElided(true);
        m_figures->addWidget(number, 0, static_cast<int>(i));
        m_figures->addWidget(what, 1, static_cast<int>(i));
    }
    empty(m_limits);
    for (std::size_t i = 0; i < facts.uses.size(); ++i) {
        const auto& limit = facts.uses[i];
        const int row = static_cast<int>(i);
        auto* name = new TextLabel(limit.label, TextSize::Caption, ColorRole::Text2, this);
        name->setElided(true);
        name->setMaximumWidth(90);
        m_limits->addWidget(name, row, 0);
        const bool barred = !std::isnan(limit.share);
        if (barred)
            m_limits->addWidget(new UseBar(limit.share, this), row, 1);
        m_limits->addWidget(new TextLabel(limit.text, TextSize::Caption, ColorRole::Text2, this), row,
                            barred ? 2 : 1, 1, barred ? 1 : 2, Qt::AlignRight);
    }
    m_open->setProperty("primary", chosen);
    m_open->setFont(Theme::instance().font(TextSize::Body, chosen ? QFont::DemiBold : QFont::Normal));
    update();
}

void FoundCard::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        emit this->chosen();
}

void FoundCard::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.color(ColorRole::Surface));
    painter.setPen(QPen(theme.color(m_chosen ? ColorRole::Accent : ColorRole::Border), m_chosen ? 2.0 : 1.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    const QRect disc(12, m_title->y() + (m_title->height() - kDisc) / 2, kDisc, kDisc);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(m_chosen ? ColorRole::Accent : ColorRole::Text));
    painter.drawEllipse(disc);
    painter.setFont(theme.font(TextSize::Caption, QFont::DemiBold));
    painter.setPen(theme.color(m_chosen ? ColorRole::OnAccent : ColorRole::Surface));
    painter.drawText(disc, Qt::AlignCenter, m_letter);
}

} // namespace heteroscape::widgets

#include "moc_found_card.cpp"
