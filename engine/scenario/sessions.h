// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/arrival_kind.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscape::engine {

/// Lengths as the public client draws them: whole numbers, uniform in [floor(ratio x length), length], all
/// prompts first, then all outputs, from one std::mt19937 (numpy's legacy generator: masked bits, drawn again
/// where they exceed the span). Source: the client of InferenceX, random_range_ratio.
struct ClientLengths {
    double prompt = 1024.0;
    double output = 1024.0;
    double ratio = 0.8; ///< 1: fixed
    std::uint32_t seed = 0;
};
struct RequestSize {
    std::uint32_t prompt = 1;
    std::uint32_t output = 1;
    bool operator==(const RequestSize&) const = default;
};
std::vector<RequestSize> drawLengths(const ClientLengths& lengths, std::size_t requests);

/// Sessions of several turns, for kinds of arrivals that make their requests themselves: the requests of a
/// user, each with all turns before it in its prompt.
inline constexpr KindParameter kTurnsParameter{
    {"turns", "Turns", "", 1, 1, 1000, true, false,
     "Requests of a session; each has all turns before it in its prompt. The workload's prompt is what a "
     "turn adds."}};
inline constexpr KindParameter kPauseParameter{{"pause_s", "Reading", "s", 1, 0, 1e6, false, false,
                                                "Between an answer and the next turn of its session."}};
/// What the prompts of all sessions begin with: found in a prefix cache.
inline constexpr KindParameter kSharedPrefixParameter{
    {"shared_prefix_tokens", "Shared prefix", "tok", 1, 0, 1e7, true, false,
     "Tokens that the prompts of all sessions begin with, part of the workload's prompt."}};

std::size_t turnsOf(const Serving& serving);
/// Turns, reading and prefix, as far as the chosen arrivals know them; no users.
UserPlan sessionPlan(const Serving& serving);
/// Requests of whole sessions, of the so many that are asked for; at least one session.
std::uint64_t requestsOfSessions(const Serving& serving);
/// Of requests of the workload's lengths, the last turn the longest.
RequestLengths sessionLengths(const Serving& serving, const Workload& workload, double shortestPrompt);
/// Adds what prompts have in common, or a server looks up, without the other.
void checkPrefixes(const Serving& serving, std::vector<Diagnostic>& findings);
/// Adds that and what keeps sessions that come at their own times from being served, and what is not heeded.
void checkOpenSessions(const Serving& serving, std::vector<Diagnostic>& findings);

/// Puts the turns before it into the prompt of each request, in the order of sessions and turns.
class SessionHistory {
public:
    explicit SessionHistory(std::size_t turns) : m_turns(turns) {}
    bool begins() const { return m_turn == 0; } ///< the next request is the first of a session
    void add(Request& request);

private:
    std::size_t m_turns;
    std::size_t m_turn = 0;
    std::uint32_t m_history = 0;
};

} // namespace heteroscape::engine
