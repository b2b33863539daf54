// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace heteroscape::widgets {

class PaletteList;

/// Arrows and Enter in the search field act on the list below it. Pasted JSON is not searched for but handed
/// over. UI thread.
class PaletteSearch : public QLineEdit {
    Q_OBJECT
public:
    PaletteSearch(PaletteList* list, QWidget* parent);

signals:
    void pasteRequested(); ///< the clipboard holds a JSON object

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void selectFirst();

    PaletteList* m_list;
};

} // namespace heteroscape::widgets
