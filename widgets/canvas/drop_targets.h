// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/clip.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/part_mime.h"

#include <QPointF>
#include <QString>
#include <memory>
#include <optional>

class QPainter;

namespace heteroscape::widgets {

class CanvasView;

/// What dropping a part at one place would do.
struct DropPlan {
    enum class Verdict {
        Takes,
        Already, ///< what it would do is so already: nothing changes
        Refused
    };
    Verdict verdict = Verdict::Refused;
    QString hint;                      ///< one line: what it does, or why not; may be empty
    std::vector<engine::NodeId> nodes; ///< what it acts on, or what refuses it
    std::vector<engine::LinkId> links;
    bool everywhere = false;      ///< it is about the design as a whole
    std::optional<QPointF> place; ///< top left corner of a card that it adds
    std::optional<engine::GraphEdit> edit;
};

/// Where the pointer is: itself, and the corner of a card around it as placing leaves it (on the grid).
struct DropPoint {
    QPointF pointer;
    QPointF corner;
};

/// Finds for one dragged part where it can go. Made when the drag comes in, for the design as it is then.
/// UI thread.
class DropTargets {
public:
    virtual ~DropTargets() = default;

    virtual DropPlan at(const DropPoint& point) const = 0;
    virtual std::optional<NodeCard> ghost() const { return {}; } ///< of a part that becomes a card
    /// Carries a plan out that takes the part.
    virtual void drop(CanvasView& view, const DropPlan& plan) const;

    const std::vector<engine::NodeId>& nodes() const { return m_nodes; } ///< all that can take it
    const std::vector<engine::LinkId>& links() const { return m_links; }

protected:
    DropTargets(const Document& document, const CanvasScene& scene) : m_document(document), m_scene(scene) {}
    const engine::Node* nodeAt(QPointF point) const;
    const engine::Link* linkAt(QPointF point) const; ///< no node lies over it

    const Document& m_document;
    const CanvasScene& m_scene;
    std::vector<engine::NodeId> m_nodes;
    std::vector<engine::LinkId> m_links;
};

/// Of a part that the document's catalogue has.
std::unique_ptr<DropTargets> dropTargets(const PartRef& part, const Document& document,
                                         const CanvasScene& scene);

// One for each kind.
std::unique_ptr<DropTargets> groupTargets(engine::ReadyGroup group, const Document& document,
                                          const CanvasScene& scene);
std::unique_ptr<DropTargets> deviceTargets(const engine::Device& device, const Document& document,
                                           const CanvasScene& scene);
std::unique_ptr<DropTargets> designTargets(const PartRef& part, const Document& document,
                                           const CanvasScene& scene); ///< model, workload, preset
std::unique_ptr<DropTargets> runtimeTargets(const engine::RuntimeEntry& runtime, const Document& document,
                                            const CanvasScene& scene);
std::unique_ptr<DropTargets> layoutTargets(bool shared, const Document& document, const CanvasScene& scene);
std::unique_ptr<DropTargets> techniqueTargets(const std::string& id, const Document& document,
                                              const CanvasScene& scene);

/// What all cards of a group take up.
QSizeF groupSize(const engine::ReadyGroup& group);

/// The place nearest to the wanted one where a card of that size covers no other, and no note where they are
/// looked at.
QPointF freePlaceNear(const CanvasScene& scene, QPointF wanted, QSizeF size, bool besideNotes = false);

/// One line in a dark pill right below a scene point, at the same size whatever the zoom.
void paintHint(QPainter& painter, QPointF scenePoint, const QString& text);

/// Marks over the scene while a part is dragged: softly all that can take it, strongly what it would act on,
/// in the error's colour what refuses it; the slot and ghost of a new card; a frame around the canvas for
/// what is about the whole design. Scene coordinates; `targets` may be null.
void paintDropPlan(QPainter& painter, const DropPlan& plan, const DropTargets* targets, CanvasView& view);

} // namespace heteroscape::widgets
