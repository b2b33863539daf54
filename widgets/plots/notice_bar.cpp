// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/notice_bar.h"

#include "widgets/plots/export_button.h"
#include "widgets/theme/layouts.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <chrono>

namespace heteroscape::widgets {

namespace {
constexpr std::chrono::seconds kStays{8}; // long enough to be read
} // namespace

constexpr NoticeBar::Look NoticeBar::kError{"warning", ColorRole::Error, ColorRole::ErrorSoft};
constexpr NoticeBar::Look NoticeBar::kWarning{"warning", ColorRole::Warning, ColorRole::WarningSoft};
constexpr NoticeBar::Look NoticeBar::kDone{"check", ColorRole::Ok, ColorRole::OkSoft};

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_action(new QPushButton(this)),
      m_close(new QToolButton(this)), m_leave(new QTimer(this)), m_look(kDone) {
    m_leave->setInterval(kStays);
    connect(m_leave, &QTimer::timeout, this, [this] {
        if (underMouse())
            return;
        m_leave->stop();
        hide();
    });
    auto* row = makeRow(this, {10, 3, 4, 3}, 8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(m_close);
    m_action->hide();
    connect(m_action, &QPushButton::clicked, this, &NoticeBar::acted);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setAccessibleName(tr("Close the message"));
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(&Theme::instance(), &Theme::changed, this, &NoticeBar::restyle);
    hide();
}

void NoticeBar::follow(const ExportButton& button) {
    connect(&button, &ExportButton::failed, this, &NoticeBar::showError);
    connect(&button, &ExportButton::exported, this,
            [this](const QString& path) { showDone(tr("Written: %1").arg(path)); });
}

QString NoticeBar::text() const {
    return m_text->text();
}

bool NoticeBar::isOffering() const {
    return m_action->isVisible();
}

void NoticeBar::showError(const QString& message) {
    m_action->hide();
    present(message, kError);
}

void NoticeBar::showDone(const QString& message) {
    m_action->hide();
    present(message, kDone);
    m_leave->start();
}

void NoticeBar::showWarning(const QString& message, const QString& action) {
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    present(message, kWarning);
}

void NoticeBar::showOffer(const QString& message, const QString& action) {
    m_action->setText(action);
    m_action->show();
    present(message, kDone);
}

void NoticeBar::present(const QString& message, const Look& look) {
    m_leave->stop();
    m_look = look;
    m_text->setText(message);
    setAccessibleName(message);
    restyle();
    show();
}

void NoticeBar::restyle() {
    const auto& theme = Theme::instance();
    m_icon->setPixmap(
        theme.pixmap(QString::fromLatin1(m_look.icon), theme.color(m_look.ink), 16, devicePixelRatioF()));
    m_close->setIcon(theme.icon(QStringLiteral("close")));
    m_text->setFont(theme.font(TextSize::Dense));
    auto palette = m_text->palette();
    palette.setColor(QPalette::WindowText, theme.color(m_look.ink));
    m_text->setPalette(palette);
    update();
}

void NoticeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Theme::instance().color(m_look.ink)); // it may lie over anything
    painter.setBrush(Theme::instance().color(m_look.ground));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace heteroscape::widgets

#include "moc_notice_bar.cpp"
