// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_list.h"

#include "widgets/canvas/node_summary.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/theme/theme.h"

#include <QDrag>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>

namespace heteroscape::widgets {

namespace {

constexpr int kTile = 28;
constexpr int kIcon = 18;
constexpr int kRowHeight = 40;
constexpr int kHeadingHeight = 26;

QString iconOf(PaletteRow::Kind kind) {
    switch (kind) {
    case PaletteRow::Kind::Runtime:
        return QStringLiteral("play");
    case PaletteRow::Kind::Technique:
        return QStringLiteral("bulb");
    default:
        return QStringLiteral("design");
    }
}

void drawTile(QPainter& painter, const QRect& tile, const PaletteRow& row, double ratio) {
    const auto& theme = Theme::instance();
    const bool device = row.kind == PaletteRow::Kind::Device;
    painter.setPen(Qt::NoPen);
    painter.setBrush(device ? theme.kindTint(row.device) : theme.color(ColorRole::AccentSoft));
    painter.drawRoundedRect(tile, 5, 5);
    const auto name = device ? Theme::kindIcon(row.device) : iconOf(row.kind);
    const auto hue = device ? theme.kind(row.device) : theme.color(ColorRole::Accent);
    painter.drawPixmap(tile.topLeft() + QPoint((kTile - kIcon) / 2, (kTile - kIcon) / 2),
                       theme.pixmap(name, hue, kIcon, ratio));
}

void drawLine(QPainter& painter, const QRect& rect, const QString& text, const QFont& font,
              const QColor& color) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width()));
}

class RowDelegate : public QStyledItemDelegate {
public:
    explicit RowDelegate(PaletteList& list) : QStyledItemDelegate(&list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const auto* row = m_list.row(index.row());
        const bool heading = row && row->kind == PaletteRow::Kind::Heading;
        return {48, heading ? (m_list.isCompact() ? 9 : kHeadingHeight) : kRowHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const auto* row = m_list.row(index.row());
        if (!row)
            return;
        const auto& theme = Theme::instance();
        const auto ratio = m_list.devicePixelRatioF();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (row->kind == PaletteRow::Kind::Heading) {
            if (m_list.isCompact() && index.row() > 0)
                painter->fillRect(QRect(10, option.rect.center().y(), option.rect.width() - 20, 1),
                                  theme.color(ColorRole::Border));
            else if (!m_list.isCompact())
                drawLine(*painter, option.rect.adjusted(12, 6, -8, 0), row->name,
                         theme.font(TextSize::Caption, QFont::DemiBold), theme.color(ColorRole::Muted));
            painter->restore();
            return;
        }
        const auto body = option.rect.adjusted(4, 1, -4, -1);
        const bool current = option.state.testFlag(QStyle::State_Selected);
        if (current || option.state.testFlag(QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.color(current ? ColorRole::Selection : ColorRole::Sunken));
            painter->drawRoundedRect(body, 4, 4);
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(theme.color(ColorRole::Focus), 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(body.adjusted(1, 1, -1, -1), 4, 4);
        }
        const auto left = m_list.isCompact() ? option.rect.left() + (option.rect.width() - kTile) / 2
                                             : option.rect.left() + 12;
        drawTile(*painter, {left, option.rect.top() + (kRowHeight - kTile) / 2, kTile, kTile}, *row, ratio);
        if (!m_list.isCompact()) {
            const QRect text(left + kTile + 9, option.rect.top() + 4, option.rect.right() - left - kTile - 17,
                             17);
            drawLine(*painter, row->detail.isEmpty() ? text.translated(0, 7) : text, row->name,
                     theme.font(TextSize::Body), theme.color(ColorRole::Text));
            drawLine(*painter, text.translated(0, 16), row->detail, theme.font(TextSize::Caption),
                     theme.color(ColorRole::Muted));
        }
        painter->restore();
    }

private:
    PaletteList& m_list;
};

void runDrag(QWidget* source, std::unique_ptr<QMimeData> data, const QPixmap& picture) {
    auto* drag = new QDrag(source); // deletes itself when the drag ends
    drag->setMimeData(data.release());
    drag->setPixmap(picture);
    drag->setHotSpot({kTile / 2, kTile / 2});
    drag->exec(Qt::CopyAction);
}

} // namespace

PaletteList::PaletteList(QWidget* parent)
    : QListWidget(parent), m_startDrag([this](std::unique_ptr<QMimeData> dragged, const QPixmap& picture) {
          runDrag(this, std::move(dragged), picture);
      }) {
    setItemDelegate(new RowDelegate(*this));
    setProperty("bare", true);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setSelectionMode(SingleSelection);
    setDragEnabled(true);
    setDragDropMode(DragOnly);
    setResizeMode(Adjust);
    setAccessibleName(tr("Devices and presets"));
    connect(this, &QListWidget::itemDoubleClicked, this, &PaletteList::choose);
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void PaletteList::setRows(std::vector<PaletteRow> rows, bool compact) {
    clear();
    m_rows = std::move(rows);
    m_compact = compact;
    for (const auto& row : m_rows) {
        auto* item = new QListWidgetItem(row.name, this);
        item->setToolTip(tooltipText(row.tooltip));
        item->setData(Qt::AccessibleTextRole, row.detail.isEmpty() ? row.name : row.name + ", " + row.detail);
        switch (row.kind) {
        case PaletteRow::Kind::Heading:
            item->setFlags(Qt::NoItemFlags);
            break;
        case PaletteRow::Kind::Device:
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
            break;
        case PaletteRow::Kind::Runtime:
        case PaletteRow::Kind::Technique:
        case PaletteRow::Kind::Preset:
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            break;
        }
    }
}

const PaletteRow* PaletteList::row(int index) const {
    return index >= 0 && index < static_cast<int>(m_rows.size()) ? &m_rows[static_cast<std::size_t>(index)]
                                                                 : nullptr;
}

void PaletteList::startDrag(Qt::DropActions) {
    const auto* dragged = row(currentRow());
    if (!dragged || dragged->kind != PaletteRow::Kind::Device)
        return;
    const auto ratio = devicePixelRatioF();
    QPixmap picture((QSizeF(kTile, kTile) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    {
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        drawTile(painter, {0, 0, kTile, kTile}, *dragged, ratio);
    }
    m_startDrag(encodePart({PartKind::Device, dragged->id.toStdString()}), picture);
}

void PaletteList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        choose(currentItem());
        return;
    }
    QListWidget::keyPressEvent(event);
}

void PaletteList::choose(QListWidgetItem* item) {
    const auto* picked = item ? row(QListWidget::row(item)) : nullptr;
    if (picked && picked->kind != PaletteRow::Kind::Heading)
        emit chosen(*picked);
}

} // namespace heteroscape::widgets
