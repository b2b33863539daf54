// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "widgets/canvas/canvas_item.h"
#include "widgets/document/document.h"

#include <QLineF>
#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// The height that a note needs at least for its words, in scene px.
double noteHeight(const QString& text, double width);

/// One note on the canvas: its words in a box and its arrow, as last told by its layer. The item stays at the
/// origin: all of it is in scene coordinates.
class NoteItem : public CanvasItemOfKind<3> {
public:
    using CanvasItemOfKind::CanvasItemOfKind;

    const engine::Note& note() const { return m_note; } ///< as shown, which may be a preview
    QRectF rect() const;
    QRectF cornerRect() const;                                     ///< what it is resized at
    const std::optional<QLineF>& arrow() const { return m_arrow; } ///< from its edge to what it points at

    void show(const engine::Note& note, const std::optional<QLineF>& arrow);

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintArrow(QPainter& painter) const;
    void paintWords(QPainter& painter, double zoom) const;
    void paintHandles(QPainter& painter) const;

    engine::Note m_note;
    std::optional<QLineF> m_arrow;
};

class CanvasScene;

/// The document's notes as items of a scene, over its nodes; their arrows follow what they point at. A
/// projection: it never writes.
class NoteLayer : public QObject {
    Q_OBJECT
public:
    NoteLayer(CanvasScene& scene, const Document& document);
    ~NoteLayer() override;

    NoteItem* item(const engine::NoteId& id) const;                     ///< null when there is none
    NoteItem* at(QPointF scenePoint) const;                             ///< the uppermost there
    NoteItem* cornerAt(QPointF scenePoint) const;                       ///< that is resized from there
    NoteItem* handleAt(QPointF scenePoint) const;                       ///< whose arrow is drawn from there
    std::vector<engine::NoteId> notesIn(const QRectF& sceneRect) const; ///< touching, lowest first
    QRectF content() const;                                             ///< of all, with their arrows
    /// What an arrow that ends at the point points at: a node, a link, else the place.
    engine::NoteTarget targetAt(QPointF scenePoint) const;

    /// Shows these in place of the document's notes of the same ids, until reset() or the next change. What
    /// an earlier preview changed and this one does not goes back.
    void preview(const std::vector<engine::Note>& notes);
    void reset() { preview({}); }
    void setHovered(const NoteItem* hovered); ///< null: none

private:
    void sync();
    void follow(); ///< arrows, to what moved
    void markSelected();
    void show(NoteItem& item, const engine::Note& note);

    CanvasScene& m_scene;
    const Document& m_document;
    std::map<engine::NoteId, std::unique_ptr<NoteItem>> m_items;
    std::vector<NoteItem*> m_order; ///< as in the scenario
};

/// A note and what it points at, as one sentence.
QString noteSentence(const Document& document, const engine::NoteId& id);

} // namespace heteroscape::widgets
