// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

enum class ClaimKind { Count, Calibrated, Predicted };
std::string_view claimKindName(ClaimKind kind); ///< "count", ...

/// A number that a paper states, and how this program arrives at its own.
struct Claim {
    std::string id;        ///< "prefill-gflop"
    std::string quantity;  ///< "Prefill compute"
    std::string condition; ///< "LLaMA2-7B, 1536 tokens"
    std::string unit;
    double paper = 0.0;
    ClaimKind kind = ClaimKind::Predicted;
    bool headline = false; ///< shown first
    std::string where;     ///< "Table I"
    std::string note;      ///< why it differs, if it does
    std::string scenario;  ///< preset behind the number: "glitches/a100-7u280"
    Json model;            ///< expression; see presets/README.md
};

struct Paper {
    std::string id; ///< "glitches"
    std::string name;
    std::string title;
    std::string about;
    std::vector<Claim> claims;
    std::vector<std::string> scenarios; ///< ids: "glitches/a100-7u280"
};

/// A claim with the model's own number.
struct ClaimResult {
    Claim claim;
    double model = 0.0;
    double error = 0.0;  ///< model / paper - 1
    bool misfit = false; ///< |error| above kMisfitError
};

inline constexpr double kMisfitError = 0.10;

struct PaperComparison {
    Paper paper;
    std::vector<ClaimResult> results;
    double meanPredictedError = 0.0; ///< mean |error| of the predicted claims
    std::size_t misfits = 0;
};

/// The papers below <presets>/papers.
std::vector<Paper> loadPapers(const Catalog& catalog);
Paper loadPaper(const Catalog& catalog, const std::string& id);

/// A preset scenario by id ("glitches/a100-7u280"), throws Error (NotFound) listing the ids there are.
Scenario loadPreset(const Catalog& catalog, const std::string& id, const std::string& where);

struct PresetInfo {
    std::string id;
    std::string name;
    std::string about;
};
std::vector<PresetInfo> listPresets(const Catalog& catalog);

/// Evaluates every claim of the paper.
PaperComparison compare(const Catalog& catalog, const Paper& paper);

} // namespace heteroscape::engine
