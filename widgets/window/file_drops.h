// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QObject>

class QMimeData;

namespace heteroscape::widgets {

/// Files that are dropped anywhere on the window: a design opens, a config.json becomes the model, a .csv
/// the trace. What cannot be taken is refused by a line in the status bar. UI thread.
class FileDrops : public QObject {
    Q_OBJECT
public:
    explicit FileDrops(const WindowPieces& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool take(const QMimeData* dropped);

    const WindowPieces& m_window;
};

} // namespace heteroscape::widgets
