// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claim_summary.h"

#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ClaimKind, 4> kKinds{ClaimKind::Count, ClaimKind::Calibrated, ClaimKind::Chosen,
                                          ClaimKind::Predicted};

class Counter {
public:
    void add(const ClaimResult& result) {
        auto& kind = m_kinds[static_cast<std::size_t>(result.claim.kind)];
        ++kind.claims;
        for (std::size_t i = 0; i < kSummaryWithin.size(); ++i)
            kind.within[i] += std::fabs(result.error) <= kSummaryWithin[i] ? 1 : 0; // NaN is within nothing
    }

    std::vector<KindSummary> summary() const {
        std::vector<KindSummary> found;
        for (std::size_t i = 0; i < kKinds.size(); ++i)
            if (m_kinds[i].claims > 0) {
                found.push_back(m_kinds[i]);
                found.back().kind = kKinds[i];
            }
        return found;
    }

private:
    std::array<KindSummary, kKinds.size()> m_kinds{};
};

} // namespace

std::vector<KindSummary> summarise(std::span<const ClaimResult> results) {
    Counter counter;
    for (const auto& result : results)
        counter.add(result);
    return counter.summary();
}

std::vector<KindSummary> summarise(std::span<const PaperComparison> comparisons) {
    Counter counter;
    for (const auto& comparison : comparisons)
        for (const auto& result : comparison.results)
            counter.add(result);
    return counter.summary();
}

std::string summaryText(std::span<const KindSummary> summary) {
    std::string text;
    for (const auto& kind : summary) {
        std::string name(claimKindName(kind.kind));
        name.front() = static_cast<char>(name.front() - 'a' + 'A');
        text += (text.empty() ? "" : " ") + name + ": ";
        for (std::size_t i = 0; i < kSummaryWithin.size(); ++i) {
            if (i > 0 && kind.within[i] == kind.within[i - 1])
                continue;
            text += i == 0 ? std::to_string(kind.within[i]) + " of " + std::to_string(kind.claims)
                           : ", " + std::to_string(kind.within[i]);
            text += " within " + std::to_string(std::lround(100.0 * kSummaryWithin[i])) + " %";
        }
        text += '.';
    }
    return text;
}

} // namespace heteroscape::engine
