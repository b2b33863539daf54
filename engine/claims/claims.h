// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario.h"

#include <array>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A claim further off than this is a misfit, unless it says otherwise.
inline constexpr double kMisfitError = 0.10;

/// Count: no free parameter. Calibrated: fitted on it. Chosen: a convention of the model was chosen to fit
/// it. Predicted: none of these. Computed: the number came from this model, so that it shows only what has
/// changed since. Trend: no number but an order, a crossing or a saturation, which holds (1) or does not (0).
enum class ClaimKind { Count, Calibrated, Chosen, Predicted, Computed, Trend };
std::string_view claimKindName(ClaimKind kind); ///< "count", ...

/// How the model's number should stand to the paper's. At most and at least: an error only beyond it.
enum class ClaimRelation { Equal, AtMost, AtLeast };
std::string_view claimRelationName(ClaimRelation relation); ///< "equal", "at_most", "at_least"

/// A number that stands behind a claim's own.
struct ClaimPart {
    std::string label; ///< "at 32 devices"
    std::string unit;
    std::shared_ptr<const Json> model; ///< expression
};

/// Another convention under which a paper's claims can be evaluated: settings put into every scenario.
struct ClaimVariant {
    std::string id;                       ///< "ring"
    std::string label;                    ///< "ring allreduce"
    std::shared_ptr<const Json> settings; ///< an object: values by parameter path
};

/// A number that a paper states, and how this program arrives at its own.
struct Claim {
    std::string id;        ///< "prefill-gflop"
    std::string quantity;  ///< "Prefill compute"
    std::string condition; ///< "LLaMA2-7B, 1536 tokens"
    std::string unit;
    double paper = 0.0; ///< of a trend 1
    ClaimKind kind = ClaimKind::Predicted;
    bool headline = false; ///< shown first
    std::string where;     ///< "Table I"
    std::string note;      ///< why it differs, if it does
    std::string scenario;  ///< preset behind the number: "glitches/a100-7u280"
    ClaimRelation relation = ClaimRelation::Equal;
    double misfitAbove = kMisfitError; ///< |error| above which it is a misfit
    std::shared_ptr<const Json> model; ///< expression; see presets/README.md
    std::vector<ClaimPart> parts;
    std::vector<std::string> variants; ///< ids of the paper's variants under which it is shown too
};

struct Paper {
    std::string id;   ///< "glitches"
    std::string file; ///< claims.json in its folder
    std::string name;
    std::string title;
    std::string about;
    std::vector<ClaimVariant> variants;
    std::vector<Claim> claims;
    std::vector<std::string> scenarios; ///< ids: "glitches/a100-7u280"
};

/// The model's number for a claim under one convention.
struct ClaimValue {
    double model = 0.0;
    double error = 0.0;        ///< model / paper - 1; 0 where the relation holds
    std::vector<double> parts; ///< parallel to the claim's parts
};

/// A claim with the model's own number.
struct ClaimResult {
    Claim claim;
    double model = 0.0;
    double error = 0.0;               ///< model / paper - 1; 0 where the relation holds
    bool misfit = false;              ///< |error| above the claim's misfitAbove, or no number
    std::vector<double> parts;        ///< parallel to the claim's parts
    std::vector<ClaimValue> variants; ///< parallel to the claim's variants
    Truth truth = Truth::Modelled;    ///< what its scenario rests on
    std::string problem;              ///< why nothing could be computed: place, what is wrong, remedy
};

struct PaperComparison {
    Paper paper;
    std::vector<ClaimResult> results;
    double meanPredictedError = 0.0; ///< mean |error| of the predicted claims
    std::size_t misfits = 0;
};

/// The papers of the catalogue: those below <presets>/papers, and what addPaper() added.
std::vector<std::string> listPapers(const Catalog& catalog); ///< ids of folders with claims.json
std::vector<Paper> loadPapers(const Catalog& catalog);
Paper loadPaper(const Catalog& catalog, const std::string& id);

/// A design of the catalogue by id ("glitches/a100-7u280"), throws Error (NotFound) listing the ids there
/// are.
Scenario loadPreset(const Catalog& catalog, const std::string& id, const std::string& where);

struct PresetInfo {
    std::string id;
    std::string name;
    std::string about;
};
std::vector<PresetInfo> listPresets(const Catalog& catalog);

/// Evaluates every claim of the paper; one that cannot be computed has a problem in place of a number, and is
/// a misfit. Throws Error (Cancelled) when stopped.
PaperComparison compare(const Catalog& catalog, const Paper& paper, const std::stop_token& stop = {});

/// The errors within which claims are counted, ascending.
inline constexpr std::array<double, 3> kSummaryWithin{0.01, 0.05, 0.10};

/// Of the claims of one kind: how many there are, how many hold within 1, 5 and 10 %.
struct KindSummary {
    ClaimKind kind = ClaimKind::Count;
    std::size_t claims = 0;
    std::array<std::size_t, kSummaryWithin.size()>
        within{}; ///< parallel to kSummaryWithin; by unrounded errors
    bool operator==(const KindSummary&) const = default;
};

/// One entry for each kind that any of the results has, in the order of the enum. A claim without a number
/// holds within nothing.
std::vector<KindSummary> summarise(std::span<const ClaimResult> results);
/// The same over several papers.
std::vector<KindSummary> summarise(std::span<const PaperComparison> comparisons);

/// "Count: 18 of 18 within 1 %. Predicted: 31 of 63 within 1 %, 44 within 5 %, 52 within 10 %." Steps at
/// which nothing is added are left out.
std::string summaryText(std::span<const KindSummary> summary);

/// A design behind a claim's number, with everything that the claim sets in it.
struct ClaimDesign {
    Scenario scenario;
    std::string preset;   ///< id of the preset that it starts from
    std::string settings; ///< what is set in it: "workload.batch 4, techniques.l2_prefetch.enabled false"
    std::string
        metric; ///< the metric or property that the claim takes from it: "tpot_s", "nodes.gpu.decode_ms"
    double value = 0.0; ///< of that metric, in its shown unit
};

/// At most so many designs are listed for one claim.
inline constexpr std::size_t kMostClaimDesigns = 24;

/// The designs whose metrics a claim's expression takes, in the order in which it names them, no two alike.
/// Where the expression looks for a smallest or largest, the one that it finds stands first; of means over
/// many designs, the first of them. A claim that takes no metric of a design has its preset, as it is. Throws
/// Error as compare() does.
std::vector<ClaimDesign> claimDesigns(const Catalog& catalog, const Claim& claim);

} // namespace heteroscape::engine
