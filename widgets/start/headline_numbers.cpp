// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/headline_numbers.h"

#include "engine/base/error.h"

#include <QString>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// Of these papers the number that their readers know them by.
constexpr const char* kKnown[] = {"a100-7u280-over-8a100-cost", "fig6-ratio", "fig10-30b"};

} // namespace

std::optional<engine::Claim> headlineClaim(const engine::Paper& paper) {
    const engine::Claim* first = nullptr;
    for (const auto& claim : paper.claims) {
        if (!claim.headline || claim.unit != "\u00d7" || claim.scenario.empty())
            continue;
        if (std::find(std::begin(kKnown), std::end(kKnown), claim.id) != std::end(kKnown))
            return claim;
        if (!first)
            first = &claim;
    }
    return first ? std::optional(*first) : std::nullopt;
}

HeadlineNumbers::HeadlineNumbers(std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)) {}

void HeadlineNumbers::start(const std::vector<engine::Paper>& papers) {
    for (auto paper : papers) {
        const auto claim = headlineClaim(paper);
        if (!claim)
            continue;
        paper.claims = {*claim};
        m_job.start([this, paper = std::move(paper), catalog = m_catalog](JobRun&) -> Job::Show {
            // What throws is Job's to catch: then there is no number to show.
            const double model = engine::compare(*catalog, paper).results.at(0).model;
            if (!std::isfinite(model))
                return {};
            return [this, id = paper.id, model] { emit found(id, model); };
        });
    }
}

} // namespace heteroscape::widgets
