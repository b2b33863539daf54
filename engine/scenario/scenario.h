// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/link_type.h"
#include "engine/catalog/model.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/server.h"
#include "engine/catalog/workload.h"
#include "engine/scenario/layout.h"
#include "engine/scenario/serving.h"
#include "engine/scenario/technique.h"
#include "engine/units/units.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heteroscape::engine {

/// What a design may hold, whether it is read or edited: what can be made can be saved and opened.
inline constexpr std::size_t kMaxNodes = 10'000;
inline constexpr std::size_t kMaxLinks = 50'000;
inline constexpr std::size_t kMaxOwnParts = 1'000; ///< of each sort
inline constexpr std::size_t kMaxNotes = 1'000;
inline constexpr std::size_t kMaxSearches = 100;
inline constexpr double kFarthestPlace = 1e7; ///< logical pixels from the canvas' origin, along each axis

/// Throw Error (InvalidInput) naming `where`.
void checkSize(std::size_t size, std::size_t limit, const std::string& where);
void checkCoordinate(double value, const std::string& where);

/// Strong ids: the name of a node, a link or a note within one scenario (see checkId for what is allowed).
struct NodeId {
    std::string value;
    auto operator<=>(const NodeId&) const = default;
};
struct LinkId {
    std::string value;
    auto operator<=>(const LinkId&) const = default;
};
struct NoteId {
    std::string value;
    auto operator<=>(const NoteId&) const = default;
};

/// What a node does for a request. Both: prefill and decode of whole requests. Fabric: carries or keeps data
/// only (hosts, switches, storage). Attention and Storage are for CSDs: their kernels attend to the KV cache
/// where a runtime and a technique let them (as Fabric does), or they serve as plain storage. Attention and
/// Ffn of accelerators: of every layer one part, the other on the other's node (see SplitPool).
enum class Role { Both, Prefill, Decode, Fabric, Attention, Storage, Ffn };

std::span<const std::string_view> roleNames(); ///< "both", "prefill", "decode", "fabric", ...
std::string_view roleName(Role role);
/// The roles that a device of a kind can be given.
std::span<const Role> rolesOf(DeviceKind kind);
bool canHaveRole(DeviceKind kind, Role role);

/// Where the node stands on the canvas, in logical pixels of its top left corner.
struct Position {
    double x = 0.0;
    double y = 0.0;
    bool operator==(const Position&) const = default;
};
void checkPlace(const Position& place, const std::string& where); ///< as checkCoordinate(), which it names

/// A device and how many of it. The device and the runtime are values: changing one node leaves others alone.
struct Node {
    NodeId id;
    std::string name; ///< shown; empty: the device's name
    Device device;
    Quantity count{1.0, Provenance::User, {}};
    Quantity replicas; ///< replicas among them; unset: one on each device
    Quantity dp; ///< attention ranks of a copy that have requests of their own; unset: 1 (layered models)
    Quantity ep; ///< ranks that experts are dealt to; unset: all of a stage where dp or cp is above 1, else 1
    Quantity pp; ///< stages that the layers of a copy are dealt to; unset: 1 (layered models)
    Quantity cp; ///< ranks that cut the tokens of a prompt; unset: 1 (layered models)
    Quantity microbatches; ///< parts of a batch under way in the stages; unset: as many as stages
    Quantity reserve; ///< B of a device kept free beside working space and buffers; unset: none is counted
    // The server around the devices, as it is bought: host, network cards, fans, power supplies, chassis.
    Quantity chassisDevices; ///< devices of one server; unset: those of the design's cost
    Quantity chassisPrice;   ///< USD of one server beside its devices; unset: devices alone are counted
    Quantity chassisHost;    ///< W of one server beside its devices; unset: that of the design's cost
    Quantity chassisLoss;    ///< at the wall over what its parts draw; unset: that of the design's cost
    Quantity chassisRated;   ///< W that one server with its devices is rated for
    Role role = Role::Both;
    std::optional<Runtime> runtime; ///< accelerators only
    std::optional<Server> server;   ///< what the serving software adds to its kernels; none: nothing
    Position position;

    const std::string& shownName() const { return name.empty() ? device.name : name; }
    /// B of a device: what its driver reports where a server serves on it, else its capacity.
    double deviceMemory() const {
        return device.memoryCapacity.value * (server ? device.memoryReported.valueOr(1.0) : 1.0);
    }
    bool operator==(const Node&) const = default;
};

struct Link {
    LinkId id;
    NodeId from;
    NodeId to;
    LinkType type; ///< a value: its bandwidth and latency can be edited for this link alone

    bool operator==(const Link&) const = default;
};

/// What the arrow of a note points at: a node or link of the same design, or a place on its canvas.
using NoteTarget = std::variant<NodeId, LinkId, Position>;

/// A place on a plot of the design, in the values of its axes.
struct PlotPlace {
    std::string plot; ///< which: what it draws, in words of its page
    double x = 0.0;
    double y = 0.0;
    bool operator==(const PlotPlace&) const = default;
};

/// Words that somebody put beside the drawing, or on a plot. Nothing that is evaluated depends on them.
struct Note {
    NoteId id;
    std::string text;  ///< plain, of one or more lines
    Position position; ///< of its top left corner, as of a node; on a plot counted from what it points at
    double width = 200;
    double height = 64;
    std::optional<NoteTarget> arrow; ///< none on a plot
    std::optional<PlotPlace> plot{}; ///< what it points at there; none: it stands on the canvas

    bool operator==(const Note&) const = default;
};

/// What turns a price and a power into the cost of a token.
struct Economics {
    Quantity lifetime{3.0 * units::year, Provenance::Assumed, "a usual depreciation of servers"}; ///< s
    Quantity electricity{0.10 * (1.0 / units::kWh), Provenance::Assumed,
                         "a usual industrial tariff"}; ///< USD/J
    Quantity serverHost{};    ///< W of one server beside its devices: CPUs, NICs, fans
    Quantity serverLoss{};    ///< what it draws over that: power supplies, and what grows with load
    Quantity serverDevices{}; ///< devices of one server; unset: 8
    Quantity pue{};           ///< of the building; unset: not counted
    Quantity carbon{};        ///< kg/J
    Quantity interest{};      ///< share of what is owed, a year; unset: none is paid
    Quantity utilisation{};   ///< share of its lifetime that it works; unset: all of it
    Quantity rented{};        ///< 1: devices are rented by the hour; 0 or unset: all is bought
    bool operator==(const Economics&) const = default;
};
std::span<const Field<Economics>> economicsFields();

/// Parts that belong to one design alone and travel in its file: what its author made for it, whether it is
/// placed or not. Nothing that is evaluated depends on them.
enum class PartKind { Device, Model, Workload };
struct OwnParts {
    std::vector<Device> devices;
    std::vector<Model> models;
    std::vector<Workload> workloads;

    bool empty() const { return devices.empty() && models.empty() && workloads.empty(); }
    bool operator==(const OwnParts&) const = default;
};

/// A search for better designs that is kept with the one it began at: what was asked and what was found, as
/// engine/search writes and reads it; here it is text. Nothing that is evaluated depends on it.
struct KeptSearch {
    std::string name;
    std::shared_ptr<const std::string> found; ///< a JSON object; never null. Shared: designs are copied often

    bool operator==(const KeptSearch& other) const { return name == other.name && *found == *other.found; }
};

/// A frontier (throughput against speed of several systems) that is kept with the design, as engine/frontier
/// writes and reads it; here it is text. Nothing that is evaluated depends on it.
struct KeptFrontier {
    std::shared_ptr<const std::string>
        definition{}; ///< a JSON object; null: none is kept. Shared, as a search's

    explicit operator bool() const { return definition != nullptr; }
    bool operator==(const KeptFrontier& other) const {
        return definition == other.definition ||
               (definition && other.definition && *definition == *other.definition);
    }
};

/// The one input of the engine: a plain value.
struct Scenario {
    std::string name;
    std::string about;
    Model model;
    std::optional<Model> draft; ///< that guesses tokens for it, where speculation is on; none: its own layers
    Workload workload;
    Serving serving;
    std::vector<Node> nodes; ///< in the order they were added
    std::vector<Link> links;
    Techniques techniques;
    Economics cost;
    OwnParts own;
    std::vector<Note> notes;          ///< later ones lie over earlier ones
    std::vector<KeptSearch> searches; ///< in the order they were made
    KeptFrontier frontier;

    /// What is kept with a design and is no part of it.
    bool keepsAny() const { return !searches.empty() || frontier != KeptFrontier(); }
    void dropKept() {
        searches.clear();
        frontier = {};
    }
    void takeKept(const Scenario& from) {
        searches = from.searches;
        frontier = from.frontier;
    }

    const Node* findNode(const NodeId& id) const;
    Node* findNode(const NodeId& id);
    const Link* findLink(const LinkId& id) const;
    Link* findLink(const LinkId& id);
    const Note* findNote(const NoteId& id) const;

    bool operator==(const Scenario&) const = default;
};

/// The role a node really plays among the pools: Fabric for what cannot compute, Both while disaggregation is
/// off.
Role effectiveRole(const Scenario& scenario, const Node& node);
/// The same as people see it: what keeps data has the role Storage, and CSDs Attention while attention near
/// storage is on.
Role shownRole(const Scenario& scenario, const Node& node);

/// True for accelerators that do one part of every layer: attention or the feed-forward networks.
bool splitsLayers(const Node& node);
/// Whether a replica on a node is made of layer groups: always where the model is; a uniform one
/// where it is cut by more than tensor parallelism, or a timing model takes it so (see layeredForm()).
bool isLayered(const Model& model, const Node& node);

/// True for CSDs whose kernels may attend to the KV cache.
bool attendsNearStorage(const Node& node);

/// Devices of a node that share one replica, each with a part of every layer: count / replicas;
/// when replicas is not set 1, of a node that splits layers all.
double tensorParallel(const Node& node);
/// How a layered model lies over the devices that share a replica of it: tp = devices / (pp dp cp), and the
/// experts of a stage over its devices, etp = devices / (pp ep).
Layout layoutOf(const Node& node);
/// Copies of the model on a node: replicas, or one on each device; on one that splits layers one.
double replicas(const Node& node);

/// Links that serve the same end: what is large takes the widest, what is small the one that starts first.
struct LinkChoice {
    const Link* widest = nullptr; ///< null where there is none
    const Link* quickest = nullptr;
};

/// The links over which devices of a node that share a model reach each other. Which do is decided by what
/// they join, never by their rate or latency: so a better link does not make a collective slower.
struct CollectiveLinks {
    LinkChoice near; ///< of its links to hosts and switches those that join fewest (LinkType::domain)
    LinkChoice far;  ///< beyond: of its others to switches those that join all that share a model
    double domain =
        0.0; ///< devices that the near ones join, no more than TimingKind::devicesOfNode(); or infinite
};
CollectiveLinks collectiveLinks(const Scenario& scenario, const Node& node);

const Link* collectiveLink(const Scenario& scenario, const Node& node); ///< the widest of the near; or null
const Link* networkLink(const Scenario& scenario, const Node& node);    ///< the widest of the far; or null

/// How many parallel links one drawn link stands for: one for each device of its larger end that is no
/// fabric.
double parallelLinks(const Scenario& scenario, const Link& link);

/// A new id made of `stem` and, when taken, a number: "u280", "u280-2".
NodeId freshNodeId(const Scenario& scenario, const std::string& stem);
LinkId freshLinkId(const Scenario& scenario, const std::string& stem);
NoteId freshNoteId(const Scenario& scenario, const std::string& stem);

/// Appends every byte that the evaluation depends on (not names, positions, notes or sources) in a fixed
/// order.
void appendCanonicalBytes(const Scenario& scenario, std::string& out);
/// Of those the bytes that a step of given requests depends on: not the workload, requests or costs.
void appendStepBytes(const Scenario& scenario, std::string& out);

/// 128-bit key of a scenario and of this engine's equations, as 16 bytes.
using ScenarioKey = std::array<char, 16>;
ScenarioKey scenarioKeyBytes(const Scenario& scenario); ///< allocates nothing after a thread's first call
std::string scenarioKey(const Scenario& scenario);      ///< as a string of bytes; keyText() is for people

} // namespace heteroscape::engine
