// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/notice_bar.h"

#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace heteroscape::widgets {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_close(new QToolButton(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 3, 4, 3);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_close);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setAccessibleName(tr("Close the message"));
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(&Theme::instance(), &Theme::changed, this, &NoticeBar::restyle);
    hide();
}

QString NoticeBar::text() const {
    return m_text->text();
}

void NoticeBar::showError(const QString& message) {
    present(message, true);
}

void NoticeBar::showDone(const QString& message) {
    present(message, false);
}

void NoticeBar::present(const QString& message, bool error) {
    m_error = error;
    m_text->setText(message);
    setAccessibleName(message);
    restyle();
    show();
}

void NoticeBar::restyle() {
    const auto& theme = Theme::instance();
    m_icon->setPixmap(theme.pixmap(m_error ? QStringLiteral("warning") : QStringLiteral("check"),
                                   theme.color(m_error ? ColorRole::Error : ColorRole::Ok), 16,
                                   devicePixelRatioF()));
    m_close->setIcon(theme.icon(QStringLiteral("close")));
    m_text->setFont(theme.font(TextSize::Dense));
    auto palette = m_text->palette();
    palette.setColor(QPalette::WindowText, theme.color(m_error ? ColorRole::Error : ColorRole::Ok));
    m_text->setPalette(palette);
    update();
}

void NoticeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(m_error ? ColorRole::ErrorSoft : ColorRole::OkSoft));
    painter.drawRoundedRect(rect(), 6, 6);
}

} // namespace heteroscape::widgets
