// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/server.h"

namespace heteroscape::engine {

/// The step model of the golden values of silicon serving, section 10, with settable constants:
///   lin(t) = max(floor, token t), decode = lin(n) + context n ctx + step + sequence n
/// Affine in the context. With ranks: of the fullest rank.
class AffineSteps final : public StepModel {
public:
    double floor = 8e-3;
    double token = 1e-5;
    double context = 2e-8;
    double square = 1e-9;
    double eager = 12e-3;
    double step = 0.5e-3;
    double sequence = 1e-5;
    double ranks = 1.0;
    double pipeline = 1.0; ///< stages
    double longest = 1.0;  ///< share of a step with prompts that the longest of them takes

    double stages() const override { return pipeline; }
    double stage(double sequences, double ctx, std::span<const PromptPiece> pieces) const override {
        return longest * mixed(sequences, ctx, pieces);
    }

    double decode(double sequences, double ctx) const override {
        const auto rank = [&](double n) { return lin(n) + context * n * ctx + step + sequence * n; };
        return ranks == 1.0 && sequences == std::floor(sequences) && sequences >= 1.0
                   ? rank(sequences)
                   : linearBetweenWhole(sequences / ranks, rank);
    }

    double mixed(double sequences, double ctx, std::span<const PromptPiece> pieces) const override {
        std::vector<double> tokens(static_cast<std::size_t>(ranks));
        std::vector<double> attention(tokens.size());
        std::vector<std::size_t> rankOf;
        dealOut(pieces, tokens, rankOf);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const double end = pieces[i].done + pieces[i].tokens;
            attention[rankOf[i]] += square * (end * end - pieces[i].done * pieces[i].done);
        }
        const double n = std::ceil(sequences / ranks);
        const double most = *std::max_element(tokens.begin(), tokens.end());
        const double prompts = *std::max_element(attention.begin(), attention.end());
        return std::max(lin(n + most) + context * n * ctx + prompts, eager) + step +
               sequence * (n + static_cast<double>(pieces.size()) / ranks);
    }

private:
    double lin(double tokens) const { return std::max(floor, token * tokens); }
};

/// The loop of the public client: 10 x users requests.
inline ClosedLoop publicLoop(std::uint64_t users, double prompt, double output, double ratio = 0.8,
                             std::size_t requests = 0) {
    ClosedLoop loop;
    loop.users = users;
    loop.requests = drawLengths({prompt, output, ratio, 0}, requests == 0 ? 10 * users : requests);
    return loop;
}

} // namespace heteroscape::engine
