// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/pins.h"

#include "engine/claims/claims.h"
#include "widgets/document/choice_name.h"
#include "widgets/document/document.h"
#include "widgets/document/truth_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMenu>
#include <algorithm>
#include <array>

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
            DesignMenuWords::tr("Pinned: %1").arg(pinLabel(pin).replace(u'&', QStringLiteral("&&"))),
            document, [take, name = pin.name, design = pin.design] { take(name, design); });
}

void addPresets(QMenu* menu, const engine::Catalog& catalog,
                const std::function<void(const std::string&)>& take) {
    menu->setProperty("scrolls", true); // so long a menu would go on in a second column, beyond the window
    QEvent asksAgain(QEvent::StyleChange);
    QCoreApplication::sendEvent(menu, &asksAgain);
    addHeading(menu, DesignMenuWords::tr("Presets"));
    for (const auto& preset : engine::listPresets(catalog)) {
        auto* action = menu->addAction(QString::fromStdString(preset.name));
        QObject::connect(action, &QAction::triggered, menu, [take, id = preset.id] { take(id); });
        action->setToolTip(plainTip(QString::fromStdString(preset.about)));
        action->setData(QString::fromStdString(preset.id));
    }
}

std::size_t Pins::add(const QString& name, const engine::Scenario& design, const Values& metrics) {
    const auto same = std::find_if(m_pins.begin(), m_pins.end(),
                                   [&design](const Pin& pin) { return pin.design == design; });
    if (same != m_pins.end())
        return static_cast<std::size_t>(same - m_pins.begin());
    const auto taken = [this](const QString& wanted) {
        return std::any_of(m_pins.begin(), m_pins.end(),
                           [&wanted](const Pin& pin) { return pin.name == wanted; });
    };
    auto own = name;
    const auto first =
        std::find_if(m_pins.begin(), m_pins.end(), [&name](const Pin& pin) { return pin.name == name; });
    if (first != m_pins.end()) // what tells it from the one that has the name
        if (const auto told = differenceNames(std::array{first->design, design})[1]; !told.isEmpty())
            own = tr("%1, %2").arg(name, told);
    for (int i = 2; taken(own); ++i)
        own = tr("%1, pin %2").arg(name).arg(i);
    m_pins.push_back({own, design, metrics});
    emit changed();
    return m_pins.size() - 1;
}

void Pins::setBaseline(std::optional<std::size_t> which) {
    if (which)
        static_cast<void>(m_pins.at(*which));
    if (m_baseline == which)
        return;
    m_baseline = which;
    emit changed();
}

void Pins::clear() {
    m_pins.clear();
    m_baseline.reset();
    emit changed();
}

} // namespace heteroscape::widgets

#include "moc_pins.cpp"
