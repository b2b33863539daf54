// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/reference_senders.h"
#include "tests/engine/serving/reference_server.h"

#include <map>

namespace heteroscape::engine {

using namespace reference;

namespace {

struct Moving {
    std::size_t i;
    std::size_t worker;
    double latency; // left
    double alone;   // s left, alone on its link
};
struct Batch {
    double end = 0.0;
    std::vector<std::size_t> requests;
};
struct Worker {
    std::vector<Batch> batches; // under way
    std::vector<double> ends;   // of all that it ever had
    double free = kNotYet;      // when it may take the next; not yet: now
};

/// One decode group: lists in order, every sum made anew.
struct Group {
    const ServingPool* group = nullptr;
    std::vector<std::size_t> back, waiting, running; // running in the order of slots
    double assigned = 0.0;
    double moving = 0.0; // s that swapping still stops it
    double steps = 0.0;  // to its event
    double seconds = 0.0;
    bool full = false;

    double block() const { return std::max(1.0, group->server.block); }
    double capacity() const { return group->server.kvTokens * group->server.ranks * group->replicas; }
    bool evicts() const { return group->server.eviction != Eviction::Reserved && capacity() < kNotYet; }
    bool swaps() const { return evicts() && group->server.eviction == Eviction::Swap; }
    bool holds(const Served& one) const {
        return !evicts() || one.prompt() + one.output() + 1.0 + block() <= capacity();
    }
    double swapSeconds(double tokens) const { return tokens * group->server.swapToken / group->replicas; }
    double used(const std::vector<Served>& all) const {
        double kv = 0.0;
        for (const auto i : running)
            kv += evicts() ? all[i].context + block() - 1.0
                           : all[i].prompt() + group->server.reserve * all[i].output();
        return kv;
    }
    /// The next that takes a slot, if it may.
    std::size_t* next(const std::vector<Served>& all) {
        auto& list = back.empty() ? waiting : back;
        const double most = group->server.sequences * group->server.ranks * group->replicas;
        if (list.empty() || static_cast<double>(running.size()) + 1.0 > most)
            return nullptr;
        const auto& one = all[list.front()];
        double needs = one.prompt() + group->server.reserve * one.output();
        if (evicts())
            needs = one.context + block() - 1.0 +
                    std::max(static_cast<double>(running.size()) + 1.0, group->server.reserve * one.left);
        return !running.empty() && used(all) + needs > capacity() ? nullptr : &list.front();
    }
    void look(const std::vector<Served>& all) {
        steps = kNotYet;
        double contexts = 0.0;
        for (const auto i : running) {
            steps = std::min(steps, all[i].left);
            contexts += all[i].context;
        }
        const double n = static_cast<double>(running.size());
        full = false;
        if (evicts() && running.size() > 1) {
            const double fit = std::max(0.0, capacity() - used(all)) / n;
            full = fit < steps;
            steps = std::min(steps, fit);
        }
        seconds = group->times->decodeStep(n / group->replicas, contexts / n + 0.5 * steps);
    }
};

} // namespace

std::vector<ServedRequest> referenceDisaggregated(const ServerTraffic& traffic,
                                                  const ReferencePrefill& prefill,
                                                  std::span<const ServingPool> decode) {
    std::vector<Served> all(traffic.requests.size());
    std::vector<std::size_t> to(all.size());
    std::vector<bool> refused(all.size());
    Senders senders(traffic, 0.0, all);
    std::vector<std::size_t> queue, again;
    std::vector<Worker> workers(prefill.pool.replicas);
    std::vector<Moving> moving;
    std::vector<Group> groups;
    for (const auto& group : decode)
        groups.push_back({&group, {}, {}, {}});
    double now = 0.0;
    std::size_t answered = 0;
    const auto begun = [&](std::size_t i) { return all[i].first < kNotYet; };
    while (answered < all.size()) {
        for (const auto i : senders.arrivedBy(now)) {
            bool held = false;
            for (const auto& group : groups)
                held = held || group.holds(all[i]);
            all[i].state = State::Waiting;
            if (held) {
                queue.push_back(i);
                continue;
            }
            refused[i] = true;
            all[i].first = all[i].last = now;
            all[i].state = State::Answered;
            ++answered;
            senders.answered(i, now);
        }
        if (!senders.arrivedBy(now).empty())
            continue; // what a refused one let in
        if (answered == all.size())
            break;
        double free = 0.0;
        for (const auto& worker : workers)
            free += worker.free == kNotYet ? 1.0 : 0.0;
        for (auto& worker : workers) {
            if (worker.free != kNotYet || queue.size() + again.size() == 0)
                continue;
            const auto share =
                static_cast<std::size_t>(std::ceil(static_cast<double>(queue.size() + again.size()) / free));
            free -= 1.0;
            auto& batch = worker.batches.emplace_back();
            std::vector<PromptPiece> list;
            double tokens = 0.0;
            while (queue.size() + again.size() > 0 && list.size() < share) {
                auto& from = again.empty() ? queue : again;
                auto at = from.begin();
                for (auto one = from.begin(); again.empty() && one != from.end(); ++one) {
                    const auto order = prefill.pool.server.order;
                    const auto key = [&](std::size_t i) {
                        const auto& request = *all[i].request;
                        return order == QueueOrder::ShortestFirst
                                   ? all[i].prompt() - std::clamp(request.cached, 0.0, all[i].prompt() - 1.0)
                               : order == QueueOrder::Priority ? request.priority
                                                               : 0.0;
                    };
                    if (key(*one) < key(*at))
                        at = one;
                }
                const auto i = *at;
                const double done =
                    again.empty() ? std::clamp(all[i].request->cached, 0.0, all[i].prompt() - 1.0) : 0.0;
                const double piece = (again.empty() ? all[i].prompt() : std::ceil(all[i].context)) - done;
                if (!list.empty() && tokens + piece > prefill.pool.server.budget * prefill.pool.server.ranks)
                    break;
                tokens += piece;
                list.push_back({done, piece, true});
                batch.requests.push_back(i);
                from.erase(at);
            }
            const auto [whole, longest] = prefill.pool.times->pieces(list, {0.0});
            const auto depth = static_cast<std::size_t>(prefill.pool.times->stages());
            const double stage = depth == 1 ? whole : longest;
            batch.end = now + whole;
            if (depth > 1 && !worker.ends.empty())
                batch.end = std::max(batch.end, worker.ends.back() + stage);
            worker.ends.push_back(batch.end);
            worker.free = now + stage;
            if (worker.ends.size() >= depth)
                worker.free = std::max(worker.free, worker.ends[worker.ends.size() - depth]);
        }
        for (auto& group : groups)
            while (const auto* next = group.next(all)) {
                const auto i = *next;
                auto& list = group.back.empty() ? group.waiting : group.back;
                list.erase(list.begin());
                if (!begun(i))
                    all[i].first = now + prefill.pool.server.request;
                else if (group.swaps())
                    group.moving += group.swapSeconds(all[i].context);
                group.running.push_back(i);
            }
        // How long until the next event.
        std::map<std::size_t, double> sharing;
        for (const auto& move : moving)
            if (move.latency <= 0.0)
                sharing[move.worker] += 1.0;
        const auto slow = [&](const Moving& move) {
            return prefill.sharedLinks ? sharing[move.worker] : 1.0;
        };
        double next = senders.nextReady() - now;
        for (const auto& worker : workers) {
            next = std::min(next, worker.free - now);
            for (const auto& batch : worker.batches)
                next = std::min(next, batch.end - now);
        }
        for (const auto& move : moving)
            next = std::min(next, move.latency > 0.0 ? move.latency : move.alone * slow(move));
        double least = kNotYet;
        for (auto& group : groups)
            if (!group.running.empty()) {
                group.look(all);
                least = std::min(least, group.moving + group.steps * group.seconds);
            }
        const bool decodes = least <= next * (1.0 + 1e-12);
        const double span = decodes ? least : next;
        now += span;
        for (auto& move : moving) {
            if (move.latency > 0.0) {
                move.latency = move.latency - span <= 1e-13 ? 0.0 : move.latency - span;
            } else {
                const double left = move.alone - span / slow(move);
                move.alone = left <= 1e-13 ? 0.0 : left;
            }
        }
        for (std::size_t d = 0; d < groups.size(); ++d) {
            auto& group = groups[d];
            const double stopped = std::min(span, group.moving);
            group.moving -= stopped;
            if (group.running.empty())
                continue;
            const bool due = decodes && std::fabs(span - stopped - group.steps * group.seconds) <= 1e-13;
            const double steps = due ? group.steps : (span - stopped) / group.seconds;
            for (const auto i : group.running) {
                all[i].context += steps;
                all[i].left = all[i].left - steps <= 1e-9 ? 0.0 : all[i].left - steps;
            }
            std::vector<std::size_t> ended;
            for (const auto i : group.running)
                if (all[i].left <= 0.0)
                    ended.push_back(i);
            std::sort(ended.begin(), ended.end());
            for (const auto i : ended) {
                group.running.erase(std::find(group.running.begin(), group.running.end(), i));
                group.assigned -= 1.0;
                all[i].last = now + prefill.pool.server.request;
                all[i].state = State::Answered;
                ++answered;
                senders.answered(i, now);
            }
            if (!due || !group.full)
                continue;
            while (group.running.size() > 1 &&
                   group.used(all) + static_cast<double>(group.running.size()) > group.capacity()) {
                const auto i = group.running.back();
                group.running.pop_back();
                if (group.swaps()) {
                    group.moving += group.swapSeconds(all[i].context);
                    group.back.push_back(i);
                } else {
                    group.assigned -= 1.0;
                    again.insert(again.begin(), i);
                }
            }
        }
        std::vector<Moving> still;
        std::vector<std::size_t> came;
        for (const auto& move : moving)
            if (move.latency <= 0.0 && move.alone <= 0.0)
                came.push_back(move.i);
            else
                still.push_back(move);
        std::sort(came.begin(), came.end());
        for (const auto i : came)
            (begun(i) ? groups[to[i]].back : groups[to[i]].waiting).push_back(i);
        moving = still;
        const double reached = now * (1.0 + (groups.size() > 1 ? 1e-12 : 1e-14));
        for (std::size_t w = 0; w < workers.size(); ++w) {
            if (workers[w].free <= reached)
                workers[w].free = kNotYet;
            auto& batches = workers[w].batches;
            while (!batches.empty() && batches.front().end <= reached) {
                for (const auto i : batches.front().requests) { // a link of its own: one span
                    std::size_t best = groups.size();
                    for (std::size_t d = 0; d < groups.size(); ++d)
                        if (groups[d].holds(all[i]) &&
                            (best == groups.size() ||
                             (groups[d].assigned + 1.0) / groups[d].group->weight <
                                 (groups[best].assigned + 1.0) / groups[best].group->weight))
                            best = d;
                    to[i] = best;
                    groups[best].assigned += 1.0;
                    if (!begun(i)) {
                        all[i].context = all[i].prompt() + 1.0;
                        all[i].left = std::max(1.0, all[i].output() - 1.0);
                    }
                    const double alone = prefill.token[best] * (begun(i) ? all[i].context : all[i].prompt());
                    moving.push_back({i, w, prefill.latency[best] + (prefill.sharedLinks ? 0.0 : alone),
                                      prefill.sharedLinks ? alone : 0.0});
                }
                batches.erase(batches.begin());
            }
        }
    }
    auto answers = answersOf(all);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (refused[i])
            answers[i].request.prompt = answers[i].request.output = 0;
    return answers;
}

} // namespace heteroscape::engine
