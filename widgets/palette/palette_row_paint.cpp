// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_row_paint.h"

#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kIcon = 18, kRowHeight = 40, kHeadingHeight = 28, kRailLine = 9;
constexpr int kRailRowHeight = 62; ///< a tile and two lines of its name
constexpr int kStar = 16;
constexpr int kMark = 11;

QString iconOf(const PaletteRow& row) {
    return row.part->kind == PartKind::Device ? Theme::kindIcon(row.device)
                                              : QString::fromLatin1(partKindWords(row.part->kind).icon);
}

/// The devices of a group as squares, at most two rows of four, and a line below them for a switch.
void paintGroup(QPainter& painter, const QRect& tile, const PaletteRow& row, const QColor& hue) {
    constexpr int kSquare = 4, kPitch = 6, kAcross = 4;
    const int shown = std::min(row.members, 2 * kAcross);
    const int rows = (shown + kAcross - 1) / kAcross;
    const int height = rows * kPitch - (kPitch - kSquare) + (row.isSwitched ? 4 : 0);
    const QPoint corner(tile.left() + (tile.width() - (kAcross * kPitch - 2)) / 2,
                        tile.top() + (tile.height() - height) / 2);
    for (int i = 0; i < shown; ++i)
        painter.fillRect(
            QRect(corner + QPoint(i % kAcross * kPitch, i / kAcross * kPitch), QSize(kSquare, kSquare)), hue);
    if (row.isSwitched)
        painter.fillRect(QRect(corner.x(), corner.y() + rows * kPitch, kAcross * kPitch - 2, 2), hue);
}

void drawLine(QPainter& painter, const QRect& rect, const QString& text, const QFont& font,
              const QColor& color, Qt::Alignment side = Qt::AlignLeft) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width()));
}

void paintBody(QPainter& painter, const QRect& body, const PaletteRowLook& look) {
    const auto& theme = Theme::instance();
    const bool current = look.state.testFlag(QStyle::State_Selected);
    if (current || look.state.testFlag(QStyle::State_MouseOver)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(current ? ColorRole::Selection : ColorRole::Sunken));
        painter.drawRoundedRect(body, 4, 4);
    }
    if (look.state.testFlag(QStyle::State_HasFocus)) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(body.adjusted(1, 1, -1, -1), 4, 4);
    }
}

void paintHeading(QPainter& painter, const QRect& rect, const PaletteRow& row, const PaletteRowLook& look) {
    const auto& theme = Theme::instance();
    if (look.compact) {
        if (!look.first)
            painter.fillRect(QRect(10, rect.center().y(), rect.width() - 20, 1),
                             theme.color(ColorRole::Border));
        return;
    }
    paintBody(painter, rect.adjusted(4, 3, -4, -1), look);
    const auto font = theme.font(TextSize::Caption, QFont::DemiBold);
    const auto line = rect.adjusted(12, 4, -10, 0);
    drawLine(painter, line.adjusted(0, 0, -40, 0), row.name, font, theme.color(ColorRole::Muted));
    const QRect arrow(line.right() - 11, line.center().y() - 6, 12, 12);
    painter.drawPixmap(
        arrow.topLeft(),
        theme.pixmap(row.folded ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down"),
                     theme.color(ColorRole::Muted), 12, look.devicePixelRatio));
    if (row.folded)
        drawLine(painter, line.adjusted(0, 0, -18, 0), QString::number(row.size),
                 theme.font(TextSize::Caption), theme.color(ColorRole::Muted), Qt::AlignRight);
}

/// A name on two lines: what the first has room for, up to a blank, a hyphen or a comma, and the rest; what
/// follows a comma stands on the second ("HGX A100", "8 GPUs").
std::pair<QString, QString> onTwoLines(const QString& name, const QFontMetrics& metrics, int width) {
    qsizetype cut = 0;
    for (qsizetype at = 1; at <= name.size(); ++at) {
        const bool comma = at < name.size() && name[at] == u',';
        if (at < name.size() && !comma && name[at] != u' ' && name[at - 1] != u'-')
            continue;
        if (cut > 0 && metrics.horizontalAdvance(name.left(at)) > width)
            break;
        cut = at;
        if (comma)
            break;
    }
    auto rest = name.mid(cut);
    if (rest.startsWith(u','))
        rest.remove(0, 1);
    return {name.left(cut), rest.trimmed()};
}

/// As much of what does not fit on the second line as tells parts apart: what follows a comma goes first, but
/// names of designs differ at their ends.
QString shortened(const QString& rest, const PaletteRow& row, const QFontMetrics& metrics, int width) {
    const auto head = rest.section(u',', 0, 0) + QChar(0x2026);
    const bool fits = metrics.horizontalAdvance(rest) <= width;
    if (!fits && rest.contains(u',') && row.part->kind != PartKind::Preset &&
        metrics.horizontalAdvance(head) <= width)
        return head;
    return metrics.elidedText(rest, Qt::ElideMiddle, width);
}

void paintRailRow(QPainter& painter, const QRect& rect, const PaletteRow& row, const PaletteRowLook& look) {
    const auto& theme = Theme::instance();
    paintBody(painter, rect.adjusted(2, 1, -2, -1), look);
    const QRect tile(rect.left() + (rect.width() - kPaletteTile) / 2, rect.top() + 4, kPaletteTile,
                     kPaletteTile);
    paintPaletteTile(painter, tile, row, look.devicePixelRatio);
    const auto font = theme.font(TextSize::Caption);
    const QFontMetrics metrics(font);
    QRect line(rect.left() + 3, tile.bottom() + 2, rect.width() - 6, metrics.height() - 1);
    const auto [first, second] = onTwoLines(row.name, metrics, line.width());
    drawLine(painter, line, first, font, theme.color(ColorRole::Text), Qt::AlignHCenter);
    drawLine(painter, line.translated(0, line.height()), shortened(second, row, metrics, line.width()), font,
             theme.color(ColorRole::Muted), Qt::AlignHCenter);
}

} // namespace

int paletteRowHeight(const PaletteRow& row, bool compact) {
    if (!row.isHeading())
        return compact ? kRailRowHeight : kRowHeight;
    return compact ? kRailLine : kHeadingHeight;
}

QRect paletteStarRect(const QRect& rect) {
    return {rect.right() - 30, rect.top() + (kRowHeight - 24) / 2, 24, 24}; // a target of 24 px
}

void paintPaletteTile(QPainter& painter, const QRect& tile, const PaletteRow& row, double devicePixelRatio) {
    const auto& theme = Theme::instance();
    const bool device = partKindWords(row.part->kind).isPlaced;
    painter.setPen(Qt::NoPen);
    painter.setBrush(device ? theme.kindTint(row.device) : theme.color(ColorRole::AccentSoft));
    painter.drawRoundedRect(tile, 5, 5);
    const auto hue = device ? theme.kind(row.device) : theme.color(ColorRole::Accent);
    if (row.part->kind == PartKind::Group)
        return paintGroup(painter, tile, row, hue);
    painter.drawPixmap(tile.topLeft() + QPoint((kPaletteTile - kIcon) / 2, (kPaletteTile - kIcon) / 2),
                       theme.pixmap(iconOf(row), hue, kIcon, devicePixelRatio));
}

void paintPaletteRow(QPainter& painter, const QRect& rect, const PaletteRow& row,
                     const PaletteRowLook& look) {
    painter.setRenderHint(QPainter::Antialiasing);
    if (row.isHeading()) {
        paintHeading(painter, rect, row, look);
        return;
    }
    const auto& theme = Theme::instance();
    if (look.compact) {
        paintRailRow(painter, rect, row, look);
        return;
    }
    paintBody(painter, rect.adjusted(4, 1, -4, -1), look);
    const auto left = rect.left() + 12;
    paintPaletteTile(painter,
                     {left, rect.top() + (kRowHeight - kPaletteTile) / 2, kPaletteTile, kPaletteTile}, row,
                     look.devicePixelRatio);
    const bool active = look.state.testFlag(QStyle::State_MouseOver) ||
                        look.state.testFlag(QStyle::State_HasFocus) || look.starHovered;
    const bool star = row.favourite || active;
    const int right = (star ? paletteStarRect(rect).left() : rect.right() - 8) - 1;
    QRect text(left + kPaletteTile + 9, rect.top() + 4, right - left - kPaletteTile - 9, 17);
    auto first = row.detail.isEmpty() ? text.translated(0, 7) : text;
    drawLine(painter, text.translated(0, 16), row.detail, theme.font(TextSize::Caption),
             theme.color(ColorRole::Muted));
    if (row.isOwn()) { // the square that stands for a user's own everywhere
        painter.drawPixmap(QPoint(first.left(), first.center().y() - kMark / 2),
                           theme.provenanceMark(engine::Provenance::User, look.devicePixelRatio));
        first.setLeft(first.left() + kMark + 5);
    }
    drawLine(painter, first, row.name, theme.font(TextSize::Body), theme.color(ColorRole::Text));
    if (!star)
        return;
    const auto target = paletteStarRect(rect);
    if (look.starHovered) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::AccentSoft));
        painter.drawRoundedRect(target, 4, 4);
    }
    painter.drawPixmap(target.topLeft() + QPoint(4, 4),
                       theme.pixmap(row.favourite ? QStringLiteral("star-filled") : QStringLiteral("star"),
                                    theme.color(row.favourite ? ColorRole::Accent : ColorRole::Muted), kStar,
                                    look.devicePixelRatio));
}

} // namespace heteroscape::widgets
