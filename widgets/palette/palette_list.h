// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/palette/palette_panel.h"

#include <QListWidget>

namespace heteroscape::widgets {

/// One row of the palette.
struct PaletteRow {
    enum class Kind { Heading, Device, Runtime, Technique, Preset } kind = Kind::Heading;
    QString id;
    QString name;
    QString detail;  ///< second line
    QString tooltip; ///< plain text
    engine::DeviceKind device = engine::DeviceKind::Gpu;
};

/// The rows of the palette: painted from colour roles, dragged out as devices. Headings cannot be chosen.
class PaletteList : public QListWidget {
    Q_OBJECT
public:
    explicit PaletteList(QWidget* parent = nullptr);

    void setRows(std::vector<PaletteRow> rows, bool compact);
    const PaletteRow* row(int index) const; ///< null outside
    bool isCompact() const { return m_compact; }
    void setDragStarter(PalettePanel::DragStarter starter) { m_startDrag = std::move(starter); }

    void choose(QListWidgetItem* item); ///< null and headings do nothing

signals:
    void chosen(const PaletteRow& row);

protected:
    void startDrag(Qt::DropActions supportedActions) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::vector<PaletteRow> m_rows;
    bool m_compact = false;
    PalettePanel::DragStarter m_startDrag;
};

} // namespace heteroscape::widgets
