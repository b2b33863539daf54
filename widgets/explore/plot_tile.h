// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/export_button.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

class QToolButton;
class QVBoxLayout;

namespace heteroscape::widgets {

/// A tile of the board: a head with a title, a note and buttons; what is plotted stands below.
class PlotTile : public Surface {
    Q_OBJECT
public:
    explicit PlotTile(QWidget* parent);

    ExportButton* exportButton() const { return m_export; }
    void setMaximised(bool maximised); ///< what its button says
    void setClosable(bool closable);

signals:
    void maximiseRequested();
    void closeRequested();
    void drawn(); ///< what takes its time is there

protected:
    QToolButton* makeButton(const QString& icon, const QString& name, const char* object = "");
    /// The tile's column, with the head on top: `own` buttons before those of every tile.
    QVBoxLayout* makeColumn(ExportButton* exports, std::initializer_list<QWidget*> own = {});

    TextLabel* m_title;
    TextLabel* m_note;

private:
    QToolButton* m_maximise = nullptr;
    QToolButton* m_close = nullptr;
    ExportButton* m_export = nullptr;
};

} // namespace heteroscape::widgets
