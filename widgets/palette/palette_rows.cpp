// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_rows.h"

#include "engine/scenario/clip.h"
#include "widgets/canvas/node_summary.h"
#include "widgets/palette/palette_list.h"
#include "widgets/parts/part_library.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

PaletteSearch::PaletteSearch(PaletteList* list, QWidget* parent) : QLineEdit(parent), m_list(list) {}

void PaletteSearch::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Paste) &&
        QGuiApplication::clipboard()->text().trimmed().startsWith(QLatin1Char('{'))) {
        emit pasteRequested();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape:
        if (text().isEmpty())
            break;
        clear();
        return;
    case Qt::Key_Down:
    case Qt::Key_Up:
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (enter && text().simplified().isEmpty())
            return; // nothing was asked for
        const auto* current = m_list->row(m_list->currentRow());
        if (!current || current->isHeading())
            selectFirst();
        if (enter)
            m_list->choose(m_list->currentItem());
        else
            m_list->setFocus();
        return;
    }
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

/// The first whose name holds what was typed; others only speak of it.
void PaletteSearch::selectFirst() {
    const auto typed = soughtText(text().simplified());
    const auto isNamed = [&](int row) { return soughtText(m_list->row(row)->name).contains(typed); };
    int first = -1;
    for (int i = m_list->count() - 1; i >= 0; --i) {
        if (m_list->row(i)->isHeading())
            continue;
        if (isNamed(i) || first < 0 || !isNamed(first))
            first = i;
    }
    if (first >= 0)
        m_list->setCurrentRow(first);
}

namespace {

struct PaletteText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Palette)
};

QString lines(QStringList texts) {
    texts.removeAll(QString());
    texts.removeDuplicates();
    return texts.join(QLatin1Char('\n'));
}

/// One row; `more`: what a search finds it by, beside name and detail.
PaletteRow row(PartKind kind, const QString& id, const QString& name, const QString& detail,
               const QString& about, const QString& more) {
    PaletteRow made;
    made.part = PartRef{kind, id.toStdString()};
    made.name = name.isEmpty() ? id : name;
    made.detail = detail;
    made.tooltip = lines({made.name, detail, about});
    made.words = soughtText(QStringList{made.name, about, more}.join(QLatin1Char('\n')));
    return made;
}

class Sections {
public:
    Sections(const engine::OwnParts& design, const engine::Library& library)
        : m_design(design), m_library(library) {}

    void begin(const QString& id, const QString& title) { m_sections.push_back({id, title, {}}); }

    void add(PaletteRow made) {
        auto& section = m_sections.back();
        made.section = section.id;
        made.words += QLatin1Char('\n') + soughtText(section.title);
        section.rows.push_back(std::move(made));
    }
    void addOwnable(PaletteRow made, engine::PartKind kind) {
        made.origin = originOf(m_design, m_library, kind, made.part->id);
        if (made.origin == PartOrigin::Design)
            made.tooltip += QLatin1Char('\n') + PaletteText::tr("Part of this design");
        else if (made.origin == PartOrigin::Library)
            made.tooltip += QLatin1Char('\n') + PaletteText::tr("Part of your library");
        if (made.isOwn())
            made.words += QLatin1Char('\n') + PaletteText::tr("own");
        add(std::move(made));
    }

    std::vector<PaletteSection> take() {
        std::erase_if(m_sections, [](const PaletteSection& section) { return section.rows.empty(); });
        for (auto& section : m_sections)
            std::stable_partition(section.rows.begin(), section.rows.end(),
                                  [](const PaletteRow& one) { return one.isOwn(); });
        return std::move(m_sections);
    }

private:
    const engine::OwnParts& m_design;
    const engine::Library& m_library;
    std::vector<PaletteSection> m_sections;
};

/// "8 × H100 SXM, NVLink 4": what computes or keeps data, and over what it is linked.
QString groupLine(const engine::Clip& clip) {
    QStringList parts;
    for (const auto& node : clip.nodes)
        if (engine::isAccelerator(node.device.kind) || engine::isStorage(node.device.kind))
            parts << QStringLiteral("%1 \u00d7 %2")
                         .arg(node.count.value)
                         .arg(QString::fromStdString(node.shownName()));
    for (const auto& link : clip.links)
        parts << QString::fromStdString(link.type.name);
    return parts.join(QStringLiteral(", "));
}

void addGroups(Sections& sections, const engine::Catalog& catalog) {
    sections.begin(QStringLiteral("groups"), PaletteText::tr("Servers"));
    for (const auto& group : engine::loadGroups(catalog)) {
        const auto line = groupLine(group.clip);
        auto made = row(PartKind::Group, QString::fromStdString(group.id), QString::fromStdString(group.name),
                        line, QString::fromStdString(group.about), line);
        for (const auto& node : group.clip.nodes) {
            made.isSwitched = made.isSwitched || node.device.kind == engine::DeviceKind::Switch;
            const int count = static_cast<int>(std::lround(node.count.value));
            if (count <= made.members)
                continue;
            made.members = count;
            made.device = node.device.kind;
        }
        sections.add(std::move(made));
    }
}

void addDevices(Sections& sections, const engine::Catalog& catalog) {
    using engine::DeviceKind;
    struct Group {
        const char* id;
        QString title;
        std::vector<DeviceKind> kinds;
    };
    const std::array groups{Group{"gpu", PaletteText::tr("GPU"), {DeviceKind::Gpu}},
                            Group{"npu", PaletteText::tr("NPU"), {DeviceKind::Npu}},
                            Group{"fpga", PaletteText::tr("FPGA"), {DeviceKind::Fpga}},
                            Group{"cpu", PaletteText::tr("CPU"), {DeviceKind::Cpu}},
                            Group{"storage", PaletteText::tr("Storage"), {DeviceKind::Ssd, DeviceKind::Csd}},
                            Group{"fabric", PaletteText::tr("Fabric"), {DeviceKind::Switch}}};
    for (const auto& group : groups) {
        sections.begin(QLatin1String(group.id), group.title);
        for (const auto& device : catalog.devices) {
            if (std::find(group.kinds.begin(), group.kinds.end(), device.kind) == group.kinds.end())
                continue;
            auto made =
                row(PartKind::Device, QString::fromStdString(device.id), QString::fromStdString(device.name),
                    keyQuantityLine(device), QString::fromStdString(device.about),
                    QString::fromUtf8(engine::deviceKindLabel(device.kind)) + QLatin1Char(' ') +
                        QString::fromStdString(device.vendor));
            made.device = device.kind;
            sections.addOwnable(std::move(made), engine::PartKind::Device);
        }
    }
}

void addDemand(Sections& sections, const engine::Catalog& catalog) {
    sections.begin(QStringLiteral("models"), PaletteText::tr("Models"));
    for (const auto& model : catalog.models)
        sections.addOwnable(row(PartKind::Model, QString::fromStdString(model.id),
                                QString::fromStdString(model.name), modelLine(model),
                                QString::fromStdString(model.about), {}),
                            engine::PartKind::Model);
    sections.begin(QStringLiteral("workloads"), PaletteText::tr("Workloads"));
    for (const auto& workload : catalog.workloads)
        sections.addOwnable(row(PartKind::Workload, QString::fromStdString(workload.id),
                                QString::fromStdString(workload.name), workloadLine(workload),
                                workloadSentence(workload), {}),
                            engine::PartKind::Workload);
}

void addSoftware(Sections& sections, const engine::Catalog& catalog) {
    sections.begin(QStringLiteral("runtimes"), PaletteText::tr("Runtimes"));
    for (const auto& runtime : catalog.runtimes) {
        const auto about = QString::fromStdString(runtime.base.about);
        sections.add(row(PartKind::Runtime, QString::fromStdString(runtime.base.id),
                         QString::fromStdString(runtime.base.name), about, about, {}));
    }
    sections.begin(QStringLiteral("techniques"), PaletteText::tr("Techniques"));
    for (const auto* kind : engine::techniqueKinds().all())
        sections.add(row(PartKind::Technique, QString::fromUtf8(kind->id()), QString::fromUtf8(kind->label()),
                         QString::fromUtf8(kind->about()), QString::fromUtf8(kind->about()), {}));
    sections.begin(QStringLiteral("layout"), PaletteText::tr("Layout"));
    sections.add(row(PartKind::Layout, QLatin1String(kTensorParallel), PaletteText::tr("Tensor parallel"),
                     PaletteText::tr("One replica over all"),
                     PaletteText::tr("One replica over all devices of a node."), {}));
    sections.add(row(PartKind::Layout, QLatin1String(kReplicated), PaletteText::tr("Replicated"),
                     PaletteText::tr("One replica on each"),
                     PaletteText::tr("One replica on each device of a node."), {}));
}

} // namespace

std::vector<PaletteSection> paletteSections(const engine::Catalog& catalog, const engine::OwnParts& design,
                                            const engine::Library& library,
                                            const std::vector<PresetEntry>& presets) {
    Sections sections(design, library);
    addGroups(sections, catalog);
    addDevices(sections, catalog);
    addDemand(sections, catalog);
    addSoftware(sections, catalog);
    sections.begin(QStringLiteral("presets"), PaletteText::tr("Presets"));
    for (const auto& preset : presets)
        sections.add(row(PartKind::Preset, preset.id, preset.name, preset.about, preset.about, {}));
    return sections.take();
}

QString soughtText(const QString& text) {
    return text.toLower().replace(QChar(0x00d7), QLatin1Char('x'));
}

QString partKey(const PartRef& part) {
    return QLatin1String(partKindWords(part.kind).key) + QLatin1Char('/') + QString::fromStdString(part.id);
}

} // namespace heteroscape::widgets

#include "moc_palette_rows.cpp"
