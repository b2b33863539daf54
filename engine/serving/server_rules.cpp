// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server_rules.h"

namespace heteroscape::engine {

namespace {

constexpr double kSame = 1e-12; ///< times that differ by less of themselves are one: rounding

double thinkOf(const ServerTraffic& traffic, const ServerSettings& settings) {
    return std::isnan(traffic.think) ? 0.5 * settings.request : traffic.think;
}

} // namespace

ServerRules::ServerRules(const ServerTraffic& traffic, const ServerSettings& settings, ServiceTimes& times)
    : ServerLoop(traffic, settings.order, thinkOf(traffic, settings)), m_settings(settings), m_times(times),
      m_rule(*settings.rule), m_budget(settings.budget * settings.ranks),
      m_sequences(settings.sequences * settings.ranks), m_capacity(settings.kvTokens * settings.ranks),
      m_evicts(settings.eviction != Eviction::Reserved && m_capacity < kEndless),
      m_stages(std::max(1.0, times.stages())), m_did(m_run.pools.emplace_back()),
      m_work(traffic.requests.size()) {
    for (std::uint32_t i = 0; i < m_work.size(); ++i) {
        m_work[i].target = sizeOf(i).prompt;
        m_work[i].done = cachedOf(i);
    }
}

ServedRun ServerRules::run(const SimulationOptions& options) {
    auto run = runAll(options);
    auto& did = run.pools.front();
    did.prefills = did.decodes = static_cast<double>(m_work.size() - run.refused);
    return run;
}

void ServerRules::begin() {
    look();
    m_stepsRun = 0.0;
    if (m_running == 0.0 && m_partial == kNone && !anyWaiting() && m_swapped.empty())
        return waitFor(allDone() ? kEndless : std::min(m_feed.nextReady(), nextEnd()));
    const bool evicted = m_evicts && evict();
    if (m_evicts && !m_ending.empty() && grown(1.0) > m_capacity)
        return waitFor(nextEnd()); // what is under way holds the rest
    if (!evicted) {
        comeBack();
        takePrompts();
    } else {
        m_pieces.clear();
        m_pieceOf.clear();
        m_holds = false;
    }
    if (!m_pieces.empty())
        promptStep();
    else if (m_running > 0.0)
        decodeRun();
    else
        waitFor(nextEnd()); // what is under way holds what the next need
}

/// What ended while a step ran, in its order; what decodes has its tokens. Who joins has none of them.
void ServerRules::end() {
    while (nextEnd() < m_now)
        endFirst();
    if (m_stepsRun > 0.0)
        countSteps(m_stepsRun);
    while (nextEnd() <= m_now)
        endFirst();
    for (const auto index : m_joining)
        join(index, m_work[index].target + 1.0, m_work[index].steps);
    m_joining.clear();
}

/// A prompt under way gives its token.
void ServerRules::endFirst() {
    const auto [time, index] = m_ending.front();
    m_ending.pop_front();
    endPrefill(index, time);
}

// ---- KV cache

double ServerRules::contextOf(std::uint32_t index) const {
    return m_work[index].base + static_cast<double>(m_steps);
}

double ServerRules::grown(double steps) const {
    double tokens = m_kv;
    for (const auto index : m_joined)
        tokens += blocks(contextOf(index) + (steps - 1.0));
    return tokens;
}

/// Of `most` decode steps those before the KV cache is full; at least 1.
double ServerRules::stepsThatFit(double most) const {
    const double n = m_running;
    const auto bound = [&](double steps) {
        return m_kv + m_contexts + n * ((steps - 1.0) + m_settings.block);
    };
    if (bound(most) <= m_capacity || grown(most) <= m_capacity)
        return most;
    double low = 1.0;
    double high = most; // does not fit
    while (high - low > 1.0) {
        const double middle = std::floor(0.5 * (low + high));
        (grown(middle) <= m_capacity ? low : high) = middle;
    }
    return low;
}

double ServerRules::setAside(std::uint32_t index) const {
    const auto& size = sizeOf(index);
    return m_evicts ? blocks(m_work[index].target) : m_settings.asked(size.prompt, size.output);
}

/// Makes room for the tokens of the next step. True: something was evicted.
bool ServerRules::evict() {
    bool any = false;
    while (grown(1.0) > m_capacity && (m_joined.size() > 1 || m_partial != kNone)) {
        evictOne();
        any = true;
    }
    return any;
}

void ServerRules::evictOne() {
    m_run.evictions += 1.0;
    if (m_partial != kNone) { // it was taken last
        auto& work = m_work[m_partial];
        m_run.recomputed += work.done;
        work.done = 0.0;
        m_kv -= work.held;
        m_again.push_front(m_partial);
        m_partial = kNone;
        return;
    }
    const auto index = m_joined.back();
    m_joined.pop_back();
    auto& work = m_work[index];
    const double context = contextOf(index);
    work.steps = static_cast<double>(m_finishes.remove(index) - m_steps);
    m_running -= 1.0;
    m_contexts -= context;
    if (m_settings.eviction == Eviction::Swap) {
        m_run.swapped += context;
        m_moving += context * m_settings.swapToken;
        work.target = context;
        m_swapped.push_back(index);
        return;
    }
    work.target = context;
    work.done = 0.0;
    m_run.recomputed += context;
    m_again.push_front(index);
}

/// What was swapped decodes again as soon as it fits.
void ServerRules::comeBack() {
    while (!m_swapped.empty() && m_running + ending() < m_sequences) {
        const auto index = m_swapped.front();
        const double context = m_work[index].target;
        const bool alone = m_running == 0.0 && m_partial == kNone && m_ending.empty();
        if (!alone && grown(1.0) + blocks(context) > m_capacity)
            return;
        m_swapped.pop_front();
        m_moving += context * m_settings.swapToken;
        join(index, context, m_work[index].steps);
    }
}

// ---- the queue

void ServerRules::look() {
    const double every = m_settings.look;
    if (every > 1.0 && m_sinceLook < every && !m_hadPrompts && m_running > 0.0)
        return;
    m_sinceLook = 0.0;
    m_hadPrompts = false;
    see(m_now * (1.0 + kSame));
}

bool ServerRules::holds(const RequestSize& size) const {
    return !m_evicts || blocks(static_cast<double>(size.prompt) + size.output) <= m_capacity;
}

/// Steps for which prompts are held back as things stand: until a step is fuller, or every rank has a prompt.
double ServerRules::holdSteps() const {
    if (!m_rule.holdsBack() || m_running == 0.0 || m_partial != kNone || !anyWaiting())
        return 0.0;
    double tokens = m_queue.tokens();
    for (const auto index : m_again)
        tokens += m_work[index].target;
    const auto waiting = static_cast<double>(m_queue.size() + m_again.size());
    return std::max(beside() + tokens < m_settings.waitShare * m_budget ? m_settings.waitSteps : 0.0,
                    waiting < m_settings.ranks ? m_settings.balance : 0.0);
}

void ServerRules::takePrompts() {
    m_pieces.clear();
    m_pieceOf.clear();
    m_holds = m_held < holdSteps();
    m_held = m_holds ? m_held + 1.0 : 0.0;
    if (m_holds)
        return;
    StepSoFar step{m_budget, m_sequences, beside(), m_rule.room(m_budget, beside()), 0.0};
    if (m_partial != kNone) {
        if (step.room <= 0.0)
            return;
        const auto index = m_partial;
        addPiece(step, index, std::min(m_work[index].target - m_work[index].done, step.room));
        if (m_partial != kNone)
            return; // it is cut again
    }
    if (!m_swapped.empty())
        return;
    // Where a batch is not bound to tokens, each of the steps under way has its share.
    const double most = step.room < kEndless ? kEndless : std::ceil(m_sequences / m_stages);
    while (m_partial == kNone && anyWaiting() && step.room > 0.0 && step.pieces < most &&
           m_running + ending() + step.pieces < m_sequences) {
        const bool again = !m_again.empty();
        if (!takeHead(step, again ? m_again.front() : m_queue.front()))
            return;
        if (again)
            m_again.pop_front();
        else
            m_queue.pop();
    }
}

bool ServerRules::takeHead(StepSoFar& step, std::uint32_t index) {
    const auto& work = m_work[index];
    const double aside = setAside(index);
    const bool alone = m_running == 0.0 && m_ending.empty() && step.pieces == 0.0;
    const double used = m_evicts ? grown(1.0) : m_kv;
    const double asked = m_evicts ? m_settings.asked(work.target, sizeOf(index).output - work.given) : aside;
    if (used + asked > m_capacity && !alone)
        return false;
    const double tokens = m_rule.take(work.target - work.done, step);
    if (!(tokens > 0.0))
        return false;
    m_kv += aside;
    m_work[index].held = aside;
    if (work.given == 0)
        m_run.requests[index].prefillStart = m_now;
    m_did.largestKv = std::max(m_did.largestKv, m_evicts ? grown(1.0) : m_kv);
    addPiece(step, index, tokens);
    return true;
}

void ServerRules::addPiece(StepSoFar& step, std::uint32_t index, double tokens) {
    auto& work = m_work[index];
    const bool ends = tokens >= work.target - work.done;
    m_pieces.push_back({work.done, tokens, ends});
    m_pieceOf.push_back(index);
    work.done += tokens;
    step.room -= tokens;
    step.pieces += 1.0;
    m_did.promptTokens += tokens;
    m_partial = ends ? kNone : index;
}

// ---- steps

void ServerRules::promptStep() {
    const bool decodes = m_rule.decodesBeside() && m_running > 0.0;
    const double sequences = decodes ? beside() : 0.0;
    const double context = decodes ? m_contexts / m_running : 0.0;
    auto seconds = m_times.pieces(m_pieces, {sequences, sequences > 0.0 ? context - 1.0 : 0.0});
    seconds.whole += m_moving;
    seconds.stage += m_moving;
    const auto step = m_pipeline.start(m_now, seconds, m_stages);
    m_moving = 0.0;
    for (std::size_t i = 0; i < m_pieces.size(); ++i)
        if (m_pieces[i].ends)
            m_ending.push_back({step.end, m_pieceOf[i]});
    m_turn = decodes ? m_turn + 1.0 : 0.0;
    m_did.prefillSeconds += step.next;
    m_hadPrompts = true;
    const bool all = m_turn >= m_stages;
    if (all) {
        m_turn = 0.0;
        if (m_evicts)
            m_did.largestKv = std::max(m_did.largestKv, grown(1.0));
    }
    runFor(step.next, all ? 1.0 : 0.0);
}

double ServerRules::secondsOf(double steps) const {
    return steps * m_times.decodeStep(m_running, m_contexts / m_running + 0.5 * (steps - 1.0));
}

/// The fewest steps that take so long; `most` where those do not.
double ServerRules::stepsTo(double seconds, double most) const {
    double high = std::min(most, std::max(1.0, std::ceil(seconds / secondsOf(1.0))));
    double low = 0.0; // does not reach it
    if (high > 1.0 && secondsOf(high - 1.0) < seconds)
        return high;
    while (high - low > 1.0) {
        const double middle = std::floor(0.5 * (low + high));
        (secondsOf(middle) < seconds ? low : high) = middle;
    }
    return high;
}

void ServerRules::decodeRun() {
    double steps = static_cast<double>(m_finishes.first().when - m_steps);
    if (m_holds || m_moving > 0.0)
        steps = 1.0;
    if (m_settings.look > 1.0)
        steps = std::min(steps, std::max(1.0, m_settings.look - m_sinceLook));
    else if (const double ready = m_feed.nextReady(); steps > 1.0 && ready < kEndless)
        steps = stepsTo(ready * (1.0 - kSame) - m_now, steps);
    if (!m_ending.empty() && steps > 1.0)
        steps = stepsTo(nextEnd() * (1.0 - kSame) - m_now, steps);
    if (m_evicts) {
        steps = stepsThatFit(steps);
        m_did.largestKv = std::max(m_did.largestKv, grown(steps));
    }
    if (const double holds = holdSteps(); steps > 1.0 && holds > 0.0)
        m_held = std::fmod(steps - 1.0, holds + 1.0); // the first was not held, and let nothing in
    const double seconds = secondsOf(steps) + m_moving;
    m_moving = 0.0;
    m_did.decodeSeconds += seconds;
    m_sinceLook += steps;
    runFor(seconds, steps);
}

void ServerRules::countSteps(double steps) {
    m_steps += static_cast<std::int64_t>(steps);
    m_contexts += steps * m_running;
    m_did.outputTokens += steps * m_running;
    while (!m_finishes.empty() && m_finishes.first().when <= m_steps) {
        const auto index = m_finishes.take().id;
        m_running -= 1.0;
        m_contexts -= contextOf(index);
        if (m_evicts)
            m_joined.erase(std::find(m_joined.begin(), m_joined.end(), index));
        finish(index, m_now);
    }
    if (m_running == 0.0)
        m_contexts = 0.0; // no rounding is carried on
}

/// Gives a token: the first, or after an eviction the next.
void ServerRules::endPrefill(std::uint32_t index, double time) {
    auto& work = m_work[index];
    auto& served = m_run.requests[index];
    if (m_evicts)
        m_kv -= work.held;
    if (work.given == 0) {
        served.overhead = m_settings.request + m_settings.token * served.request.prompt;
        served.firstToken = time + served.overhead;
        work.steps = served.request.output - 1.0;
        work.given = 1;
    } else {
        work.steps -= 1.0;
        m_did.outputTokens += 1.0;
    }
    if (work.steps <= 0.0)
        finish(index, time);
    else
        m_joining.push_back(index);
}

void ServerRules::join(std::uint32_t index, double context, double steps) {
    m_work[index].base = context - static_cast<double>(m_steps);
    m_finishes.add(m_steps + static_cast<std::int64_t>(steps), index);
    m_running += 1.0;
    m_contexts += context;
    if (m_evicts)
        m_joined.push_back(index);
}

void ServerRules::finish(std::uint32_t index, double time) {
    if (!m_evicts)
        m_kv -= m_work[index].held;
    answer(index, time);
}

} // namespace heteroscape::engine
