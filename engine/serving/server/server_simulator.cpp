// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server/server_simulator.h"

namespace heteroscape::engine {

namespace {

constexpr std::uint64_t kEventsBetweenStops = 4096;
constexpr double kSame = 1e-12; ///< times that differ by less of themselves are one: rounding

double thinkOf(const ServerTraffic& traffic, const ServerSettings& settings) {
    return std::isnan(traffic.think) ? 0.5 * settings.request : traffic.think;
}

} // namespace

ServerSimulator::ServerSimulator(const ServerTraffic& traffic, const ServerSettings& settings,
                                 const StepModel& model)
    : m_traffic(traffic), m_settings(settings), m_model(model), m_rule(*settings.rule),
      m_budget(settings.budget * settings.ranks), m_sequences(settings.sequences * settings.ranks),
      m_capacity(settings.kvTokens * settings.ranks),
      m_evicts(settings.eviction != Eviction::Reserved && m_capacity < kUnlimited),
      m_perStep(std::max(1.0, settings.tokensPerStep)), m_stages(std::max(1.0, model.stages())),
      m_feed(traffic, thinkOf(traffic, settings)), m_queue(settings.order), m_work(traffic.requests.size()) {
    m_run.answers.resize(traffic.requests.size());
    m_run.firstWave = m_feed.firstWave();
}

ServedRun ServerSimulator::run(const std::stop_token& stop) {
    const auto all = m_traffic.requests.size();
    for (std::uint64_t events = 1; m_answered < all; ++events) {
        if (events % kEventsBetweenStops == 0 && stop.stop_requested()) {
            m_run.cancelled = true;
            break;
        }
        look();
        if (m_running == 0.0 && m_partial == kNone && !anyWaiting() && m_swapped.empty()) {
            if (m_answered < all)
                waitFor(std::min(m_feed.nextReady(), nextEnd()));
            continue;
        }
        const bool evicted = m_evicts && evict();
        if (m_evicts && !m_ending.empty() && grown(1.0) > m_capacity) {
            waitFor(nextEnd()); // what is under way holds the rest
            continue;
        }
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
    return std::move(m_run);
}

void ServerSimulator::waitFor(double time) {
    m_run.systemSeconds += m_inSystem * (time - m_now);
    m_now = time;
    endStep(0.0);
}

void ServerSimulator::advance(double seconds) {
    m_run.systemSeconds += m_inSystem * seconds;
    m_now += seconds;
}

/// What ended while a step ran, in its order; what decodes has so many tokens. Who joins has none of them.
void ServerSimulator::endStep(double steps) {
    while (nextEnd() < m_now)
        endFirst();
    if (steps > 0.0)
        countSteps(steps);
    while (nextEnd() <= m_now)
        endFirst();
    for (const auto index : m_joining)
        join(index, m_work[index].target + 1.0, m_work[index].steps);
    m_joining.clear();
}

/// A prompt under way gives its token.
void ServerSimulator::endFirst() {
    const auto [time, index] = m_ending.front();
    m_ending.pop_front();
    endPrefill(index, time);
}

// ---- KV cache

double ServerSimulator::blocks(double tokens) const {
    const double block = m_settings.block;
    return block <= 1.0 ? tokens : std::ceil(tokens / block) * block;
}

double ServerSimulator::contextOf(std::uint32_t index) const {
    return m_work[index].base + m_perStep * static_cast<double>(m_steps);
}

double ServerSimulator::grown(double steps) const {
    double tokens = m_kv;
    for (const auto index : m_joined)
        tokens += blocks(contextOf(index) + m_perStep * (steps - 1.0));
    return tokens;
}

/// Of `most` decode steps those before the KV cache is full; at least 1.
double ServerSimulator::stepsThatFit(double most) const {
    const double n = m_running;
    const auto bound = [&](double steps) {
        return m_kv + m_contexts + n * (m_perStep * (steps - 1.0) + m_settings.block);
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

double ServerSimulator::setAside(std::uint32_t index) const {
    const auto& size = request(index).size;
    return m_evicts ? blocks(m_work[index].target)
                    : static_cast<double>(size.prompt) + m_settings.reserve * size.output;
}

/// Makes room for the tokens of the next step. True: something was evicted.
bool ServerSimulator::evict() {
    bool any = false;
    while (grown(1.0) > m_capacity && (m_joined.size() > 1 || m_partial != kNone)) {
        evictOne();
        any = true;
    }
    return any;
}

void ServerSimulator::evictOne() {
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
    const auto at = std::find_if(m_finishes.begin(), m_finishes.end(),
                                 [&](const Finish& finish) { return finish.index == index; });
    work.steps = static_cast<double>(at->step - m_steps);
    m_finishes.erase(at);
    std::make_heap(m_finishes.begin(), m_finishes.end(), std::greater<>());
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
void ServerSimulator::comeBack() {
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

void ServerSimulator::look() {
    const double every = m_settings.look;
    if (every > 1.0 && m_sinceLook < every && !m_hadPrompts && m_running > 0.0)
        return;
    m_sinceLook = 0.0;
    m_hadPrompts = false;
    while (m_feed.nextReady() <= m_now * (1.0 + kSame))
        see(m_feed.take());
}

void ServerSimulator::see(const RequestFeed::Sent& sent) {
    const auto& [size, cached, priority] = request(sent.index);
    auto& answer = m_run.answers[sent.index];
    auto& work = m_work[sent.index];
    answer.arrival = sent.arrival;
    if (m_evicts && blocks(static_cast<double>(size.prompt) + size.output) > m_capacity) {
        m_run.refused += 1.0;
        answer.firstToken = answer.lastToken = m_now;
        ++m_answered;
        m_feed.answered(sent.index, m_now);
        return;
    }
    m_run.systemSeconds += m_now - sent.arrival;
    m_inSystem += 1.0;
    answer.prompt = size.prompt;
    answer.output = size.output;
    work.target = size.prompt;
    work.done = std::clamp(cached, 0.0, size.prompt - 1.0);
    m_queue.push(sent.index, work.target - work.done, priority);
}

/// Steps for which prompts are held back as things stand: until a step is fuller, or every rank has a prompt.
double ServerSimulator::holdSteps() const {
    if (!m_rule.holdsBack() || m_running == 0.0 || m_partial != kNone || !anyWaiting())
        return 0.0;
    double tokens = m_queue.tokens();
    for (const auto index : m_again)
        tokens += m_work[index].target;
    const auto waiting = static_cast<double>(m_queue.size() + m_again.size());
    return std::max(beside() + tokens < m_settings.waitShare * m_budget ? m_settings.waitSteps : 0.0,
                    waiting < m_settings.ranks ? m_settings.balance : 0.0);
}

void ServerSimulator::takePrompts() {
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
    const double most = step.room < kUnlimited ? kUnlimited : std::ceil(m_sequences / m_stages);
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

bool ServerSimulator::takeHead(StepSoFar& step, std::uint32_t index) {
    const auto& work = m_work[index];
    const double aside = setAside(index);
    const bool alone = m_running == 0.0 && m_ending.empty() && step.pieces == 0.0;
    const double used = m_evicts ? grown(1.0) : m_kv;
    const double asked =
        m_evicts ? blocks(work.target + m_settings.reserve * (request(index).size.output - work.given))
                 : aside;
    if (used + asked > m_capacity && !alone)
        return false;
    const double tokens = m_rule.take(work.target - work.done, step);
    if (!(tokens > 0.0))
        return false;
    m_kv += aside;
    m_work[index].held = aside;
    if (work.given == 0)
        m_run.answers[index].taken = m_now;
    m_run.largestKv = std::max(m_run.largestKv, m_evicts ? grown(1.0) : m_kv);
    addPiece(step, index, tokens);
    return true;
}

void ServerSimulator::addPiece(StepSoFar& step, std::uint32_t index, double tokens) {
    auto& work = m_work[index];
    const bool ends = tokens >= work.target - work.done;
    m_pieces.push_back({work.done, tokens, ends});
    m_pieceOf.push_back(index);
    work.done += tokens;
    step.room -= tokens;
    step.pieces += 1.0;
    m_run.prefilled += tokens;
    m_partial = ends ? kNone : index;
}

// ---- steps

void ServerSimulator::promptStep() {
    const bool decodes = m_rule.decodesBeside() && m_running > 0.0;
    const double sequences = decodes ? beside() : 0.0;
    const double context = decodes ? m_contexts / m_running : 0.0;
    double seconds = m_model.mixed(sequences, context, m_pieces) + m_moving;
    double end = m_now + seconds;
    if (m_stages > 1.0) {
        seconds = m_model.stage(sequences, context, m_pieces) + m_moving;
        if (!m_ends.empty())
            end = std::max(end, m_ends.back() + seconds);
        m_ends.push_back(end);
        if (static_cast<double>(m_ends.size()) >= m_stages) {
            seconds = std::max(seconds, m_ends.front() - m_now);
            m_ends.pop_front();
        }
    }
    m_moving = 0.0;
    for (std::size_t i = 0; i < m_pieces.size(); ++i)
        if (m_pieces[i].ends)
            m_ending.push_back({end, m_pieceOf[i]});
    m_turn = decodes ? m_turn + 1.0 : 0.0;
    advance(seconds);
    m_run.steps += 1.0;
    m_run.prefillSeconds += seconds;
    m_hadPrompts = true;
    const bool all = m_turn >= m_stages;
    if (all) {
        m_turn = 0.0;
        if (m_evicts)
            m_run.largestKv = std::max(m_run.largestKv, grown(1.0));
    }
    endStep(all ? 1.0 : 0.0);
}

double ServerSimulator::secondsOf(double steps) const {
    return steps * m_model.decode(m_running, m_contexts / m_running + 0.5 * m_perStep * (steps - 1.0));
}

/// The fewest steps that take so long; `most` where those do not.
double ServerSimulator::stepsTo(double seconds, double most) const {
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

void ServerSimulator::decodeRun() {
    double steps = static_cast<double>(m_finishes.front().step - m_steps);
    if (m_holds || m_moving > 0.0)
        steps = 1.0;
    if (m_settings.look > 1.0)
        steps = std::min(steps, std::max(1.0, m_settings.look - m_sinceLook));
    else if (const double ready = m_feed.nextReady(); steps > 1.0 && ready < kUnlimited)
        steps = stepsTo(ready * (1.0 - kSame) - m_now, steps);
    if (!m_ending.empty() && steps > 1.0)
        steps = stepsTo(nextEnd() * (1.0 - kSame) - m_now, steps);
    if (m_evicts) {
        steps = stepsThatFit(steps);
        m_run.largestKv = std::max(m_run.largestKv, grown(steps));
    }
    if (const double holds = holdSteps(); steps > 1.0 && holds > 0.0)
        m_held = std::fmod(steps - 1.0, holds + 1.0); // the first was not held, and let nothing in
    const double seconds = secondsOf(steps) + m_moving;
    m_moving = 0.0;
    advance(seconds);
    m_run.steps += steps;
    m_run.decodeSeconds += seconds;
    m_sinceLook += steps;
    endStep(steps);
}

void ServerSimulator::countSteps(double steps) {
    m_steps += static_cast<std::uint64_t>(steps);
    m_contexts += m_perStep * steps * m_running;
    m_run.decoded += steps * m_running;
    while (!m_finishes.empty() && m_finishes.front().step <= m_steps) {
        const auto index = m_finishes.front().index;
        std::pop_heap(m_finishes.begin(), m_finishes.end(), std::greater<>());
        m_finishes.pop_back();
        m_running -= 1.0;
        m_contexts -= contextOf(index);
        if (m_evicts)
            m_joined.erase(std::find(m_joined.begin(), m_joined.end(), index));
        finish(index, m_now);
    }
    if (m_running == 0.0)
        m_contexts = 0.0; // no rounding is carried on
}

double ServerSimulator::stepsToAnswer(std::uint32_t output) const {
    if (output <= 1)
        return 0.0;
    return m_perStep > 1.0 ? std::max(1.0, std::round((output - 1.0) / m_perStep)) : output - 1.0;
}

/// Gives a token: the first, or after an eviction the next.
void ServerSimulator::endPrefill(std::uint32_t index, double time) {
    auto& work = m_work[index];
    auto& answer = m_run.answers[index];
    if (m_evicts)
        m_kv -= work.held;
    if (work.given == 0) {
        answer.overhead = m_settings.request + m_settings.token * answer.prompt;
        answer.firstToken = time + answer.overhead;
        work.steps = stepsToAnswer(answer.output);
        work.given = 1;
    } else {
        work.steps -= 1.0;
        m_run.decoded += 1.0;
    }
    if (work.steps <= 0.0)
        finish(index, time);
    else
        m_joining.push_back(index);
}

void ServerSimulator::join(std::uint32_t index, double context, double steps) {
    m_work[index].base = context - m_perStep * static_cast<double>(m_steps);
    m_finishes.push_back({m_steps + static_cast<std::uint64_t>(steps), index});
    std::push_heap(m_finishes.begin(), m_finishes.end(), std::greater<>());
    m_running += 1.0;
    m_contexts += context;
    if (m_evicts)
        m_joined.push_back(index);
}

void ServerSimulator::finish(std::uint32_t index, double time) {
    auto& answer = m_run.answers[index];
    answer.lastToken = time + answer.overhead;
    m_run.end = std::max(m_run.end, time + m_settings.request);
    if (!m_evicts)
        m_kv -= m_work[index].held;
    m_run.systemSeconds -= m_now - time;
    m_inSystem -= 1.0;
    ++m_answered;
    m_feed.answered(index, time);
}

ServedRun serveTraffic(const ServerTraffic& traffic, const ServerSettings& settings, const StepModel& model,
                       std::stop_token stop) {
    return ServerSimulator(traffic, settings, model).run(stop);
}

ServedRun serveClosedLoop(const ClosedLoop& loop, const ServerSettings& settings, const StepModel& model,
                          std::stop_token stop) {
    ServerTraffic traffic;
    traffic.requests.reserve(loop.requests.size());
    for (const auto& size : loop.requests)
        traffic.requests.push_back({size});
    traffic.users = loop.users;
    traffic.frontRequest = loop.frontRequest;
    traffic.frontToken = loop.frontToken;
    traffic.think = loop.think;
    return serveTraffic(traffic, settings, model, std::move(stop));
}

} // namespace heteroscape::engine
