// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/selection_edits.h"

#include "engine/base/error.h"
#include "engine/scenario/clip.h"
#include "engine/scenario/notes.h"
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QMimeData>
#include <QTimer>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr qsizetype kLongest = qsizetype{64} << 20;

} // namespace

std::unique_ptr<QMimeData> encodeSelection(const engine::Scenario& scenario, const Selection& selection) {
    const auto text =
        QByteArray::fromStdString(engine::writeClip(scenario, selection.nodes, selection.notes));
    auto data = std::make_unique<QMimeData>();
    data->setData(QString::fromLatin1(kNodesMimeType), text);
    data->setText(QString::fromUtf8(text));
    return data;
}

std::string nodesText(const QMimeData* data) {
    if (!data)
        return {};
    auto text = data->data(QString::fromLatin1(kNodesMimeType));
    if (text.isEmpty() && data->hasText()) {
        text = data->text().trimmed().toUtf8();
        // Any other text on the clipboard is nobody's mistake.
        if (!text.startsWith('{') || !text.contains("heteroscape-clip"))
            return {};
    }
    return text.size() > kLongest ? std::string() : text.toStdString();
}

namespace {

constexpr double kPasteStep = 3 * kSnap;
constexpr std::size_t kAtOnce = 100; ///< more copies are selected a turn after they are made

} // namespace

SelectionEdits::SelectionEdits(CanvasView& view)
    : m_view(view), m_document(view.document()), m_scene(view.canvasScene()) {
    connect(&m_document, &Document::changed, this, &SelectionEdits::describe);
    connect(&m_document, &Document::selectionChanged, this, &SelectionEdits::describe);
    describe();
}

void SelectionEdits::describe() {
    const auto& selection = m_document.selection();
    QString description = tr("Nothing selected");
    const auto count = selection.nodes.size() + selection.links.size() + selection.notes.size();
    if (count == 1)
        description = !selection.nodes.empty()   ? nodeSentence(m_document, selection.nodes.front())
                      : !selection.links.empty() ? linkSentence(m_document, selection.links.front())
                                                 : noteSentence(m_document, selection.notes.front());
    else if (count > 0 && selection.notes.empty())
        description =
            tr("%1 nodes and %2 links selected").arg(selection.nodes.size()).arg(selection.links.size());
    else if (count > 0)
        description = tr("%1 nodes, %2 links and %3 notes selected")
                          .arg(selection.nodes.size())
                          .arg(selection.links.size())
                          .arg(selection.notes.size());
    if (m_view.accessibleDescription() == description)
        return;
    m_view.setAccessibleDescription(description);
    QAccessibleEvent event(&m_view, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void SelectionEdits::selectAll() {
    Selection selection;
    for (const auto& node : m_document.scenario().nodes)
        selection.nodes.push_back(node.id);
    for (const auto& link : m_document.scenario().links)
        selection.links.push_back(link.id);
    for (const auto& note : engine::notesOnCanvas(m_document.scenario()))
        selection.notes.push_back(note.id);
    m_document.select(std::move(selection));
}

void SelectionEdits::remove() {
    const auto& selection = m_document.selection();
    if (!selection.empty())
        m_document.perform(
            engine::removeEdit(m_document.scenario(), selection.nodes, selection.links, selection.notes));
}

void SelectionEdits::duplicate() {
    duplicateBy({3 * kSnap, 3 * kSnap});
}

void SelectionEdits::duplicateBy(QPointF distance) {
    Selection copies;
    auto edit = duplicateEdit(m_document, distance, copies);
    if (edit.edits.empty() || !m_document.perform(std::move(edit)))
        return;
    if (copies.nodes.size() <= kAtOnce)
        return m_document.select(std::move(copies));
    QTimer::singleShot(0, this, [this, copies = std::move(copies)] { m_document.select(copies); });
}

void SelectionEdits::changeCount(int step) {
    const auto edit = countEdit(m_document, m_document.selection().nodes, step);
    if (!edit.edits.empty())
        m_document.perform(edit);
}

void SelectionEdits::nudge(QPointF distance, bool repeated) {
    // Holding the key is one gesture and so one undo step.
    if (!repeated)
        ++m_nudges;
    auto edit = moveEdit(m_document, m_document.selection(), distance);
    if (!edit.edits.empty())
        m_document.perform(std::move(edit), QStringLiteral("nudge %1").arg(m_nudges));
}

bool SelectionEdits::selectNeighbour(bool next) {
    // Nodes, then links, then notes, in the order of the scenario.
    const auto& [nodes, links, notes] = m_document.selection();
    const auto& scenario = m_document.scenario();
    const auto nodeCount = std::ssize(scenario.nodes);
    const auto linkEnd = nodeCount + std::ssize(scenario.links);
    const auto onCanvas = engine::notesOnCanvas(scenario);
    const auto count = linkEnd + std::ssize(onCanvas);
    std::ptrdiff_t current = -1;
    const auto seek = [&current](const auto& items, const auto& chosen, std::ptrdiff_t first) {
        const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) {
            return !chosen.empty() && item.id == chosen.front();
        });
        if (current < 0 && found != items.end())
            current = first + (found - items.begin());
    };
    seek(scenario.nodes, nodes, 0);
    seek(scenario.links, links, nodeCount);
    seek(onCanvas, notes, linkEnd);
    const auto target = current < 0 ? (next ? 0 : count - 1) : current + (next ? 1 : -1);
    if (target < 0 || target >= count)
        return false;
    if (target < nodeCount) {
        const auto id = scenario.nodes[static_cast<std::size_t>(target)].id;
        m_document.select({{id}, {}});
        m_view.ensureVisible(m_scene.contentRect({id}), 16, 16);
    } else if (target < linkEnd) {
        m_document.select({{}, {scenario.links[static_cast<std::size_t>(target - nodeCount)].id}});
    } else {
        const auto id = onCanvas[static_cast<std::size_t>(target - linkEnd)].id;
        m_document.select({{}, {}, {id}});
        m_view.ensureVisible(m_scene.notes().item(id)->rect(), 16, 16);
    }
    return true;
}

void SelectionEdits::copy() {
    const auto& selection = m_document.selection();
    if (selection.nodes.empty() && selection.notes.empty())
        return;
    QApplication::clipboard()->setMimeData(encodeSelection(m_document.scenario(), selection).release());
    m_pastes = 0;
}

void SelectionEdits::cut() {
    const auto [nodes, links, notes] = m_document.selection();
    if (nodes.empty() && notes.empty())
        return;
    copy();
    m_document.perform(engine::removeEdit(m_document.scenario(), nodes, {}, notes), {},
                       nodes.empty()       ? tr("Cut notes")
                       : nodes.size() == 1 ? tr("Cut a node")
                                           : tr("Cut %1 nodes").arg(nodes.size()));
}

QPointF SelectionEdits::pasteOffset(const std::string& text, const QRectF& copied) {
    if (const auto pointer = m_view.pointer())
        return snapped(m_view.mapToScene(*pointer) - copied.center());
    m_pastes = text == m_pasted ? m_pastes + 1 : 1;
    m_pasted = text;
    return QPointF(kPasteStep, kPasteStep) * m_pastes;
}

void SelectionEdits::paste() {
    const auto text = nodesText(QApplication::clipboard()->mimeData());
    if (text.empty()) {
        emit m_view.message(tr("There are no nodes or notes on the clipboard"));
        return;
    }
    try {
        const auto clip = engine::readClip(text, tr("clipboard").toStdString());
        QRectF copied;
        for (const auto& node : clip.nodes)
            copied |= cardRectAt(toPoint(node.position));
        for (const auto& note : clip.notes)
            copied |= QRectF(toPoint(note.position), QSizeF(note.width, note.height));
        Selection pasted;
        const auto edit = engine::pasteEdit(
            m_document.scenario(), clip, toPosition(pasteOffset(text, copied)), pasted.nodes, &pasted.notes);
        const auto count = pasted.nodes.size();
        if (!m_document.perform(
                edit, {},
                count == 0   ? tr("Paste notes")
                : count == 1 ? tr("Paste %1").arg(QString::fromStdString(clip.nodes.front().shownName()))
                             : tr("Paste %1 nodes").arg(count)))
            return;
        const auto seen = m_view.camera().seen();
        auto content = pasted.nodes.empty() ? QRectF() : m_scene.contentRect(pasted.nodes);
        for (const auto& id : pasted.notes)
            content |= m_scene.notes().item(id)->rect();
        m_document.select(std::move(pasted));
        if (!seen.intersects(content))
            m_view.centerOn(content.center());
    } catch (const engine::Error& error) {
        emit m_view.message(QString::fromStdString(error.what()));
    }
}

std::unique_ptr<QMenu> SelectionEdits::makeMenu() {
    auto menu = std::make_unique<QMenu>();
    const auto& theme = Theme::instance();
    const auto& selection = m_document.selection();
    const auto add = [&](const QString& icon, const QString& text, const QKeySequence& key, bool enabled,
                         auto* of, auto act) {
        auto* action = menu->addAction(icon.isEmpty() ? QIcon() : theme.icon(icon), text, of, act);
        showKey(action, key);
        action->setEnabled(enabled);
    };
    const bool copies = !selection.nodes.empty() || !selection.notes.empty();
    m_view.cards().addTo(*menu);
    m_view.links().addTo(*menu);
    add(QStringLiteral("design"), tr("Edit count"), Qt::Key_Return,
        selection.nodes.size() == 1 && selection.links.empty(), &m_view.values(), &ValueEditing::editCount);
    add({}, tr("Cut"), QKeySequence::Cut, copies, this, &SelectionEdits::cut);
    add({}, tr("Copy"), QKeySequence::Copy, copies, this, &SelectionEdits::copy);
    add({}, tr("Paste"), QKeySequence::Paste, true, this, &SelectionEdits::paste);
    add(QStringLiteral("duplicate"), tr("Duplicate"), Qt::CTRL | Qt::Key_D, copies, this,
        &SelectionEdits::duplicate);
    add(QStringLiteral("trash"), tr("Delete"), Qt::Key_Delete, !selection.empty(), this,
        &SelectionEdits::remove);
    add(QStringLiteral("link"), tr("Link the two nodes"), Qt::Key_L,
        selection.nodes.size() == 2 && selection.links.empty(), &m_view.links(), &LinkActions::linkOffered);
    menu->addSeparator();
    m_view.arranger()->addMenu(*menu);
    const bool all = selection.nodes.empty();
    add(QStringLiteral("fit"), all ? tr("Fit the design") : tr("Fit the selection"),
        all ? QKeySequence(Qt::Key_F) : QKeySequence(Qt::SHIFT | Qt::Key_F), m_scene.nodes().size() > 0,
        &m_view.camera(), all ? &CanvasCamera::fitAll : &CanvasCamera::fitSelection);
    return menu;
}

} // namespace heteroscape::widgets

#include "moc_selection_edits.cpp"
