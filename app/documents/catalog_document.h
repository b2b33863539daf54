// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::cli {

/// What there is of a kind, one a row.
struct CatalogRow {
    std::string id;
    std::string name;
    std::string about;
};
std::vector<std::string> catalogKinds(); ///< "devices", ..., "groups", "presets", "papers"
/// Throws Error (NotFound) for a kind that is none.
std::vector<CatalogRow> catalogRows(const engine::Catalog& catalog, std::string_view kind);

std::vector<std::string> entryKinds(); ///< "device", "model", "runtime", "server", "workload", "link"
/// One entry as a file has it; of a model also what its figures add up to ("together"). Throws Error
/// (NotFound) for what is not there.
engine::Json entryJson(const engine::Catalog& catalog, std::string_view kind, const std::string& id);

/// A quantity of an entry, as people read it.
struct EntryFigure {
    std::string key;   ///< "memory_bandwidth_gbps", of a runtime its path
    std::string value; ///< empty: not set
    std::string unit, source;
};
/// What an entry is made of, for people.
struct EntryWords {
    std::string name, about;
    std::vector<EntryFigure> figures;
    std::vector<std::string> notes; ///< of a runtime: what is calibrated on one device alone
};
EntryWords entryWords(const engine::Catalog& catalog, std::string_view kind, const std::string& id);

/// A model of the catalogue, or of a file: a config.json, a model entry, or a folder with a config.json.
engine::Model modelNamed(const engine::Catalog& catalog, const std::string& id);

/// B of the KV cache as the checkpoint asks for it: of one more token where every window is full, and where
/// none is; and what a request keeps at no length at all.
struct CacheBytes {
    double later, first, fixed;
};
CacheBytes cacheOf(const engine::Model& model);

/// "datasheet: NVIDIA H100 datasheet": where a quantity comes from.
std::string sourceText(const engine::Quantity& quantity);
/// Every path of a scenario with value, unit, allowed range and source, in the scenario's order.
engine::Json parametersJson(const engine::Scenario& scenario, const engine::Catalog& catalog);
/// One of them.
engine::Json parameterJson(const engine::Scenario& scenario, const engine::Catalog& catalog,
                           const std::string& path);

} // namespace heteroscape::cli
