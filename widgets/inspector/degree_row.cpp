// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/degree_row.h"

#include "engine/units/number_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kSign = 24, kWord = 58, kStepper = 80, kStepperButton = 24, kValueHeight = 20;

QString degreeNumber(double value) {
    return QString::fromStdString(engine::plainText(value, 6));
}

/// "3 does not divide 8 devices. Nearest: 2, 4."
QString refusalText(const engine::LayoutDegree::Answer& answer) {
    QStringList nearest;
    for (const double value : answer.nearest)
        nearest << degreeNumber(value);
    const auto reason = QString::fromStdString(answer.reason);
    return nearest.isEmpty()
               ? reason + u'.'
               : DegreeRow::tr("%1. Nearest: %2.").arg(reason, nearest.join(QStringLiteral(", ")));
}

} // namespace

DegreeValues::DegreeValues(QWidget* parent) : DrawnWidget(parent) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DegreeValues::setValues(std::vector<Value> values, double now) {
    if (values == m_values && now == m_now)
        return;
    m_values = std::move(values);
    m_now = now;
    QStringList spoken;
    for (const auto& value : m_values)
        if (value.allowed)
            spoken << degreeNumber(value.value);
    setAccessibleName(tr("May be %1").arg(spoken.join(QStringLiteral(", "))));
    update();
}

std::vector<std::pair<QRect, DegreeValues::Value>> DegreeValues::shown() const {
    const QFontMetrics metrics(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    const auto widthOf = [&](std::size_t i) {
        return std::max(20, metrics.horizontalAdvance(degreeNumber(m_values[i].value)) + 8);
    };
    std::size_t first = 0, last = 0; // of those that are shown, past the last
    for (std::size_t i = 0; i < m_values.size(); ++i)
        if (m_values[i].value <= m_now)
            first = i;
    last = std::min(m_values.size(), first + 1);
    int room = width();
    for (std::size_t i = first; i < last; ++i)
        room -= widthOf(i);
    // By turns the next larger and the next smaller one.
    for (bool grew = true; grew;) {
        grew = false;
        if (last < m_values.size() && widthOf(last) <= room) {
            room -= widthOf(last++);
            grew = true;
        }
        if (first > 0 && widthOf(first - 1) <= room) {
            room -= widthOf(--first);
            grew = true;
        }
    }
    std::vector<std::pair<QRect, Value>> out;
    int x = 0;
    for (std::size_t i = first; i < last; ++i) {
        out.emplace_back(QRect(x, (height() - kValueHeight) / 2, widthOf(i), kValueHeight), m_values[i]);
        x += widthOf(i);
    }
    return out;
}

bool DegreeValues::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const auto& [rect, value] : shown())
        if (rect.contains(help->pos()) && !value.tip.isEmpty()) {
            QToolTip::showText(help->globalPos(), plainTip(value.tip), this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

void DegreeValues::point(QMouseEvent& event) {
    const auto at = event.position().toPoint();
    if (event.type() == QEvent::MouseMove) {
        m_pointer = at;
        update();
        return;
    }
    if (event.type() != QEvent::MouseButtonRelease)
        return event.ignore();
    for (const auto& [rect, value] : shown())
        if (rect.adjusted(0, -4, 0, 4).contains(at) && value.allowed) {
            emit chosen(double(value.value));
            return;
        }
}

void DegreeValues::pointAway() {
    m_pointer = {-1, -1};
    update();
}

void DegreeValues::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [rect, value] : shown()) {
        const bool now = value.value == m_now;
        if (now || (value.allowed && rect.contains(m_pointer))) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.color(now ? ColorRole::AccentSoft : ColorRole::Sunken));
            painter.drawRoundedRect(rect, 4, 4);
        }
        auto font = theme.font(TextSize::Dense, now ? QFont::DemiBold : QFont::Normal);
        font.setStrikeOut(!value.allowed);
        painter.setFont(font);
        painter.setPen(theme.color(now             ? ColorRole::Accent
                                   : value.allowed ? ColorRole::Text2
                                                   : ColorRole::Muted));
        painter.drawText(rect, Qt::AlignCenter, degreeNumber(value.value));
    }
}

DegreeRow::DegreeRow(std::string key, const QString& sign, const QString& word, const QString& tip,
                     QWidget* parent)
    : QWidget(parent), m_key(std::move(key)), m_less(new QToolButton(this)), m_field(new QLineEdit(this)),
      m_more(new QToolButton(this)), m_values(new DegreeValues(this)),
      m_message(new TextLabel(TextSize::Caption, ColorRole::Error, this)) {
    auto* signLabel = new TextLabel(sign, TextSize::Dense, ColorRole::Text, QFont::DemiBold, this);
    auto* wordLabel = new TextLabel(word, TextSize::Dense, ColorRole::Text2, this);
    signLabel->setFixedWidth(kSign);
    wordLabel->setMinimumWidth(kWord);
    for (auto* widget : {static_cast<QWidget*>(signLabel), static_cast<QWidget*>(wordLabel)})
        widget->setToolTip(plainTip(tip));
    m_field->setFixedSize(kStepper - 2 * kStepperButton, kStepperButton);
    m_field->setAlignment(Qt::AlignCenter);
    m_field->setFont(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    m_field->setObjectName(QStringLiteral("degree"));
    m_field->setAccessibleName(word + u' ' + sign);
    m_field->installEventFilter(this);
    m_field->setTextMargins(-4, 0, -4, 0);
    const std::pair<QToolButton*, int> buttons[] = {{m_less, -1}, {m_more, 1}};
    for (const auto& [button, by] : buttons) {
        button->setFixedSize(kStepperButton, kStepperButton);
        button->setIconSize({12, 12});
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolTip(plainTip(by < 0 ? tr("The next smaller") : tr("The next larger")));
        button->setAccessibleName(by < 0 ? tr("Less %1").arg(word) : tr("More %1").arg(word));
        connect(button, &QToolButton::clicked, this, [this, step = by] { this->step(step); });
    }
    Theme::instance().follow(this, [this] {
        m_less->setIcon(Theme::instance().icon(QStringLiteral("minus")));
        m_more->setIcon(Theme::instance().icon(QStringLiteral("plus")));
    });
    m_message->setWordWrap(true);
    m_message->hide();
    auto* stepper = new QHBoxLayout;
    stepper->setSpacing(0);
    for (auto* widget :
         {static_cast<QWidget*>(m_less), static_cast<QWidget*>(m_field), static_cast<QWidget*>(m_more)})
        stepper->addWidget(widget);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(14, 2, 10, 3);
    grid->setHorizontalSpacing(0);
    grid->setVerticalSpacing(1);
    grid->addWidget(signLabel, 0, 0);
    grid->addWidget(wordLabel, 0, 1);
    grid->addLayout(stepper, 0, 2);
    grid->setColumnMinimumWidth(3, 6);
    grid->addWidget(m_values, 0, 4);
    grid->setColumnStretch(4, 1);
    grid->addWidget(m_message, 1, 0, 1, 5);
    connect(m_values, &DegreeValues::chosen, this, &DegreeRow::take);
    connect(m_field, &QLineEdit::editingFinished, this, [this] {
        bool whole = false;
        const double value = m_field->text().trimmed().toInt(&whole);
        if (whole && value >= 1.0)
            take(value);
        else
            m_field->setText(degreeNumber(m_now));
    });
}

QString DegreeRow::message() const {
    return m_message->isHidden() ? QString() : m_message->text();
}

void DegreeRow::refresh(const engine::LayoutMoves& moves) {
    m_allowed = moves.values(m_key);
    const auto& now = moves.now();
    m_now = m_key == "copies" ? now.replicas : now.layout.*engine::layoutDegree(m_key).member;
    m_ask = [moves, key = m_key](double value) { return moves.ask(key, value); };
    m_field->setText(degreeNumber(m_now));
    m_message->hide();
    m_less->setEnabled(!m_allowed.empty() && m_allowed.front() < m_now);
    m_more->setEnabled(!m_allowed.empty() && m_allowed.back() > m_now);
    std::vector<DegreeValues::Value> shown;
    for (const double value : m_allowed)
        shown.push_back({value, true, {}});
    if (!m_allowed.empty()) { // what one might try next
        const double beyond = 2.0 * m_allowed.back();
        if (const auto answer = moves.ask(m_key, beyond); !answer.allowed && m_key != "copies")
            shown.push_back({beyond, false, refusalText(answer)});
    }
    m_values->setValues(std::move(shown), m_now);
    setVisible(m_allowed.size() > 1 || m_now != 1.0 || m_key == "tp");
}

void DegreeRow::step(int by) {
    if (by > 0) {
        const auto next = std::upper_bound(m_allowed.begin(), m_allowed.end(), m_now);
        if (next != m_allowed.end())
            take(*next);
        return;
    }
    const auto here = std::lower_bound(m_allowed.begin(), m_allowed.end(), m_now);
    if (here != m_allowed.begin())
        take(*std::prev(here));
}

void DegreeRow::take(double value) {
    m_message->hide();
    if (value == m_now) {
        m_field->setText(degreeNumber(m_now));
        return;
    }
    if (!std::binary_search(m_allowed.begin(), m_allowed.end(), value)) {
        m_message->setText(refusalText(m_ask(value)));
        m_message->show();
        return;
    }
    emit chosen(value);
}

bool DegreeRow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
            step(key->key() == Qt::Key_Up ? 1 : -1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_field->setText(degreeNumber(m_now));
            m_message->hide();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_degree_row.cpp"
