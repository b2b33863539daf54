// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/kernel_constants.h"
#include "engine/catalog/kind.h"
#include "engine/catalog/timing_kind.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What software moves out of the accelerator's memory, and where the KV cache then lives. Which bytes lie
/// where is worked out by planMemory() and splitKv(), what they cost by LayerFlows.
class OffloadKind : public Kind {
public:
    struct Rules {
        bool kvOnDevice = false;   ///< the KV cache stays on the device; weights leave when both do not fit
        bool kvFitsHost = false;   ///< the whole KV cache must find room in host memory
        bool readsStorage = false; ///< what host memory does not take lies on storage: there must be some
        bool pages = false;        ///< it is paged in by unified memory, at kUnifiedBandwidth
    };

    OffloadKind(std::string_view id, std::string_view label, std::string_view about, Rules rules)
        : Kind(id, label, about), m_rules(rules) {}

    /// Places in parameters(), the same for every kind; the last one only where it pages.
    enum Parameter : std::size_t {
        kHostMemoryShare,      ///< share of free host memory that holds KV or X cache
        kHostReserve,          ///< B of host memory for the system
        kDeviceReserve,        ///< B of device memory that weights leave free
        kStagingLayers,        ///< layers whose KV cache is staged in host memory
        kHostMemoryEfficiency, ///< share of the host's DRAM bandwidth that the CPU's attention reaches
        kTransferLimit,        ///< B/s between host and device that the software reaches; unset: the link's
        kWeightsOnStorage,     ///< share of the weights that is kept on storage in any case; unset: 0
        kUnifiedBandwidth      ///< B/s of KV cache paged in
    };

    const Rules& rules() const { return m_rules; }
    std::span<const KindParameter> parameters() const override;

private:
    Rules m_rules;
};

Registry<OffloadKind>& offloadKinds(); ///< "weights", "host", "unified", "storage"

/// What a runtime offloads: nothing while `kind` is null.
struct Offload {
    const OffloadKind* kind = nullptr;
    Settings settings;

    Offload() = default;
    explicit Offload(const OffloadKind& offloads) : kind(&offloads), settings(offloads) {}
    explicit operator bool() const { return kind != nullptr; }
    const OffloadKind::Rules& rules() const { return kind->rules(); } ///< while something is offloaded
    bool operator==(const Offload&) const = default;
};

struct Operator;

/// How large a step is, for what is paid beside its operators.
struct StepSize {
    double layers = 0.0;    ///< on the node
    double sequences = 0.0; ///< of a rank, all its microbatches together
    double tokens = 0.0;    ///< the same: new ones
};

/// Seconds that software or circuits take on top of what a timing model says, whatever the rates: launches,
/// synchronisation, the host. Each parameter is the seconds of one time, not set: none; a kind says how often
/// a step pays them. What operators pay is part of their times (addedSeconds()), the rest that of the host
/// (StepHost).
class CostKind : public Kind {
public:
    using Kind::Kind;

    /// How often one pass of an operator pays a parameter. Of a collective: of several ranks.
    virtual double timesOfOperator(std::size_t parameter, const Operator& op) const;
    /// How often a step of one node pays it besides.
    virtual double timesOfStep(std::size_t parameter, const StepSize& size) const;
};

/// Listed in engine/schedule/step_host.cpp: "fixed".
Registry<CostKind>& costKinds();

/// What a runtime adds to its times: the parameters of every CostKind.
class Costs {
public:
    Costs(); ///< none set

    Settings& operator[](const CostKind& kind) { return m_all[kind.position()]; }
    const Settings& operator[](const CostKind& kind) const { return m_all[kind.position()]; }
    explicit operator bool() const; ///< whether any is set
    /// Calls visit(kind, parameter, quantity) for those that are.
    template <class Visit>
    void forEachSet(Visit visit) const {
        for (const auto* kind : costKinds().all())
            for (std::size_t i = 0; i < (*this)[*kind].size(); ++i)
                if (const auto& quantity = (*this)[*kind].quantity(i); quantity.isSet())
                    visit(*kind, i, quantity);
    }
    bool operator==(const Costs&) const = default;

private:
    std::vector<Settings> m_all; ///< by the kinds' positions
};

/// What a runtime's measured step was measured for; it says nothing about any other. A step that is measured
/// whole holds its collectives.
struct MeasuredFor {
    std::string model;    ///< id
    std::string device;   ///< id
    double devices = 1.0; ///< that share one replica
    double batch = 1.0;
    double shortest = 1.0; ///< tokens attended to
    double longest = 1.0;

    bool operator==(const MeasuredFor&) const = default;

    /// "opt-175b, batch 16, contexts of 1,000 to 1,100 tokens, 8 x a100-sxm-80gb"
    std::string text() const;
};

/// "measured_for": {"model", "device", "devices", "batch", "context_tokens": [from, to]}
MeasuredFor readMeasuredFor(JsonObject object);
Json writeMeasuredFor(const MeasuredFor& measured);

/// The operators that the software runs. Eager: one kernel for each operator of the framework (Hugging Face
/// eager mode). Fused: attention in one kernel, norm with residual, activation with multiply (PRESERVE).
/// Matrices: the matrix products of the layers alone (INF2).
enum class OperatorStyle { Eager, Fused, Matrices };
std::span<const std::string_view> operatorStyleNames(); ///< "eager", "fused", "matrices"

/// The algorithm of collectives, by how long the payload of an allreduce occupies the network: literal counts
/// it once, a ring 2 (n - 1) / n times, a tree twice (up and down). Across domains these sum up inside each
/// first, then between them; a flat ring takes all ranks as one ring, as fast as its slowest link.
enum class AllReduceConvention { Literal, Ring, Tree, FlatRing };
std::span<const std::string_view> allReduceConventionNames(); ///< "literal", "ring", "tree", "flat_ring"

/// The software (or bitstream) that a node runs: precisions, operators, collectives; how its steps are timed
/// in each phase, and what it offloads, are kinds with parameters of their own.
struct Runtime {
    std::string id;
    std::string name;
    InternedText about;
    std::vector<DeviceKind> kinds; ///< devices it can run on
    Timing prefill;
    Timing decode;
    OperatorStyle operators = OperatorStyle::Eager;
    AllReduceConvention allReduce = AllReduceConvention::Ring;
    bool mergesLoads = false; ///< its load instructions may fetch for several compute instructions
    Offload offload;
    Costs costs;
    bool nearStorage = false;               ///< its attention may run in the CSDs that hold the KV cache
    bool holdsScores = false;               ///< keeps a prefill's whole score matrix of a layer on the device
    std::optional<MeasuredFor> measuredFor; ///< the decode step is measured whole, and only for this

    OwnKernels ownKernels; ///< constants of kernel models that stand in for those of the installation

    Quantity weightBits;     ///< bits of a stored weight
    Quantity activationBits; ///< bits of an activation in memory
    Quantity kvBits;         ///< bits of a stored K or V element
    Quantity peakCompute;    ///< op/s of the accelerator built on an FPGA; unset: the device's own peak

    const Timing& timing(Phase phase) const { return phase == Phase::Prefill ? prefill : decode; }
    Timing& timing(Phase phase) { return phase == Phase::Prefill ? prefill : decode; }
    /// Whether prefetching into L2 changes the times of a phase.
    bool seesL2() const { return prefill.kind->seesL2() || decode.kind->seesL2(); }
    bool operator==(const Runtime&) const = default;
};

std::span<const Field<Runtime>> runtimeFields(); ///< what belongs to the software as such

/// A quantity of a runtime, of what it adds to its times, of its timing models or of what it offloads, by its
/// path below the node: "runtime.weight_bits", "runtime.fixed.layer_us", "timing.decode.launch_floor_ms",
/// "offload.host_reserve_gb".
struct RuntimeQuantity {
    std::string path;
    FieldSpec spec; ///< its label names the phase: "Decode: launch floor"
    Quantity* quantity;
};
/// All of them, in a fixed order: software, added times, timing of prefill, timing of decode, offloading.
std::vector<RuntimeQuantity> runtimeQuantities(Runtime& runtime);
struct ConstRuntimeQuantity {
    std::string path;
    FieldSpec spec;
    const Quantity* quantity;
};
std::vector<ConstRuntimeQuantity> runtimeQuantities(const Runtime& runtime);

/// The parameter of a timing model as one of a phase: its label says which.
FieldSpec timingSpec(Phase phase, const KindParameter& parameter);

bool runsOn(const Runtime& runtime, DeviceKind kind);
/// Whether it reaches every peak: both phases are timed with shares of the compute and the memory peak, all
/// of these are 1, and nothing is added. What is evaluated with it is a bound that no software passes, not a
/// prediction.
bool isIdeal(const Runtime& runtime);

/// A runtime of the catalogue together with what was calibrated for single devices.
struct RuntimeEntry {
    Runtime base;
    std::map<std::string, std::map<std::string, Quantity>> calibrations; ///< device id -> path -> quantity

    /// The runtime as it behaves on this device.
    Runtime on(const Device& device) const;
};

RuntimeEntry readRuntimeEntry(const Json& json, const std::string& where);
Runtime readRuntime(const Json& json, const std::string& where); ///< as found inside a design
Json writeRuntime(const Runtime& runtime);

} // namespace heteroscape::engine
