// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/part_library.h"

#include "engine/base/error.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/document/document.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kLongestStem = 56; ///< of 64, leaving room for a number

struct OwnPartsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::OwnParts)
};

bool isTaken(const engine::Catalog& catalog, engine::PartKind kind, const std::string& id) {
    const auto in = [&id](const auto& parts) {
        return std::any_of(parts.begin(), parts.end(), [&id](const auto& part) { return part.id == id; });
    };
    switch (kind) {
    case engine::PartKind::Device:
        return in(catalog.devices);
    case engine::PartKind::Model:
        return in(catalog.models);
    case engine::PartKind::Workload:
        break;
    }
    return in(catalog.workloads);
}

} // namespace

const std::string& partId(const OwnPart& part) {
    return std::visit([](const auto& one) -> const std::string& { return one.id; }, part);
}

QString partName(const OwnPart& part) {
    return std::visit([](const auto& one) { return QString::fromStdString(one.name); }, part);
}

engine::PartKind partKind(const OwnPart& part) {
    return static_cast<engine::PartKind>(part.index());
}

std::string idFromName(const QString& name, const std::string& fallback) {
    std::string id;
    for (const char c : name.normalized(QString::NormalizationForm_KD).toLower().toStdString()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        const bool foreign = static_cast<unsigned char>(c) >= 0x80; // an accent, a letter of another script
        if (plain)
            id += c;
        else if (!foreign && !id.empty() && id.back() != '-')
            id += '-';
    }
    id.resize(std::min(id.size(), kLongestStem));
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.empty() ? fallback : id;
}

std::string freshPartId(const Document& document, engine::PartKind kind, const QString& name) {
    constexpr const char* kFallbacks[] = {"device", "model", "workload"};
    const auto stem = idFromName(name, kFallbacks[static_cast<std::size_t>(kind)]);
    auto id = stem;
    for (int number = 2; isTaken(document.catalog(), kind, id); ++number)
        id = stem + '-' + std::to_string(number);
    return id;
}

OwnPart findPart(const Document& document, engine::PartKind kind, const std::string& id) {
    const auto& catalog = document.catalog();
    switch (kind) {
    case engine::PartKind::Device:
        return catalog.device(id, "device");
    case engine::PartKind::Model:
        return catalog.model(id, "model");
    case engine::PartKind::Workload:
        break;
    }
    return catalog.workload(id, "workload");
}

void keepPart(Document& document, PartLibrary& library, const OwnPart& part, PartOrigin where,
              std::vector<engine::GraphEdit> edits, const QString& text) {
    const auto kind = partKind(part);
    const auto& own = document.scenario().own;
    if (where == PartOrigin::Library) {
        library.save(part);
        if (originOf(own, {}, kind, partId(part)) == PartOrigin::Design)
            edits.insert(edits.begin(), engine::DropPart{kind, partId(part)});
    } else {
        edits.insert(edits.begin(), engine::PutPart{part});
    }
    if (!edits.empty())
        document.perform(engine::EditList{std::move(edits), text.toStdString()});
}

engine::GraphEdit deviceEdit(const Document& document, const engine::NodeId& id,
                             const engine::Device& device) {
    const auto* node = document.scenario().findNode(id);
    if (!node || (node->runtime && engine::runsOn(*node->runtime, device.kind)))
        return engine::SetDevice{id, device, node ? node->runtime : std::nullopt};
    return engine::replaceDevice(*node, device, document.catalog());
}

engine::GraphEdit workloadEdit(const Document& document, engine::Workload workload) {
    if (!workload.batch.isSet())
        workload.batch = document.scenario().workload.batch;
    return engine::SetWorkload{std::move(workload)};
}

QString applyLayout(Document& document, const QString& layoutId) {
    const bool shared = layoutId == QLatin1String(kTensorParallel);
    const auto name = shared ? OwnPartsText::tr("Tensor parallel") : OwnPartsText::tr("Replicated");
    const auto& chosen = document.selection().nodes;
    std::vector<const engine::Node*> selected;
    std::vector<const engine::Node*> possible;
    for (const auto& node : document.scenario().nodes) {
        if (!engine::isAccelerator(node.device.kind))
            continue;
        possible.push_back(&node);
        if (std::find(chosen.begin(), chosen.end(), node.id) != chosen.end())
            selected.push_back(&node);
    }
    if (possible.empty())
        return OwnPartsText::tr("Nothing here holds a model: place an accelerator first");
    if (selected.empty() && possible.size() > 1)
        return OwnPartsText::tr("%1: select the accelerators to lay the model out on").arg(name);
    const auto& nodes = selected.empty() ? possible : selected;
    engine::EditList list;
    QStringList names;
    for (const auto* node : nodes) {
        // One copy over all, or as many as there are devices, which is what an unset quantity means.
        const auto quantity =
            shared ? engine::Quantity{1.0, engine::Provenance::User, {}} : engine::Quantity{};
        list.edits.push_back(engine::SetQuantity{"nodes." + node->id.value + ".replicas", quantity});
        names << QString::fromStdString(node->shownName());
    }
    list.text = (shared ? OwnPartsText::tr("Share one model over %1")
                        : OwnPartsText::tr("Keep a model on each of %1"))
                    .arg(names.join(QStringLiteral(", ")))
                    .toStdString();
    if (!document.perform(list))
        return {}; // the document told why
    return shared && nodes.size() == 1 && nodes.front()->count.value == 1.0
               ? OwnPartsText::tr("%1 is one device: raise its count to share the model").arg(names.front())
               : QString();
}

namespace {

struct PartWordsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::PartWords)
};

QString number(const engine::Quantity& quantity, int digits = 6) {
    return QString::fromStdString(engine::plainText(quantity.value, digits));
}

QString parameterCount(double parameters) {
    return parameters < 1e9
               ? PartWordsText::tr("%1 M").arg(QString::fromStdString(engine::plainText(parameters / 1e6, 3)))
               : PartWordsText::tr("%1 B").arg(
                     QString::fromStdString(engine::plainText(parameters / 1e9, 3)));
}

} // namespace

QString modelLine(const engine::Model& model) {
    const auto line =
        PartWordsText::tr("%1, %2 layers").arg(parameterCount(model.parameters()), number(model.layers));
    return model.isMixture() ? PartWordsText::tr("%1, %2 experts").arg(line, number(model.experts)) : line;
}

QString workloadLine(const engine::Workload& workload) {
    const auto shape = PartWordsText::tr("%1 \u2192 %2 tokens")
                           .arg(number(workload.promptTokens), number(workload.outputTokens));
    return workload.batch.isSet() ? PartWordsText::tr("%1 \u00d7 %2").arg(number(workload.batch), shape)
                                  : shape;
}

QString workloadSentence(const engine::Workload& workload) {
    const auto each = PartWordsText::tr("a prompt of %1 tokens, then %2 tokens of output")
                          .arg(number(workload.promptTokens), number(workload.outputTokens));
    if (!workload.batch.isSet())
        return PartWordsText::tr("Each request: %1; the batch stays as it is").arg(each);
    if (workload.batch.value == 1.0)
        return PartWordsText::tr("One request at a time: %1").arg(each);
    return PartWordsText::tr("%1 requests at once, each %2").arg(number(workload.batch), each);
}

namespace {

template <class Parts>
bool holds(const Parts& parts, const std::string& id) {
    return std::any_of(parts.begin(), parts.end(), [&id](const auto& part) { return part.id == id; });
}

/// Of a library or of a design's own parts.
template <class Owner>
bool holds(const Owner& owner, engine::PartKind kind, const std::string& id) {
    switch (kind) {
    case engine::PartKind::Device:
        return holds(owner.devices, id);
    case engine::PartKind::Model:
        return holds(owner.models, id);
    case engine::PartKind::Workload:
        break;
    }
    return holds(owner.workloads, id);
}

} // namespace

PartLibrary::PartLibrary(QString folder, QObject* parent) : QObject(parent), m_folder(std::move(folder)) {
    m_parts = engine::loadLibrary(m_folder.toStdString());
    watch();
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &PartLibrary::load);
}

PartLibrary* PartLibrary::shared() {
    static PartLibrary* library = nullptr;
    if (!library) {
        const auto data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
        library = new PartLibrary(QDir(data).filePath(QStringLiteral("library")), qApp);
        connect(library, &QObject::destroyed, qApp, [] { library = nullptr; });
    }
    return library;
}

void PartLibrary::watch() {
    // A folder that is not there cannot be watched, so they are made; where that fails, only what this
    // program writes is seen.
    for (const auto* kind : {"devices", "models", "workloads"}) {
        const auto folder = QDir(m_folder).filePath(QLatin1String(kind));
        if (QDir().mkpath(folder) && !m_watcher.directories().contains(folder))
            m_watcher.addPath(folder);
    }
}

void PartLibrary::load() {
    auto parts = engine::loadLibrary(m_folder.toStdString());
    watch();
    if (parts.devices == m_parts.devices && parts.models == m_parts.models &&
        parts.workloads == m_parts.workloads && parts.problems == m_parts.problems)
        return;
    m_parts = std::move(parts);
    emit changed();
}

QStringList PartLibrary::problems() const {
    QStringList lines;
    for (const auto& problem : m_parts.problems)
        lines << QString::fromStdString(problem);
    return lines;
}

bool PartLibrary::has(engine::PartKind kind, const std::string& id) const {
    return holds(m_parts, kind, id);
}

std::shared_ptr<const engine::Catalog>
PartLibrary::over(const std::shared_ptr<const engine::Catalog>& shipped) const {
    if (m_parts.devices.empty() && m_parts.models.empty() && m_parts.workloads.empty())
        return shipped;
    return std::make_shared<const engine::Catalog>(
        engine::withParts(*shipped, m_parts.devices, m_parts.models, m_parts.workloads));
}

void PartLibrary::save(const OwnPart& part) {
    std::visit([this](const auto& one) { engine::saveToLibrary(m_folder.toStdString(), one); }, part);
    load();
}

void PartLibrary::remove(engine::PartKind kind, const std::string& id) {
    // Both list device, model and workload.
    engine::removeFromLibrary(m_folder.toStdString(), static_cast<engine::LibraryKind>(kind), id);
    load();
}

PartOrigin originOf(const engine::OwnParts& design, const engine::Library& library, engine::PartKind kind,
                    const std::string& id) {
    if (holds(design, kind, id))
        return PartOrigin::Design;
    return holds(library, kind, id) ? PartOrigin::Library : PartOrigin::Shipped;
}

} // namespace heteroscape::widgets

#include "moc_part_library.cpp"
