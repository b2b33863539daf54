// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/operators/operator_graph.h"
#include "engine/scenario/scenario.h"
#include "widgets/inspector/inspector_page.h"

namespace heteroscape::widgets {

/// The inspector's page of one link: its type, its quantities and its traffic. UI thread.
class LinkPage : public InspectorPage {
    Q_OBJECT
public:
    LinkPage(Document& document, engine::LinkId id, QWidget* parent = nullptr);
    std::string shape() const override;

private:
    void offerKinds(ChoiceRow& row); ///< those that both ends can use, fastest first
    void addTraffic(Section* section);

    engine::LinkId m_id;
};

class StackBar;
class TextLabel;

/// The inspector's page of one node: what is wrong, system, tiers of what offloads, compute, memory, L2,
/// techniques that act here, where the time of a layer and of a step goes, cost, area, constants of the
/// runtime. UI thread.
class NodePage : public InspectorPage {
    Q_OBJECT
public:
    /// `all`: also the quantities that mean nothing for this kind of device and are not set.
    NodePage(Document& document, engine::NodeId id, bool all, QWidget* parent = nullptr);

    std::string shape() const override;

signals:
    void allRequested();       ///< the user wants every quantity of the device
    void ownDeviceRequested(); ///< the device shall become a part of the user's own

private:
    const engine::Node* node() const;
    void addSystem(bool all);
    void addName(Section* section);
    void addButtons(Section* section, bool all);
    void addDeviceQuantities(bool all);
    void addTechniques(const engine::Runtime& runtime);
    void addRuntimeQuantities(bool all);
    TextLabel* addText(Section* section);
    void addSharing(Section* section); ///< how many devices share a replica
    void addLayout(); ///< how the model lies over the devices: degrees, ranks, memory, proposals
    void addDegrees(Section* section);
    void addProduct(Section* section); ///< what they multiply to, and whether it fits
    void addSide();                    ///< the whole of every layer, attention or networks
    void addRanks();                   ///< a picture of them
    void addDeviceMemory();            ///< what fills one
    void addProposals();               ///< the best layouts
    void addDie(Section* section);     ///< what the cores and L2 come to
    void addDecoderLayer();
    void addPrefetch(Section* section, engine::Segment segment); ///< of a layer: L2 that it takes
    void addStep(engine::Phase phase);
    bool isOffloading() const;     ///< the node's runtime keeps things in host memory or on storage
    void addProblem();             ///< what does not fit or is wrong here, in full
    void addTiers();               ///< of an accelerator that offloads: device, host and storage
    void addKvShares();            ///< where its KV cache goes
    void addBatchTime(bool whole); ///< what its decode waits for; `whole`: after the prefill
    void addHeld();                ///< what accelerators keep on this host or storage
    void addInsideCsd();           ///< the two rates of a CSD and what comes of them

    engine::NodeId m_id;
    std::string m_prefix; ///< "nodes.<id>."
};

} // namespace heteroscape::widgets
