// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/design_menu.h"

#include "engine/claims/claims.h"
#include "widgets/document/document.h"
#include "widgets/theme/menu_heading.h"
#include "widgets/theme/plain_text.h"

#include <QCoreApplication>
#include <QMenu>

namespace heteroscape::widgets {

namespace {

class DesignMenuWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::DesignsPage)
};

} // namespace

void addOpenDesigns(QMenu* menu, Document* document, const TakeDesign& take) {
    if (!document->scenario().nodes.empty())
        menu->addAction(DesignMenuWords::tr("The open design as it is now"), document, [document, take] {
            take(DesignMenuWords::tr("%1, as it was").arg(document->title()), document->scenario());
        });
    for (const auto& pin : document->pins().all())
        menu->addAction(
            DesignMenuWords::tr("Pinned: %1").arg(QString(pin.name).replace(u'&', QStringLiteral("&&"))),
            document, [take, name = pin.name, design = pin.design] { take(name, design); });
}

void addPresets(QMenu* menu, const engine::Catalog& catalog,
                const std::function<void(const std::string&)>& take) {
    // So long a menu would go on in a second column, beyond the window.
    menu->setStyleSheet(QStringLiteral("QMenu { menu-scrollable: 1; }"));
    addHeading(menu, DesignMenuWords::tr("Presets"));
    for (const auto& preset : engine::listPresets(catalog)) {
        auto* action = menu->addAction(QString::fromStdString(preset.name));
        QObject::connect(action, &QAction::triggered, menu, [take, id = preset.id] { take(id); });
        action->setToolTip(plainTip(QString::fromStdString(preset.about)));
        action->setData(QString::fromStdString(preset.id));
    }
}

} // namespace heteroscape::widgets
