// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QObject>
#include <functional>
#include <string>

class QMimeData;
class QTabBar;
class QTimer;

namespace heteroscape::widgets {

/// What can be swept, dragged over a tab, opens that tab, so that it can be dropped on the study behind it;
/// dropped on the tab itself, a property is swept with its usual values. UI thread.
class TabDrop : public QObject {
    Q_OBJECT
public:
    TabDrop(QTabBar* tabs, int tab);

    /// The path of a dragged property; empty when it is none that the open design has.
    using ReadPath = std::function<std::string(const QMimeData& data)>;
    void setReader(ReadPath reader) { m_read = std::move(reader); }

signals:
    void propertyDropped(const std::string& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTabBar* m_tabs;
    int m_tab;
    QTimer* m_rest; ///< until the pointer has stayed long enough
    ReadPath m_read;
};

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
