// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/part_mime.h"
#include "widgets/parts/part_library.h"

#include <QLineEdit>
#include <QString>
#include <optional>
#include <vector>

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

/// A ready design as the palette lists it.
struct PresetEntry {
    QString id;
    QString name;
    QString about;
};

/// One row of the palette: a part, or the heading of a section.
struct PaletteRow {
    std::optional<PartRef> part; ///< none: a heading
    QString section;             ///< id of the section that it stands in: "gpu", "favourites"
    QString name;
    QString detail;  ///< second line
    QString tooltip; ///< plain text
    engine::DeviceKind device = engine::DeviceKind::Gpu;
    PartOrigin origin = PartOrigin::Shipped;
    int members = 0;         ///< of a group: how many there are of what it has most of
    bool isSwitched = false; ///< a group with a switch
    bool favourite = false;
    bool folded = false; ///< heading: its rows are not shown
    int size = 0;        ///< heading: how many rows belong to it
    QString words{};     ///< what a search looks through, as soughtText() has it

    bool isHeading() const { return !part; }
    bool isOwn() const { return origin != PartOrigin::Shipped; }
};

/// Parts of one kind under their heading, own parts first.
struct PaletteSection {
    QString id;
    QString title;
    std::vector<PaletteRow> rows;
};

/// Everything the palette offers: ready groups, devices by kind, models, workloads, runtimes, techniques,
/// layouts, presets. Sections without rows are left out.
std::vector<PaletteSection> paletteSections(const engine::Catalog& catalog, const engine::OwnParts& design,
                                            const engine::Library& library,
                                            const std::vector<PresetEntry>& presets);

/// What is typed and what is looked through, as they are compared: in lower case, and for the sign of times
/// the letter that keyboards have.
QString soughtText(const QString& text);

/// A part as the settings keep it: "device/u280".
QString partKey(const PartRef& part);

} // namespace heteroscape::widgets
