// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/property_drag.h"

#include "engine/base/error.h"
#include "engine/study/study.h"
#include "widgets/canvas/property_mime.h"
#include "widgets/document/document.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QDrag>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QWidget>

namespace heteroscape::widgets {

namespace {

constexpr int kGhostHeight = 26;
constexpr int kIcon = 16;
constexpr int kPadding = 8;
constexpr double kGhostOpacity = 0.85; // text must stay readable over what is below

} // namespace

PropertyDrag::PropertyDrag(const Document& document, std::string path, QWidget* row)
    : QObject(row), m_document(document), m_path(std::move(path)), m_row(row) {
    m_starter = [this](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
        auto* drag = new QDrag(m_row); // deletes itself when the drag ends
        drag->setMimeData(data.release());
        drag->setPixmap(picture);
        drag->setHotSpot({-kPadding, kGhostHeight / 2}); // beside the pointer, not below it
        drag->exec(Qt::CopyAction);
    };
    row->installEventFilter(this);
}

bool PropertyDrag::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        m_pressed.reset();
        if (mouse->button() == Qt::LeftButton)
            m_pressed = mouse->globalPosition().toPoint();
        break;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (!m_pressed || !mouse->buttons().testFlag(Qt::LeftButton))
            break;
        const auto way = (mouse->globalPosition().toPoint() - *m_pressed).manhattanLength();
        if (way < QApplication::startDragDistance())
            break;
        m_pressed.reset();
        start();
        return true;
    }
    case QEvent::MouseButtonRelease:
        m_pressed.reset();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void PropertyDrag::start() {
    QString name;
    try {
        name = QString::fromStdString(engine::axisLabel(m_document.scenario(), m_path));
    } catch (const engine::Error&) {
        return; // the design lost it: the row is about to go
    }
    m_starter(encodeProperty(m_path), ghost(name));
}

QPixmap PropertyDrag::ghost(const QString& text) const {
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Dense, QFont::Medium);
    const int width = QFontMetrics(font).horizontalAdvance(text) + kIcon + 3 * kPadding;
    const auto ratio = m_row->devicePixelRatioF();
    QPixmap picture((QSizeF(width, kGhostHeight) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(kGhostOpacity);
    painter.setPen(theme.color(ColorRole::Accent));
    painter.setBrush(theme.color(ColorRole::Surface));
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, kGhostHeight - 1), 4, 4);
    painter.setOpacity(1);
    painter.drawPixmap(kPadding, (kGhostHeight - kIcon) / 2,
                       theme.pixmap(QStringLiteral("sweep"), theme.color(ColorRole::Accent), kIcon, ratio));
    painter.setFont(font);
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(QRect(kIcon + 2 * kPadding, 0, width - kIcon - 2 * kPadding, kGhostHeight),
                     Qt::AlignVCenter | Qt::AlignLeft, text);
    return picture;
}

} // namespace heteroscape::widgets
