// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <string>

namespace heteroscape::cli {

/// A paper as one document in Markdown: title, words, designs, claims, studies as tables, and the parts that
/// its folder brings, with their sources. The words are paper.md of the folder, else what claims.json says
/// about it. Figures in them are live: {{DESIGN METRIC path=value ...}} is a metric of a design with these
/// settings, {{claim ID}} the model's number of a claim, both with their unit; a design of the paper goes
/// without the paper's id; fenced blocks stay as they are. Evaluates every study. Throws Error naming file
/// and line.
std::string paperMarkdown(const engine::Catalog& catalog, const engine::PaperComparison& comparison);

} // namespace heteroscape::cli
