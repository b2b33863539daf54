// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/parts_flow.h"

#include "engine/base/error.h"
#include "engine/catalog/hugging_face.h"
#include "widgets/document/document.h"
#include "widgets/parts/device_editor.h"
#include "widgets/parts/part_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// Nodes that stand for a device of the catalogue.
std::vector<engine::NodeId> nodesOf(const engine::Scenario& scenario, const std::string& deviceId) {
    std::vector<engine::NodeId> ids;
    for (const auto& node : scenario.nodes)
        if (node.device.id == deviceId)
            ids.push_back(node.id);
    return ids;
}

bool isOwnKind(PartKind kind) {
    return kind == PartKind::Device || kind == PartKind::Model || kind == PartKind::Workload;
}

/// Of an own kind.
engine::PartKind engineKind(PartKind kind) {
    return kind == PartKind::Device  ? engine::PartKind::Device
           : kind == PartKind::Model ? engine::PartKind::Model
                                     : engine::PartKind::Workload;
}

/// The name of a copy.
template <class Part>
void rename(Part& part) {
    part.name = PartsFlow::tr("%1 copy").arg(QString::fromStdString(part.name)).toStdString();
}

} // namespace

PartsFlow::PartsFlow(Document* document, PartLibrary* library, QWidget* window)
    : QObject(window), m_document(document), m_library(library), m_window(window),
      m_showError([window](const QString& title, const QString& text) {
          auto* box = new QMessageBox(QMessageBox::Critical, title, title, QMessageBox::Ok, window);
          box->setAttribute(Qt::WA_DeleteOnClose);
          box->setInformativeText(text);
          box->setTextInteractionFlags(Qt::TextSelectableByMouse);
          box->open();
      }) {}

PartDialog* PartsFlow::open(const PartStart& start) {
    PartDialog* dialog = nullptr;
    if (std::holds_alternative<engine::Device>(start.part))
        dialog = new DeviceEditor(*m_document, *m_library, start, m_window);
    else if (std::holds_alternative<engine::Workload>(start.part))
        dialog = new WorkloadEditor(*m_document, *m_library, start, m_window);
    else
        dialog = new ModelSummary(*m_document, *m_library, start, false, m_window);
    connect(dialog, &PartDialog::kept, this, &PartsFlow::message);
    dialog->open();
    return dialog;
}

DeviceEditor* PartsFlow::newDevice() {
    engine::Device device;
    device.name = tr("My device").toStdString();
    return static_cast<DeviceEditor*>(open({device}));
}

DeviceEditor* PartsFlow::deviceOfNode(const engine::NodeId& id) {
    const auto* node = m_document->scenario().findNode(id);
    if (!node)
        return nullptr;
    auto device = node->device;
    rename(device);
    return static_cast<DeviceEditor*>(open({device, true, PartOrigin::Library, {id}, true}));
}

WorkloadEditor* PartsFlow::newWorkload() {
    auto workload = m_document->scenario().workload;
    workload.name = tr("My workload").toStdString();
    return static_cast<WorkloadEditor*>(open({workload, true, PartOrigin::Library, {}, true}));
}

PartDialog* PartsFlow::duplicatePart(const PartRef& part) {
    if (part.kind == PartKind::Model || !isOwnKind(part.kind))
        return nullptr;
    try {
        auto copy = findPart(*m_document, engineKind(part.kind), part.id);
        std::visit([](auto& one) { rename(one); }, copy);
        const auto nodes = part.kind == PartKind::Device ? nodesOf(m_document->scenario(), part.id)
                                                         : std::vector<engine::NodeId>();
        return open({copy, true, PartOrigin::Library, nodes, part.kind == PartKind::Workload});
    } catch (const engine::Error& error) {
        m_showError(tr("There is no such part"), QString::fromStdString(error.what()));
        return nullptr;
    }
}

PartDialog* PartsFlow::editPart(const PartRef& part) {
    if (!isOwnKind(part.kind))
        return nullptr;
    const auto& scenario = m_document->scenario();
    const auto origin = originOf(scenario.own, m_library->parts(), engineKind(part.kind), part.id);
    if (origin == PartOrigin::Shipped)
        return nullptr;
    const auto own = findPart(*m_document, engineKind(part.kind), part.id);
    const auto nodes =
        part.kind == PartKind::Device ? nodesOf(scenario, part.id) : std::vector<engine::NodeId>();
    const bool inUse = !nodes.empty() || (part.kind == PartKind::Model && scenario.model.id == part.id) ||
                       (part.kind == PartKind::Workload && scenario.workload.id == part.id);
    return open({own, false, origin, nodes, inUse});
}

void PartsFlow::removePart(const PartRef& part) {
    if (!isOwnKind(part.kind))
        return;
    const auto kind = engineKind(part.kind);
    const auto origin = originOf(m_document->scenario().own, m_library->parts(), kind, part.id);
    if (origin == PartOrigin::Shipped)
        return;
    const auto name = partName(findPart(*m_document, kind, part.id));
    if (origin == PartOrigin::Design) {
        if (m_document->perform(engine::DropPart{kind, part.id}))
            emit message(tr("%1 is out of this design\u2019s own parts. Undo brings it back").arg(name));
        return;
    }
    auto* box = new QMessageBox(QMessageBox::Question, tr("Remove from your library"),
                                tr("Remove \u201c%1\u201d from your library?").arg(name), QMessageBox::Cancel,
                                m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Its file is deleted; designs that use it keep their copy."));
    const auto* remove = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this,
            [this, kind, id = part.id, name] { takeFromLibrary(kind, id, name); });
    box->open();
}

void PartsFlow::takeFromLibrary(engine::PartKind kind, const std::string& id, const QString& name) {
    try {
        m_library->remove(kind, id);
        emit message(tr("%1 is out of your library").arg(name));
    } catch (const engine::Error& error) {
        m_showError(tr("The part cannot be removed"), QString::fromStdString(error.what()));
    }
}

bool PartsFlow::import(const std::function<engine::Model()>& read) {
    engine::Model model;
    try {
        model = read();
    } catch (const engine::Error& error) {
        m_showError(tr("The model cannot be read"), QString::fromStdString(error.what()));
        return false;
    }
    const auto kind = engine::PartKind::Model;
    const auto& models = m_document->catalog().models;
    const auto known =
        std::find_if(models.begin(), models.end(), [&model](const auto& one) { return one.id == model.id; });
    const auto origin = originOf(m_document->scenario().own, m_library->parts(), kind, model.id);
    // The same file read again replaces what it gave before; a shipped model stays beside it.
    if (known != models.end() && origin == PartOrigin::Shipped && !(*known == model))
        model.id = freshPartId(*m_document, kind, QString::fromStdString(model.name));
    const auto text = tr("Import %1").arg(QString::fromStdString(model.name)).toStdString();
    if (!m_document->perform(engine::EditList{{engine::PutPart{model}, engine::SetModel{model}}, text}))
        return false;
    auto* summary =
        new ModelSummary(*m_document, *m_library, {model, false, PartOrigin::Design}, true, m_window);
    connect(summary, &PartDialog::kept, this, &PartsFlow::message);
    for (auto* older : m_window->findChildren<ModelSummary*>())
        if (older != summary)
            older->close();
    summary->show();
    emit message(tr("%1 is served now. Undo brings the model from before back")
                     .arg(QString::fromStdString(model.name)));
    return true;
}

bool PartsFlow::importModelText(const QString& text, const QString& where) {
    return import([&] { return engine::readModelText(text.toStdString(), where.toStdString()); });
}

bool PartsFlow::importModelFile(const QString& path) {
    return import([&] { return engine::loadModelFile(path.toStdString()); });
}

bool PartsFlow::pasteModel() {
    const auto text = QGuiApplication::clipboard()->text();
    if (!text.trimmed().isEmpty())
        return importModelText(text, tr("clipboard"));
    m_showError(tr("The clipboard holds no text"),
                tr("Copy the text of a model\u2019s config.json first, then paste it again."));
    return false;
}

} // namespace heteroscape::widgets

#include "moc_parts_flow.cpp"
