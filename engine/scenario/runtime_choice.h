// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

class GraphEdit;
struct EditList;
struct SetDevice;

/// A quantity of a device that a runtime's timing models need and that is not set.
struct MissingQuantity {
    std::string_view key;  ///< "l2_mb"
    std::string_view what; ///< "the L2 capacity"
};
std::vector<MissingQuantity> missingQuantities(const Runtime& runtime, const Device& device);

/// True when the runtime is made for this kind of device, the device has every quantity that it needs, and
/// what it was measured for, if anything, is this device.
bool canRun(const Runtime& runtime, const Device& device);

/// What the figures of a design rest on. Those of two kinds are no comparison: an ideal design is faster than
/// a measured one by what software costs.
enum class Truth {
    Ideal,    ///< a runtime without any loss (isIdeal()): its rates are upper bounds
    Modelled, ///< shares of a roofline, launches, instruction streams, steps that were measured whole
    Class,    ///< the rule of its class, of a device that nobody measured
    Kernels, ///< sums of measured kernels, or that rule with what was measured of the device (class_band_pct)
    Served   ///< the same under a measured server
};
/// Of all that computes in a design the one that says least, in the order above; Modelled where nothing does.
Truth truthOf(const Scenario& scenario);
std::span<const std::string_view> truthNames(); ///< "ideal", "modelled", "class", "kernels", "served"
inline std::string_view truthName(Truth truth) {
    return truthNames()[static_cast<std::size_t>(truth)];
}
std::string_view truthText(Truth truth); ///< "ideal, at best", "measured kernels and server", ...
/// What is said of figures of such a design, beside or below them; empty of all but Ideal and Class.
std::string_view truthRemark(Truth truth);
inline constexpr std::string_view kAtBest =
    "at best: of an ideal runtime; measured ones were 1.6 to 5 times slower";

/// The kinds of truth that stand in one list.
class Truths {
public:
    void add(Truth truth) { m_bits |= bit(truth); }
    bool has(Truth truth) const { return (m_bits & bit(truth)) != 0; }
    bool areMixed() const { return (m_bits & (m_bits - 1)) != 0; }
    bool areIdealAmongOthers() const { return areMixed() && has(Truth::Ideal); }
    std::optional<Truth> only() const { ///< none: there are several, or none
        return m_bits == 0 || areMixed() ? std::nullopt
                                         : std::optional<Truth>(Truth(std::countr_zero(m_bits)));
    }
    bool anyMeasured() const { return has(Truth::Kernels) || has(Truth::Served); }
    /// truthRemark() of each, on lines of their own, with its name where they are mixed.
    std::string remarks() const;

private:
    unsigned m_bits = 0;
    static unsigned bit(Truth truth) { return 1U << static_cast<unsigned>(truth); }
};

/// What makes all that computes in a design Ideal, Class or Served, at the precisions that it has: runtimes
/// without loss, the rule of each device's class, or of each device its server with the kernels that were
/// measured there. None where that cannot be: no such kernels, software that offloads, a design that does not
/// run so.
std::optional<EditList> truthEdit(const Scenario& scenario, Truth wanted, const Catalog& catalog);
/// The edits, one a design, that make all of the same kind: Served where all can be, else Class, whose errors
/// are alike on both sides, else Ideal. Empty where they cannot.
std::vector<EditList> likeForLike(std::span<const Scenario> designs, const Catalog& catalog);

/// How the servers of a design batch, where every device that computes has one and they batch alike; null:
/// not so.
const BatchingKind* serverBatching(const Scenario& scenario);
/// How a design batches once its requests arrive so: as now, but that a design whose requests were not
/// simulated so far batches as its servers do in place of the static batches that every design starts with.
const BatchingKind& batchingUnder(const Scenario& scenario, const ArrivalKind& arrivals);
/// Chooses arrivals, and batchingUnder() them.
GraphEdit arrivalsEdit(const Scenario& scenario, const ArrivalKind& arrivals);

/// Whether both phases are timed as sums of measured kernels.
bool timedByKernels(const Runtime& runtime);
/// Whether both are by the rule of the device's class.
bool timedByClass(const Runtime& runtime);

/// A server's runtime on a device, with the precisions of `before` where its kernels have them. Null where it
/// does not run there.
std::optional<Runtime> servedRuntime(const Server& server, const std::optional<Runtime>& before,
                                     const Device& device, const Catalog& catalog);

/// The software of a freshly placed device: the runtime that it names (Catalog::defaultRuntime()) and, where
/// that is a server's, the server. Of what is no accelerator: none.
void placeSoftware(Node& node, const Catalog& catalog);

/// A node's device is replaced. What serves on the node stays where its kernels were measured on the new
/// device; where nothing served, that of the node's runtime, else the one that a freshly placed device gets.
/// Kernels are timed as measured then: a runtime that is timed otherwise gives way to the server's, but for
/// one that offloads, which nothing serves. Where no server can be, none is, and the runtime is that of
/// runtimeAfter(). The same device again leaves the server as it is.
SetDevice replaceDevice(const Node& node, const Device& device, const Catalog& catalog);

/// A node's runtime is replaced. One that is not timed by kernels has no server; the kernels of a server
/// bring it where none is set.
SetDevice replaceRuntime(const Node& node, Runtime runtime, const Catalog& catalog);

/// A runtime with the KV cache that the model's checkpoint asks for, where it has that on the device.
Runtime keepsAsReleased(Runtime runtime, const Device& device, const Model& model);

/// A model is served, with its cache in the bits that its checkpoint asks for on every node that can.
EditList takeModel(const Scenario& scenario, Model model);

/// The runtime of a node whose device is replaced. On a device that nobody measured whose usual runtime is
/// timed by the rule of its class it is that one, at the node's precisions where it has them, but in place of
/// one that offloads. Otherwise it stays where it can run: with what is calibrated for the
/// new device, and with what was changed on the node. Otherwise the nearest of the catalogue takes its place;
/// these count, the first most: the same offloading; the same precisions; usual on this device; usual on any;
/// the same operators; the same timing models; the order in the catalogue. Null where nothing runs.
std::optional<Runtime> runtimeAfter(const Node& node, const Device& device, const Catalog& catalog);

/// ", served as vLLM V1", ", no server": what happens to a node's server. Empty when it stays.
std::string serverChange(const Node& before, const SetDevice& edit);
/// "vLLM in place of HF eager (weights 8 to 16 bit), served as vLLM V1": what happens to a node's software
/// when its device is replaced. Empty when it stays.
std::string softwareChange(const Node& before, const SetDevice& edit);

/// The recipe with another width, set by hand, in place of what the checkpoint quantizes (where it quantizes
/// nothing, the matrices of all layers): integers of `bits` without scales, of two widths where it is not
/// whole; BF16 from 16. What the checkpoint leaves in BF16, such as router, embedding and head, stays; a
/// format of this width already does too, with its scales.
const WeightRecipe& recipeAt(const WeightRecipe& checkpoint, double bits);

/// The formats that a node serves a model's weights in: those of its checkpoint, with a width that is set by
/// hand in the runtime in place of what it quantizes, unless measured kernels run, which take the
/// checkpoint's. Null: every part in the runtime's width.
const WeightRecipe* servedWeights(const Model& model, const Node& node);

} // namespace heteroscape::engine
