// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server_rules.h"
#include "engine/serving/split_rules.h"

namespace heteroscape::engine {

/// The step model of the golden values of silicon serving, section 10, with settable constants:
///   lin(t) = max(floor, token t), decode = lin(n) + context n ctx + step + sequence n
/// Affine in the context. With ranks: of the fullest rank.
class AffineSteps final : public ServiceTimes {
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

    double prefill(double requests, double prompt, double) override {
        return pieces(std::vector(static_cast<std::size_t>(requests), PromptPiece{0.0, prompt, true}), {0.0})
            .whole;
    }

    double decode(const DecodeBatch& batch, double steps) override {
        const double keys = batch.context + 0.5 * (steps + 1.0);
        const auto rank = [&](double n) { return lin(n) + context * n * keys + step + sequence * n; };
        const double n = std::max(1.0, batch.requests / ranks);
        const double whole = std::floor(n);
        return steps * (rank(whole) + (n > whole ? (n - whole) * (rank(whole + 1.0) - rank(whole)) : 0.0));
    }

    PieceSeconds pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override {
        std::vector<double> tokens(static_cast<std::size_t>(ranks));
        std::vector<double> attention(tokens.size());
        std::vector<std::size_t> rankOf;
        dealOut(prompts, tokens, rankOf);
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            const double end = prompts[i].done + prompts[i].tokens;
            attention[rankOf[i]] += square * (end * end - prompts[i].done * prompts[i].done);
        }
        const double n = std::ceil(batch.requests / ranks);
        const double most = *std::max_element(tokens.begin(), tokens.end());
        const double attended = *std::max_element(attention.begin(), attention.end());
        const double seconds =
            std::max(lin(n + most) + context * n * (batch.context + 1.0) + attended, eager) + step +
            sequence * (n + static_cast<double>(prompts.size()) / ranks);
        return {seconds, longest * seconds};
    }

private:
    double lin(double tokens) const { return std::max(floor, token * tokens); }
};

/// Requests of these sizes by so many users.
inline ServerTraffic loopOf(std::uint64_t users, const std::vector<RequestSize>& sizes) {
    ServerTraffic loop;
    loop.users = users;
    for (const auto& size : sizes)
        loop.requests.push_back({size});
    return loop;
}

/// The loop of the public client: 10 x users requests.
inline ServerTraffic publicLoop(std::uint64_t users, double prompt, double output, double ratio = 0.8,
                                std::size_t requests = 0) {
    return loopOf(users, drawLengths({prompt, output, ratio, 0}, requests == 0 ? 10 * users : requests));
}

/// Pools that prefill, each with a link of its own, and pools that decode: KV caches take `latency` and
/// `token` seconds a token from any of the first to each of the second, where they do not share the link.
inline ServingSystem splitOf(std::vector<ServingPool> prefill, std::span<const ServingPool> decode,
                             std::span<const double> latency, std::span<const double> token,
                             bool sharedLinks) {
    ServingSystem system;
    system.pools = std::move(prefill);
    system.links.assign(system.pools.size(), 1.0);
    const auto first = system.pools.size();
    for (auto& pool : system.pools)
        pool.role = Role::Prefill;
    for (const auto& pool : decode)
        system.pools.emplace_back(pool).role = Role::Decode;
    system.routes.resize(system.pools.size() * system.pools.size());
    for (std::size_t p = 0; p < first; ++p)
        for (std::size_t d = 0; d < decode.size(); ++d) {
            auto& route = system.routes[p * system.pools.size() + first + d];
            route.hops = {{1.0, latency[d]}};
            route.bytesPerToken = route.bytesOnLinks = token[d];
            if (sharedLinks)
                route.crossings = {{p, 0.0}};
        }
    return system;
}

} // namespace heteroscape::engine
