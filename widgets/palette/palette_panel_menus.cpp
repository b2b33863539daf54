// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_panel.h"
#include "widgets/theme/theme.h"

#include <QMenu>
#include <QPushButton>

// What a right click and the button below the list offer.

namespace heteroscape::widgets {

void PalettePanel::makeNewButton() {
    m_new->setText(tr("New part"));
    m_new->setFlat(true);
    m_new->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent));
    m_new->setToolTip(tr("Make a device or workload of your own, or use a model\u2019s config.json"));
    auto* menu = new QMenu(m_new);
    connect(menu->addAction(tr("New device\u2026")), &QAction::triggered, this,
            &PalettePanel::newDeviceRequested);
    connect(menu->addAction(tr("New workload\u2026")), &QAction::triggered, this,
            &PalettePanel::newWorkloadRequested);
    connect(menu->addAction(tr("Use a model\u2019s config.json\u2026")), &QAction::triggered, this,
            &PalettePanel::importRequested);
    connect(menu->addAction(tr("Paste a config.json")), &QAction::triggered, this,
            &PalettePanel::pasteRequested);
    connect(m_new, &QPushButton::clicked, this, [this, menu] {
        menu->popup(m_new->mapToGlobal(QPoint(0, -menu->sizeHint().height()))); // there is room above
    });
}

std::unique_ptr<QMenu> PalettePanel::makeMenu(const PaletteRow& row) {
    auto menu = std::make_unique<QMenu>(this);
    const auto part = *row.part;
    const auto add = [&](const QString& text, auto run) {
        connect(menu->addAction(text), &QAction::triggered, this, run);
    };
    const auto& words = partKindWords(part.kind);
    add(partKindText(words.use), [this, row] { request(row); });
    const bool favourite = isFavourite(part);
    add(favourite ? tr("Remove from favourites") : tr("Add to favourites"),
        [this, part, favourite] { setFavourite(part, !favourite); });
    if (words.hasEditor || row.isOwn())
        menu->addSeparator();
    if (words.hasEditor)
        add(tr("Duplicate and edit\u2026"), [this, part] { emit duplicateRequested(part); });
    if (row.isOwn()) {
        add(tr("Edit\u2026"), [this, part] { emit editRequested(part); });
        add(row.origin == PartOrigin::Design ? tr("Remove from this design")
                                             : tr("Remove from your library\u2026"),
            [this, part] { emit removeRequested(part); });
    }
    return menu;
}

} // namespace heteroscape::widgets
