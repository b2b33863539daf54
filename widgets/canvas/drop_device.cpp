// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/canvas/part_edits.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString nameOf(const engine::Node& node) {
    return QString::fromStdString(node.shownName());
}

/// "a GPU", "an FPGA": by how the letters are said.
QString withArticle(engine::DeviceKind kind) {
    const auto label = engine::deviceKindLabel(kind);
    const auto shown = QString::fromUtf8(label);
    const bool vowel = kind == engine::DeviceKind::Npu || kind == engine::DeviceKind::Fpga ||
                       kind == engine::DeviceKind::Ssd;
    return vowel ? tr("an %1").arg(shown) : tr("a %1").arg(shown);
}

/// Parts that change one accelerator, the one that they are dropped on.
class AcceleratorTargets : public DropTargets {
public:
    DropPlan at(const DropPoint& point) const override {
        DropPlan plan;
        const auto* node = nodeAt(point.pointer);
        if (!node) {
            plan.hint = m_nodes.empty() ? nothingTakesIt() : dropItThere();
            return plan;
        }
        plan.nodes = {node->id};
        plan.hint = refusal(*node);
        if (!plan.hint.isEmpty())
            return plan;
        if (plan.hint = soAlready(*node); !plan.hint.isEmpty()) {
            plan.verdict = DropPlan::Verdict::Already;
            return plan;
        }
        plan.verdict = DropPlan::Verdict::Takes;
        plan.hint = words(*node);
        plan.edit = edit(*node);
        return plan;
    }

protected:
    using DropTargets::DropTargets;

    void collect() {
        for (const auto& node : m_document.scenario().nodes)
            if (refusal(node).isEmpty())
                m_nodes.push_back(node.id);
    }
    virtual QString refusal(const engine::Node& node) const = 0; ///< empty: it can be dropped there
    virtual QString soAlready(const engine::Node& node) const = 0;
    virtual QString words(const engine::Node& node) const = 0;
    virtual engine::GraphEdit edit(const engine::Node& node) const = 0;
    virtual QString dropItThere() const = 0;
    virtual QString nothingTakesIt() const = 0;
};

class RuntimeTargets : public AcceleratorTargets {
public:
    RuntimeTargets(const engine::RuntimeEntry& runtime, const Document& document, const CanvasScene& scene)
        : AcceleratorTargets(document, scene), m_runtime(runtime),
          m_name(QString::fromStdString(runtime.base.name)) {
        collect();
    }

protected:
    QString refusal(const engine::Node& node) const override {
        if (engine::runsOn(m_runtime.base, node.device.kind))
            return {};
        return tr("%1 does not run on %2").arg(m_name, withArticle(node.device.kind));
    }
    QString soAlready(const engine::Node& node) const override {
        return node.runtime && node.runtime->id == m_runtime.base.id
                   ? tr("%1 runs %2 already").arg(nameOf(node), m_name)
                   : QString();
    }
    QString words(const engine::Node& node) const override {
        return tr("Run %1 on %2").arg(m_name, nameOf(node));
    }
    engine::GraphEdit edit(const engine::Node& node) const override {
        return engine::replaceRuntime(node, m_runtime.on(node.device), m_document.catalog());
    }
    QString dropItThere() const override { return tr("Drop %1 on an accelerator that runs it").arg(m_name); }
    QString nothingTakesIt() const override {
        QStringList kinds;
        for (const auto kind : m_runtime.base.kinds)
            kinds << withArticle(kind);
        return tr("Nothing here runs %1: place %2 first").arg(m_name, kinds.join(tr(" or ")));
    }

private:
    const engine::RuntimeEntry m_runtime;
    const QString m_name;
};

class LayoutTargets : public AcceleratorTargets {
public:
    LayoutTargets(bool shared, const Document& document, const CanvasScene& scene)
        : AcceleratorTargets(document, scene), m_shared(shared) {
        collect();
    }

protected:
    QString refusal(const engine::Node& node) const override {
        if (!engine::isAccelerator(node.device.kind))
            return tr("%1 holds no part of the model: drop it on an accelerator").arg(nameOf(node));
        if (node.count.valueOr(1.0) < 2.0)
            return tr("%1 is a single device: add another one first").arg(nameOf(node));
        return {};
    }
    QString soAlready(const engine::Node& node) const override {
        if (m_shared && engine::replicas(node) == 1.0)
            return tr("The devices of %1 share one replica already").arg(nameOf(node));
        if (!m_shared && engine::tensorParallel(node) == 1.0)
            return tr("Each device of %1 holds a replica already").arg(nameOf(node));
        return {};
    }
    QString words(const engine::Node& node) const override {
        const auto count = QString::fromStdString(engine::plainText(node.count.value));
        return m_shared ? tr("Share one replica among %1 devices").arg(count)
                        : tr("Put a replica on each of %1 devices").arg(count);
    }
    engine::GraphEdit edit(const engine::Node& node) const override { return layoutEdit(node.id, m_shared); }
    QString dropItThere() const override { return tr("Drop it on an accelerator node of several devices"); }
    QString nothingTakesIt() const override {
        return tr("No accelerator node here has several devices: add some first");
    }

private:
    bool m_shared;
};

} // namespace

std::unique_ptr<DropTargets> runtimeTargets(const engine::RuntimeEntry& runtime, const Document& document,
                                            const CanvasScene& scene) {
    return std::make_unique<RuntimeTargets>(runtime, document, scene);
}

std::unique_ptr<DropTargets> layoutTargets(bool shared, const Document& document, const CanvasScene& scene) {
    return std::make_unique<LayoutTargets>(shared, document, scene);
}

namespace {

constexpr double kWayGap = 3 * kSnap; ///< between a card that makes way and its neighbour
constexpr double kFarthest = 60000;   ///< beyond any design

/// A device: one more on a node of the same, else a new node where there is room.
class DeviceTargets : public DropTargets {
public:
    DeviceTargets(const engine::Device& device, const Document& document, const CanvasScene& scene)
        : DropTargets(document, scene), m_device(device), m_card(cardOf(device)) {
        for (const auto& node : document.scenario().nodes)
            if (node.device.id == device.id)
                m_nodes.push_back(node.id);
    }

    std::optional<NodeCard> ghost() const override { return m_card; }

    DropPlan at(const DropPoint& point) const override {
        DropPlan plan;
        plan.verdict = DropPlan::Verdict::Takes;
        const auto* under = nodeAt(point.pointer);
        if (under && under->device.id == m_device.id) {
            plan.nodes = {under->id};
            const auto edit = countEdit(m_document, {under->id}, +1);
            const auto count = static_cast<int>(std::lround(under->count.valueOr(1.0)));
            if (edit.edits.empty()) {
                plan.verdict = DropPlan::Verdict::Refused;
                plan.hint = tr("A node can have %1 devices at most").arg(count);
                return plan;
            }
            plan.hint = tr("Add one: %1 cards").arg(count + 1);
            plan.edit = edit;
            return plan;
        }
        plan.place = freePlaceNear(m_scene, point.corner, {kCardWidth, cardHeight(m_card)});
        if (under)
            plan.hint = tr("Place %1 beside %2").arg(m_card.name, QString::fromStdString(under->shownName()));
        else if (*plan.place != point.corner)
            plan.hint = tr("Place %1 where there is room").arg(m_card.name);
        return plan;
    }

    void drop(CanvasView& view, const DropPlan& plan) const override {
        if (plan.place)
            view.placing().addNode(m_device, *plan.place);
        else
            DropTargets::drop(view, plan);
    }

private:
    const engine::Device m_device; ///< a copy: placing it may change what the catalogue holds
    const NodeCard m_card;
};

} // namespace

QPointF freePlaceNear(const CanvasScene& scene, QPointF wanted, QSizeF size, bool besideNotes) {
    const auto isFree = [&](QPointF place, double gap) {
        const auto room = QRectF(place, size).adjusted(-gap, -gap, gap, gap);
        return scene.nodesIn(room).empty() && !(besideNotes && !scene.notes().notesIn(room).empty());
    };
    if (isFree(wanted, 0.0))
        return wanted;
    // Squares around it, wider apart the farther away; of each the nearest place.
    for (double reach = kSnap; reach < kFarthest;) {
        const auto step = std::max(kSnap, std::floor(reach / 8 / kSnap) * kSnap);
        std::optional<QPointF> best;
        for (double along = -reach; along <= reach; along += step)
            for (const auto& offset : {QPointF(along, -reach), QPointF(along, reach), QPointF(-reach, along),
                                       QPointF(reach, along)}) {
                const auto length = QLineF({}, offset).length();
                if ((!best || length < QLineF(wanted, *best).length()) && isFree(wanted + offset, kWayGap))
                    best = wanted + offset;
            }
        if (best)
            return *best;
        reach += step;
    }
    return wanted;
}

std::unique_ptr<DropTargets> deviceTargets(const engine::Device& device, const Document& document,
                                           const CanvasScene& scene) {
    return std::make_unique<DeviceTargets>(device, document, scene);
}

} // namespace heteroscape::widgets
