// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QMimeData;
class QToolButton;

namespace heteroscape::widgets {

class PaletteList;
struct PaletteRow;

/// A ready design as the palette lists it.
struct PresetEntry {
    QString id;
    QString name;
    QString about;
};

/// The devices that can be dragged onto the canvas, by group, runtimes, techniques and the ready designs;
/// found by typing. Enter or a double click asks to place a device, to run a runtime, to switch a technique
/// or to open a preset. UI thread only.
class PalettePanel : public QWidget {
    Q_OBJECT
public:
    explicit PalettePanel(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent = nullptr);

    void setPresets(std::vector<PresetEntry> presets);

    bool isCompact() const { return m_compact; }
    QSize sizeHint() const override;

    /// What starts the drag; a test replaces it. The default runs QDrag with the data and the row's picture.
    using DragStarter = std::function<void(std::unique_ptr<QMimeData>, const QPixmap&)>;
    void setDragStarter(DragStarter starter);

public slots:
    void setCompact(bool compact); ///< a rail 48 px wide: icons with tooltips only
    void focusSearch();

signals:
    void placeRequested(const QString& deviceId);
    void runtimeRequested(const QString& runtimeId);
    void techniqueRequested(const QString& techniqueId);
    void presetRequested(const QString& presetId);
    void expandRequested(); ///< the rail's search icon was clicked

private:
    void rebuild();
    using Matches = std::function<bool(std::initializer_list<QString>)>;
    void addDevices(std::vector<PaletteRow>& rows, const Matches& matches) const;
    void addSoftware(std::vector<PaletteRow>& rows, const Matches& matches) const;

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::vector<PresetEntry> m_presets;
    bool m_compact = false;
    QLineEdit* m_search;
    QToolButton* m_expand;
    PaletteList* m_list;
    QLabel* m_noMatch;
};

} // namespace heteroscape::widgets
