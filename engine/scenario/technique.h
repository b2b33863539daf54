// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"

#include <cassert>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

class GraphPass;
class TechniqueTargets;
class TierMap;
struct Diagnostic;
struct EditList;
struct Link;
struct Node;
struct Runtime;
struct Scenario;
struct TechniqueSettings;

/// What a parameter comes to where it is not set.
struct UnsetValue {
    std::string_view word;     ///< in its place: "balanced"; empty: nothing to say
    std::string_view note{};   ///< before the value that was chosen: "Balanced automatically: "
    std::string_view metric{}; ///< key of the metric that tells that value, a share
};

/// A parameter or switch of a technique and the values that a study of it starts with.
struct TechniqueAxis {
    std::string_view key; ///< "ratio", "enabled"; empty: none
    std::string_view values{};
};

/// What can be switched on in a design to run the same model otherwise. Each is one object in a file of its
/// own in techniques/, listed in techniques/registry.cpp. It says where it acts and why not elsewhere, what
/// it does to the operators of a step (pass()), and the words that people see; nobody else switches on it.
class Technique : public Kind {
public:
    using Kind::Kind;

    /// Why it can change nothing at that node or link, with what to do, in one line; empty when it can,
    /// whether it is on or not. Links: those that it does not change are refused by default.
    virtual std::string refusalAt(const TechniqueTargets& targets, const Node& node) const = 0;
    virtual std::string refusalAt(const TechniqueTargets& targets, const Link& link) const;

    /// True when software like this could be changed by it: the page of such a node shows its switch.
    virtual bool concerns(const Runtime&) const { return false; }
    /// True when it could change something in this system; by default where it concerns any runtime.
    virtual bool suits(const Scenario& scenario) const;
    /// True when it changes how a step is computed; false when it changes who serves which request.
    virtual bool changesSteps() const { return true; }
    /// True when it changes the schedule of a step of this node, provided that it is on.
    virtual bool changesStepOf(const Scenario&, const Node&) const { return false; }
    /// The technique without which it changes nothing; null when there is none.
    virtual const Technique* needs() const { return nullptr; }
    /// Adds what is to be said of the technique as it is set in this design, where it is on. `tiers` was
    /// reset() to the scenario.
    virtual void check(const Scenario&, TierMap&, std::vector<Diagnostic>&) const {}

    /// What it does to the graph of a step; null when it acts elsewhere.
    virtual const GraphPass* pass() const { return nullptr; }

    /// What is changed along with switching it on, for a system that has not been prepared for it.
    virtual void addEdits(const Scenario&, EditList&) const {}

    /// Path of a choice of the design that it reads beside its parameters; empty: none.
    virtual std::string_view choice() const { return {}; }

    /// Heading under which a node's page shows it; neighbours with the same heading stand together.
    virtual std::string_view group() const { return label(); }
    /// As few words as fit a node's card, with the parameter that tells most: "Merge M=4".
    virtual std::string mark(const TechniqueSettings& settings) const;
    /// False when a node's card tells of it in another way.
    virtual bool isMarked() const { return true; }
    virtual std::string switchWords(bool on) const; ///< "Switch on Load merging"
    virtual UnsetValue unsetValue(std::size_t /*parameter*/) const { return {}; }
    /// The axis that a new study of this system gets when `node` is the one that is varied.
    virtual TechniqueAxis studyAxis(const Scenario&, const Node& /*node*/) const { return {}; }
    /// Values that a study of a parameter starts with; empty: as for any number.
    virtual std::string_view studyValues(std::size_t /*parameter*/) const { return {}; }
};

/// All techniques, in the order in which their passes run.
Registry<Technique>& techniqueKinds();

/// Throws Error (NotFound), naming those that there are.
const Technique& techniqueOf(std::string_view id);

/// What the roles of nodes depend on.
const Technique& disaggregation();
const Technique& gpuAssist();
const Technique& attentionNearStorage();

/// What a design sets of one technique.
struct TechniqueSettings : Settings {
    explicit TechniqueSettings(const Kind& kind) : Settings(kind) {}

    bool enabled = false;

    bool operator==(const TechniqueSettings&) const = default;
};

/// The techniques of a design: of every kind whether it is on, and its settings.
class Techniques {
public:
    Techniques(); ///< all off, at their initial values

    bool isOn(const Technique& kind) const { return (*this)[kind].enabled; }
    TechniqueSettings& operator[](const Technique& kind) { return m_all[indexOf(kind)]; }
    const TechniqueSettings& operator[](const Technique& kind) const { return m_all[indexOf(kind)]; }

    bool operator==(const Techniques&) const = default;

private:
    std::vector<TechniqueSettings> m_all; ///< by the kinds' positions

    std::size_t indexOf(const Technique& kind) const {
        assert(kind.position() < m_all.size()); // kinds are registered before the first design is made
        return kind.position();
    }
};

} // namespace heteroscape::engine
