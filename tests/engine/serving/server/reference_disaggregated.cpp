// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/server/reference_senders.h"
#include "tests/engine/serving/server/reference_server.h"

#include <map>

namespace heteroscape::engine {

using namespace reference;

std::vector<ServedAnswer> referenceDisaggregated(const ServerTraffic& traffic, const ServerSettings& prefill,
                                                 const StepModel& prefillModel, const ServerSettings& decode,
                                                 const StepModel& decodeModel, const Disaggregation& split) {
    struct Moving {
        std::size_t i;
        std::size_t worker;
        double latency; // left
        double alone;   // s left, alone on its link
    };
    struct Batch {
        double end = kNotYet;
        std::vector<std::size_t> requests;
    };
    std::vector<Served> all(traffic.requests.size());
    Senders senders(traffic, 0.0, all);
    std::vector<std::size_t> queue;
    std::vector<Batch> workers(static_cast<std::size_t>(split.prefillWorkers));
    std::vector<Moving> moving;
    std::vector<std::size_t> waiting;
    std::vector<std::size_t> running;
    const double drafted = std::max(1.0, decode.tokensPerStep);
    double now = 0.0;
    std::size_t answered = 0;
    while (answered < all.size()) {
        for (const auto i : senders.arrivedBy(now)) {
            all[i].state = State::Waiting;
            queue.push_back(i);
        }
        double free = 0.0;
        for (const auto& worker : workers)
            free += worker.end == kNotYet ? 1.0 : 0.0;
        for (auto& worker : workers) {
            if (worker.end != kNotYet || queue.empty())
                continue;
            const auto share = static_cast<std::size_t>(std::ceil(static_cast<double>(queue.size()) / free));
            free -= 1.0;
            std::vector<PromptPiece> list;
            double tokens = 0.0;
            while (!queue.empty() && list.size() < share) {
                const double prompt = all[queue.front()].prompt();
                if (!list.empty() && tokens + prompt > prefill.budget * prefill.ranks)
                    break;
                tokens += prompt;
                list.push_back({0.0, prompt, true});
                worker.requests.push_back(queue.front());
                queue.erase(queue.begin());
            }
            worker.end = now + prefillModel.mixed(0.0, 0.0, list);
        }
        while (!waiting.empty()) {
            auto& served = all[waiting.front()];
            double kv = served.prompt() + decode.reserve * served.output();
            for (const auto i : running)
                kv += all[i].prompt() + decode.reserve * all[i].output();
            const double most = split.decodeSlots * decode.ranks * split.decodeWorkers;
            if (static_cast<double>(running.size()) + 1.0 > most ||
                (!running.empty() && kv > decode.kvTokens * decode.ranks * split.decodeWorkers))
                break;
            served.first = now + prefill.request;
            served.context = served.prompt() + 1.0;
            served.left = std::max(1.0, served.output() - 1.0);
            if (drafted > 1.0)
                served.left = std::max(1.0, std::round(served.left / drafted));
            running.push_back(waiting.front());
            waiting.erase(waiting.begin());
        }
        // How long until the next event.
        std::map<std::size_t, double> sharing;
        for (const auto& move : moving)
            if (move.latency <= 0.0)
                sharing[move.worker] += 1.0;
        const auto slow = [&](const Moving& move) { return split.sharedLinks ? sharing[move.worker] : 1.0; };
        double next = senders.nextReady() - now;
        for (const auto& worker : workers)
            next = std::min(next, worker.end - now);
        for (const auto& move : moving)
            next = std::min(next, move.latency > 0.0 ? move.latency : move.alone * slow(move));
        double least = kNotYet;
        double contexts = 0.0;
        for (const auto i : running) {
            least = std::min(least, all[i].left);
            contexts += all[i].context;
        }
        const double n = static_cast<double>(running.size());
        const double seconds = running.empty() ? 1.0
                                               : decodeModel.decode(n / split.decodeWorkers,
                                                                    contexts / n + 0.5 * drafted * least);
        const bool finishes = !running.empty() && least * seconds <= next * (1.0 + 1e-12);
        const double span = finishes ? least * seconds : next;
        now += span;
        for (auto& move : moving) {
            if (move.latency > 0.0) {
                move.latency = move.latency - span <= 1e-13 ? 0.0 : move.latency - span;
            } else {
                const double left = move.alone - span / slow(move);
                move.alone = left <= 1e-13 ? 0.0 : left;
            }
        }
        const double steps = span / seconds;
        for (const auto i : running) {
            all[i].context += drafted * steps;
            all[i].left = all[i].left - steps <= 1e-9 ? 0.0 : all[i].left - steps;
        }
        std::vector<std::size_t> ended;
        for (const auto i : running)
            if (all[i].left <= 0.0)
                ended.push_back(i);
        std::sort(ended.begin(), ended.end());
        for (const auto i : ended) {
            running.erase(std::find(running.begin(), running.end(), i));
            all[i].last = now + prefill.request;
            all[i].state = State::Answered;
            ++answered;
            senders.answered(i, now);
        }
        std::vector<Moving> still;
        std::vector<std::size_t> came;
        for (const auto& move : moving)
            if (move.latency <= 0.0 && move.alone <= 0.0)
                came.push_back(move.i);
            else
                still.push_back(move);
        std::sort(came.begin(), came.end());
        waiting.insert(waiting.end(), came.begin(), came.end());
        moving = still;
        for (std::size_t w = 0; w < workers.size(); ++w)
            if (workers[w].end <= now * (1.0 + 1e-14)) {
                for (const auto i : workers[w].requests) { // a link of its own: one span
                    const double alone = split.transferToken * all[i].prompt();
                    moving.push_back({i, w, split.transferLatency + (split.sharedLinks ? 0.0 : alone),
                                      split.sharedLinks ? alone : 0.0});
                }
                workers[w] = {};
            }
    }
    return answersOf(all);
}

} // namespace heteroscape::engine
