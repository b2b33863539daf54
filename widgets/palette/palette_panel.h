// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/palette/palette_list.h"

#include <QWidget>

#include <memory>
#include <vector>

class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace heteroscape::widgets {

class Document;
class PaletteSearch;
class Settings;

/// Everything a design is put together from, by sections that fold, with favourites and what was used lately
/// on top; found by typing. Each row is dragged out as its part; Enter or a double click asks for what it is
/// for. Own parts are marked and come first. Follows the document's catalogue. UI thread.
class PalettePanel : public QWidget {
    Q_OBJECT
public:
    /// `settings` and `library` outlive the panel.
    PalettePanel(Document* document, Settings* settings, PartLibrary* library, QWidget* parent = nullptr);

    void setPresets(std::vector<PresetEntry> presets);
    const std::vector<PaletteSection>& sections() const { return m_sections; }
    /// Puts a part on top of what was used lately, whoever used it.
    void noteUsed(const PartRef& part);
    void setFavourite(const PartRef& part, bool favourite);
    bool isFavourite(const PartRef& part) const;

    bool isCompact() const { return m_compact; }
    QSize sizeHint() const override;

    /// What starts the drag; a test replaces it. The default runs QDrag with the data and the row's picture.
    using DragStarter = PaletteList::DragStarter;
    void setDragStarter(DragStarter starter);
    /// The menu of a row; the caller owns it.
    std::unique_ptr<QMenu> makeMenu(const PaletteRow& row);

public slots:
    void setCompact(bool compact); ///< a narrow rail: signs with names
    void focusSearch();

protected:
    void paintEvent(QPaintEvent* event) override;

signals:
    void useRequested(const PartRef& part); ///< placed, served, switched, opened: what it is for
    void expandRequested();                 ///< the rail's search icon was clicked

    void newDeviceRequested();
    void newWorkloadRequested();
    void importRequested();                       ///< of a model's config.json
    void pasteRequested();                        ///< of a model's config.json
    void duplicateRequested(const PartRef& part); ///< and edit: a device or workload
    void editRequested(const PartRef& part);      ///< of own parts
    void removeRequested(const PartRef& part);    ///< of own parts

private:
    void makeNewButton();
    void remake();  ///< the catalogue or what is marked as own changed
    void rebuild(); ///< what is shown of it
    void request(const PaletteRow& row);
    void toggleFold(const QString& section, bool fold);
    std::vector<PaletteRow> rowsShown(const QString& wanted) const;
    PaletteSection remembered(const QString& id, const QString& title, const QStringList& keys) const;

    Document* m_document;
    Settings* m_settings;
    PartLibrary* m_library;
    std::vector<PresetEntry> m_presets;
    std::vector<PaletteSection> m_sections;
    engine::OwnParts m_shownOwn; ///< the design's own parts as they are marked
    bool m_compact = false;
    PaletteList* m_list;
    PaletteSearch* m_search;
    QToolButton* m_expand;
    QLabel* m_noMatch;
    QPushButton* m_new;
    QHBoxLayout* m_foot; ///< below the list
};

} // namespace heteroscape::widgets
