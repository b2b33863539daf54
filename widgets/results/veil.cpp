// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/veil.h"

#include "widgets/theme/theme.h"

#include <QEvent>
#include <QPainter>

namespace heteroscape::widgets {

namespace {

constexpr float kOpacity = 0.55F;

} // namespace

Veil::Veil(QWidget* over) : QWidget(over) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    over->installEventFilter(this);
    hide();
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void Veil::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    setGeometry(parentWidget()->rect());
    raise();
}

void Veil::paintEvent(QPaintEvent*) {
    auto colour = Theme::instance().color(ColorRole::Surface);
    colour.setAlphaF(kOpacity);
    QPainter(this).fillRect(rect(), colour);
}

} // namespace heteroscape::widgets
