// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_list.h"

#include "widgets/palette/palette_row_paint.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QContextMenuEvent>
#include <QDrag>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

namespace heteroscape::widgets {

namespace {

class RowDelegate : public QStyledItemDelegate {
public:
    explicit RowDelegate(PaletteList& list) : QStyledItemDelegate(&list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const auto* row = m_list.row(index.row());
        return {48, row ? paletteRowHeight(*row, m_list.isCompact()) : 0};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const auto* row = m_list.row(index.row());
        if (!row)
            return;
        painter->save();
        paintPaletteRow(*painter, option.rect, *row,
                        {m_list.isCompact(), index.row() == 0, m_list.isStarHovered(index.row()),
                         option.state, m_list.devicePixelRatioF()});
        painter->restore();
    }

private:
    PaletteList& m_list;
};

bool runDrag(QWidget* source, std::unique_ptr<QMimeData> data, const QPixmap& picture) {
    auto* drag = new QDrag(source); // deletes itself when the drag ends
    drag->setMimeData(data.release());
    drag->setPixmap(picture);
    drag->setHotSpot({kPaletteTile / 2, kPaletteTile / 2});
    return drag->exec(Qt::CopyAction) == Qt::CopyAction;
}

QString spokenText(const PaletteRow& row) {
    if (row.isHeading())
        return row.folded ? PaletteList::tr("%1, %2 parts, folded").arg(row.name).arg(row.size)
                          : PaletteList::tr("%1, %2 parts").arg(row.name).arg(row.size);
    QStringList words{row.name, row.detail};
    if (row.isOwn())
        words << PaletteList::tr("your own");
    if (row.favourite)
        words << PaletteList::tr("favourite");
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}

} // namespace

PaletteList::PaletteList(QWidget* parent)
    : QListWidget(parent), m_startDrag([this](std::unique_ptr<QMimeData> dragged, const QPixmap& picture) {
          return runDrag(this, std::move(dragged), picture);
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
    setAccessibleName(tr("Parts"));
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void PaletteList::setRows(std::vector<PaletteRow> rows, bool compact) {
    const auto* before = row(currentRow());
    const auto part = before ? before->part : std::nullopt;
    const auto section = before ? before->section : QString();
    const int top = before ? visualItemRect(currentItem()).top() : 0;
    const int scrolled = verticalScrollBar()->value();
    setUpdatesEnabled(false);
    clear();
    m_starRow = -1;
    m_rows = std::move(rows);
    m_compact = compact;
    int current = -1;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto& made = m_rows[i];
        auto* item = new QListWidgetItem(made.name, this);
        item->setData(Qt::AccessibleTextRole, spokenText(made));
        if (!made.isHeading()) {
            item->setToolTip(wrappedTip(made.tooltip));
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
        } else {
            item->setFlags(compact ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        }
        if (!section.isEmpty() && made.section == section && made.part == part)
            current = static_cast<int>(i);
    }
    if (current >= 0) {
        setCurrentRow(current);
        doItemsLayout();
        auto* bar = verticalScrollBar();
        bar->setValue(scrolled);
        if (part) // rows that came above it do not move it away from under the pointer
            bar->setValue(bar->value() + visualItemRect(currentItem()).top() - top);
    } else {
        doItemsLayout();
        verticalScrollBar()->setValue(scrolled);
    }
    setUpdatesEnabled(true);
}

const PaletteRow* PaletteList::row(int index) const {
    return index >= 0 && index < static_cast<int>(m_rows.size()) ? &m_rows[static_cast<std::size_t>(index)]
                                                                 : nullptr;
}

QRect PaletteList::starRect(int index) const {
    const auto* shown = row(index);
    return !shown || shown->isHeading() || m_compact ? QRect() : paletteStarRect(visualItemRect(item(index)));
}

void PaletteList::startDrag(Qt::DropActions) {
    const auto* current = row(currentRow());
    if (!current || current->isHeading())
        return;
    const auto dragged = *current; // what takes the drop may make the rows anew
    const auto ratio = devicePixelRatioF();
    QPixmap picture((QSizeF(kPaletteTile, kPaletteTile) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    {
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        paintPaletteTile(painter, {0, 0, kPaletteTile, kPaletteTile}, dragged, ratio);
    }
    if (m_startDrag(encodePart(*dragged.part), picture))
        emit dropped(dragged);
}

bool PaletteList::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Here these keys are about the list, not about what is selected on the canvas.
        auto* key = static_cast<QKeyEvent*>(event);
        const auto* current = row(currentRow());
        if ((key->key() == Qt::Key_Delete && current && current->isOwn()) ||
            key->matches(QKeySequence::Paste)) {
            event->accept();
            return true;
        }
    }
    return QListWidget::event(event);
}

bool PaletteList::foldByKey(const PaletteRow& current, bool fold) {
    if (current.isHeading()) {
        if (current.folded != fold)
            emit foldRequested(current.section, fold);
        return true;
    }
    if (!fold)
        return false;
    for (int i = currentRow(); i >= 0; --i)
        if (row(i)->isHeading()) {
            setCurrentRow(i);
            break;
        }
    return true;
}

void PaletteList::keyPressEvent(QKeyEvent* event) {
    const auto* current = row(currentRow());
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(currentItem());
        return;
    case Qt::Key_Space:
        if (current && current->isHeading()) {
            choose(currentItem());
            return;
        }
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (current && !m_compact && foldByKey(*current, event->key() == Qt::Key_Left))
            return;
        break;
    case Qt::Key_Asterisk:
        if (current && !current->isHeading())
            emit favouriteToggled(PaletteRow(*current));
        return;
    case Qt::Key_Delete:
        if (current && current->isOwn())
            emit removeRequested(PaletteRow(*current));
        return;
    default:
        if (event->matches(QKeySequence::Paste)) {
            emit pasteRequested();
            return;
        }
    }
    QListWidget::keyPressEvent(event);
}

void PaletteList::mousePressEvent(QMouseEvent* event) {
    const int index = indexAt(event->pos()).row();
    const auto* pressed = row(index);
    if (event->button() == Qt::LeftButton && pressed && !m_compact) {
        if (starRect(index).contains(event->pos())) {
            emit favouriteToggled(PaletteRow(*pressed));
            return;
        }
        if (pressed->isHeading()) {
            choose(item(index));
            return;
        }
    }
    QListWidget::mousePressEvent(event);
}

void PaletteList::mouseDoubleClickEvent(QMouseEvent* event) {
    const int index = indexAt(event->pos()).row();
    if (event->button() != Qt::LeftButton || starRect(index).contains(event->pos()))
        return;
    choose(item(index)); // the second click on a heading too: two clicks fold and unfold
}

void PaletteList::mouseMoveEvent(QMouseEvent* event) {
    const int index = indexAt(event->pos()).row();
    hoverStar(event->buttons() == Qt::NoButton && starRect(index).contains(event->pos()) ? index : -1);
    QListWidget::mouseMoveEvent(event);
}

void PaletteList::leaveEvent(QEvent* event) {
    hoverStar(-1);
    QListWidget::leaveEvent(event);
}

void PaletteList::hoverStar(int index) {
    if (index == m_starRow)
        return;
    m_starRow = index;
    viewport()->update();
}

void PaletteList::contextMenuEvent(QContextMenuEvent* event) {
    const bool key = event->reason() == QContextMenuEvent::Keyboard;
    const int index = key ? currentRow() : indexAt(event->pos()).row();
    const auto* asked = row(index);
    if (!asked || asked->isHeading())
        return;
    setCurrentRow(index);
    emit menuRequested(PaletteRow(*asked), key ? viewport()->mapToGlobal(visualItemRect(item(index)).center())
                                               : event->globalPos());
}

void PaletteList::choose(QListWidgetItem* item) {
    const auto* picked = item ? row(QListWidget::row(item)) : nullptr;
    if (!picked)
        return;
    const auto copy = *picked; // what is done may make the rows anew
    if (!copy.isHeading())
        emit chosen(copy);
    else if (!m_compact)
        emit foldRequested(copy.section, !copy.folded);
}

} // namespace heteroscape::widgets

#include "moc_palette_list.cpp"
