// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_overlays.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr QSize kSize(188, 124);
constexpr double kMapInset = 8;
constexpr double kSmallest = 2;     ///< px of a node, however small the scale
constexpr int kGap = 8;             ///< to what is below it
constexpr int kMapLeavesRoom = 420; ///< px of canvas, across and down, below which a map would hide too much

} // namespace

MiniMap::MiniMap(CanvasView& view, const QWidget& below)
    : DrawnWidget(view.viewport()), m_view(view), m_below(below) {
    setFixedSize(kSize);
    setAccessibleName(tr("Mini-map"));
    setToolTip(tr("The whole design; drag to look elsewhere"));
    setCursor(Qt::PointingHandCursor);
    connect(&view.canvasScene(), &CanvasScene::placed, this, &MiniMap::refresh);
    Theme::instance().follow(this, [this] { refresh(); });
}

void MiniMap::refresh() {
    m_boxes.clear();
    m_content = {};
    for (const auto* item : m_view.canvasScene().nodes()) {
        m_boxes.push_back({item->cardRect(), Theme::instance().kind(item->card().kind)});
        m_content |= item->cardRect();
    }
    m_picture = {};
    update();
    place();
}

void MiniMap::setShown(bool shown) {
    m_shown = shown;
    place();
}

void MiniMap::place() {
    const auto size = m_view.viewport()->size();
    const auto seen = m_view.camera().seen();
    const bool room = size.width() >= kMapLeavesRoom && size.height() >= kMapLeavesRoom / 2 + height();
    setVisible(m_shown && room && !m_boxes.empty() && !seen.contains(m_content));
    if (isHidden())
        return;
    if (seen != m_seen)
        update();
    m_seen = seen;
    move(size.width() - width() - 16, m_below.y() - height() - kGap);
}

QRectF MiniMap::area() const {
    // The frame stays in the map as long as it touches the design.
    const auto grown = m_content.adjusted(-m_seen.width(), -m_seen.height(), m_seen.width(), m_seen.height());
    return m_held.value_or(m_content | (m_seen & grown));
}

double MiniMap::scale() const {
    const auto shown = area();
    return std::min((width() - 2 * kMapInset) / std::max(shown.width(), 1.0),
                    (height() - 2 * kMapInset) / std::max(shown.height(), 1.0));
}

QPointF MiniMap::toScene(QPointF place) const {
    return area().center() + (place - QRectF(rect()).center()) / scale();
}

QRectF MiniMap::fromScene(const QRectF& sceneRect) const {
    const auto factor = scale();
    return {QRectF(rect()).center() + (sceneRect.topLeft() - area().center()) * factor,
            sceneRect.size() * factor};
}

const QPixmap& MiniMap::picture() {
    const auto ratio = devicePixelRatioF();
    if (!m_picture.isNull() && m_pictured == area() && m_picture.devicePixelRatio() == ratio)
        return m_picture;
    m_pictured = area();
    m_picture = QPixmap(size() * ratio);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(Qt::transparent);
    QPainter painter(&m_picture);
    for (const auto& box : m_boxes) {
        auto place = fromScene(box.rect);
        place.setSize(place.size().expandedTo({kSmallest, kSmallest}));
        painter.fillRect(place, box.hue);
    }
    return m_picture;
}

void MiniMap::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(ColorRole::Border));
    painter.setBrush(theme.color(ColorRole::Surface));
    const auto frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(frame, 8, 8);
    painter.drawPixmap(QPointF(0, 0), picture());
    auto soft = theme.color(ColorRole::Accent);
    soft.setAlphaF(0.12F);
    painter.setPen(QPen(theme.color(ColorRole::Accent), 1.5));
    painter.setBrush(soft);
    painter.drawRoundedRect(fromScene(m_seen) & frame.adjusted(2, 2, -2, -2), 2, 2);
}

void MiniMap::point(QMouseEvent& event) {
    if (event.type() == QEvent::MouseButtonRelease) {
        m_held.reset();
        update();
        return;
    }
    if (event.type() != QEvent::MouseMove && event.button() == Qt::LeftButton)
        m_held = area();
    if (m_held)
        m_view.camera().lookAt(toScene(event.position()));
}

void MiniMap::wheelEvent(QWheelEvent* event) {
    event->accept(); // not the canvas's: its zoom would be around a place under the map
}

namespace {

constexpr double kManyDots = 100; ///< from here on dots come from a tile, where they are pixels
constexpr int kMostAcross = 24;   ///< dots in a row of a tile

void drawEachDot(QPainter& painter, const QRectF& rect) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::instance().color(ColorRole::Dot));
    for (auto y = std::floor(rect.top() / kDotPitch) * kDotPitch; y <= rect.bottom(); y += kDotPitch)
        for (auto x = std::floor(rect.left() / kDotPitch) * kDotPitch; x <= rect.right(); x += kDotPitch)
            painter.drawEllipse(QPointF(x, y), 0.9, 0.9);
}

} // namespace

const QPixmap& CanvasDots::tile(double pitch) {
    if (!m_tile.isNull() && m_pitch == pitch)
        return m_tile;
    // As many dots as come out even in pixels.
    const auto off = [pitch](int count) {
        return std::abs(count * pitch - std::round(count * pitch)) / count;
    };
    int across = 1;
    for (int count = 2; count <= kMostAcross && off(across) > 0.0; ++count)
        if (off(count) < off(across))
            across = count;
    const auto side = std::round(across * pitch);
    m_pitch = pitch;
    m_tile = QPixmap(static_cast<int>(side), static_cast<int>(side));
    m_tile.fill(Theme::instance().color(ColorRole::Canvas));
    QPainter painter(&m_tile);
    const auto scale = side / (across * kDotPitch);
    painter.scale(scale, scale);
    drawEachDot(painter, {0, 0, across * kDotPitch, across * kDotPitch});
    return m_tile;
}

void CanvasDots::paint(QPainter& painter, const QRectF& rect) {
    const auto world = painter.worldTransform();
    const auto ratio = painter.device()->devicePixelRatioF();
    const bool many = rect.width() * rect.height() > kManyDots * kDotPitch * kDotPitch;
    const bool pixels = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (!many || !pixels || world.type() > QTransform::TxScale || world.m11() != world.m22()) {
        drawEachDot(painter, rect);
        return;
    }
    auto dots = tile(kDotPitch * world.m11() * ratio);
    dots.setDevicePixelRatio(ratio);
    const auto seen = world.mapRect(rect);
    painter.setWorldTransform({});
    painter.drawTiledPixmap(seen, dots, seen.topLeft() - world.map(QPointF(0, 0)));
    painter.setWorldTransform(world);
}

void FloatingBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Theme::instance().color(ColorRole::Border));
    painter.setBrush(Theme::instance().color(ColorRole::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

ZoomBar::ZoomBar(QWidget* parent) : FloatingBar(parent) {
    auto* layout = makeRow(this, {4, 4, 4, 4}, 2);
    const auto button = [&](const QString& icon, const QString& name, auto signal) {
        auto* made = new QToolButton(this);
        if (!icon.isEmpty())
            made->setIcon(Theme::instance().icon(icon));
        made->setToolTip(plainTip(name));
        made->setAccessibleName(name);
        made->setFixedHeight(26);
        made->setMinimumWidth(26);
        connect(made, &QToolButton::clicked, this, signal);
        layout->addWidget(made);
        return made;
    };
    button(QStringLiteral("note"), tr("Add a note (N)"), &ZoomBar::noteRequested);
    button(QStringLiteral("minus"), tr("Zoom out"), &ZoomBar::zoomOutRequested);
    m_percent = button({}, tr("Zoom to 100 %"), &ZoomBar::resetRequested);
    m_percent->setFixedWidth(56);
    button(QStringLiteral("plus"), tr("Zoom in"), &ZoomBar::zoomInRequested);
    button(QStringLiteral("fit"), tr("Fit the design (F)"), &ZoomBar::fitRequested);
    showZoom(1.0);
    adjustSize();
}

void ZoomBar::showZoom(double zoom) {
    m_percent->setText(tr("%1 %").arg(std::lround(zoom * 100)));
}

LinkOffer::LinkOffer(QWidget* parent)
    : FloatingBar(parent), m_text(new QLabel(this)), m_link(new QPushButton(tr("Link"), this)),
      m_close(new QToolButton(this)) {
    auto* layout = makeRow(this, {12, 6, 6, 6}, 8);
    m_link->setToolTip(tr("Link them (L)"));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Not now"));
    m_close->setAccessibleName(tr("Not now"));
    layout->addWidget(m_text);
    layout->addWidget(m_link);
    layout->addWidget(m_close);
    connect(m_link, &QPushButton::clicked, this, &LinkOffer::accepted);
    connect(m_close, &QToolButton::clicked, this, &LinkOffer::dismissed);
    Theme::instance().follow(this, [this] {
        m_text->setFont(Theme::instance().font(TextSize::Dense));
        m_close->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted));
    });
    hide();
}

void LinkOffer::offer(const QString& text) {
    m_text->setText(text);
    m_link->setAccessibleName(text);
    adjustSize();
    show();
}

QString LinkOffer::text() const {
    return m_text->text();
}

EmptyHint::EmptyHint(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    m_text = new QLabel(tr("Drag a device here, or open a preset"), this);
    m_text->setAlignment(Qt::AlignCenter);
    layout->addWidget(m_text);
    auto* preset =
        new QPushButton(Theme::instance().icon(QStringLiteral("folder")), tr("Open a preset"), this);
    auto* find = new QPushButton(Theme::instance().icon(QStringLiteral("search")), tr("Find a device"), this);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(preset);
    buttons->addWidget(find);
    buttons->addStretch();
    layout->addLayout(buttons);
    connect(preset, &QPushButton::clicked, this, &EmptyHint::openPresetRequested);
    connect(find, &QPushButton::clicked, this, &EmptyHint::findPartRequested);
    Theme::instance().follow(this, [this] { restyle(); });
    adjustSize();
}

void EmptyHint::restyle() {
    m_text->setFont(Theme::instance().font(TextSize::Heading, QFont::Medium));
    auto palette = m_text->palette();
    palette.setColor(QPalette::WindowText, Theme::instance().color(ColorRole::Text2));
    m_text->setPalette(palette);
}

} // namespace heteroscape::widgets

#include "moc_canvas_overlays.cpp"
