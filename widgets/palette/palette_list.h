// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/palette/palette_rows.h"

#include <QListWidget>
#include <QPixmap>

#include <functional>
#include <memory>

class QMimeData;

namespace heteroscape::widgets {

/// The rows of the palette: painted from colour roles, each dragged out as its part. Headings fold. Keys:
/// Enter chooses or folds, Left and Right fold, * marks a favourite, Del removes an own part, Ctrl+V pastes.
/// UI thread.
class PaletteList : public QListWidget {
    Q_OBJECT
public:
    explicit PaletteList(QWidget* parent = nullptr);

    /// Shows these rows. The part that was current stays so, and where it was on the screen.
    void setRows(std::vector<PaletteRow> rows, bool compact);
    const PaletteRow* row(int index) const; ///< null outside
    bool isCompact() const { return m_compact; }

    /// What runs a drag; tells whether something took it.
    using DragStarter = std::function<bool(std::unique_ptr<QMimeData>, const QPixmap&)>;
    void setDragStarter(DragStarter starter) { m_startDrag = std::move(starter); }

    void choose(QListWidgetItem* item); ///< null does nothing, a heading folds
    QRect starRect(int index) const;    ///< where a row's star is clicked, in the viewport; empty without
    bool isStarHovered(int index) const { return index == m_starRow; }

signals:
    void chosen(const PaletteRow& row);
    void dropped(const PaletteRow& row); ///< it was dragged to where it was taken
    void foldRequested(const QString& section, bool fold);
    void favouriteToggled(const PaletteRow& row);
    void removeRequested(const PaletteRow& row); ///< of own parts
    void menuRequested(const PaletteRow& row, const QPoint& globalPos);
    void pasteRequested();

protected:
    void startDrag(Qt::DropActions supportedActions) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    bool foldByKey(const PaletteRow& row, bool fold);
    void hoverStar(int index);

    std::vector<PaletteRow> m_rows;
    bool m_compact = false;
    int m_starRow = -1; ///< whose star is under the pointer
    DragStarter m_startDrag;
};

} // namespace heteroscape::widgets
