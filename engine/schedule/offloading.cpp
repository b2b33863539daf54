// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/offloading.h"

#include "engine/techniques/near_storage.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace heteroscape::engine {

namespace {

/// The longest chain of a decode layer at the mean context, as a function of the shares. Every chain is
/// affine in them, so three points of the flows give it whole.
class NearStorageSplit {
public:
    explicit NearStorageSplit(const OffloadInput& input)
        : m_hostKv(input.scenario.techniques[hostKv()]), m_xCache(input.scenario.techniques[xCache()]),
          m_plan(input.plan) {
        const auto& workload = input.scenario.workload;
        const double context = workload.promptTokens.value + 0.5 * (workload.outputTokens.value + 1.0);
        const auto none = decodeFlows(input, {0.0, 1.0, 0.0});
        const auto onlyX = decodeFlows(input, {0.0, 0.0, 1.0});
        const auto onlyHost = decodeFlows(input, {1.0, 0.0, 0.0});
        for (std::size_t i = 0; i < none.chains().size(); ++i) {
            const double start = none.chains()[i].seconds().at(context);
            m_terms[m_size++] = {start, onlyX.chains()[i].seconds().at(context) - start,
                                 onlyHost.chains()[i].seconds().at(context) - start};
        }
        const auto end = m_terms.begin() + static_cast<std::ptrdiff_t>(m_size);
        m_growing = static_cast<std::size_t>(
            std::partition(m_terms.begin(), end, [](const Term& term) { return term.perX > 0.0; }) -
            m_terms.begin());
    }

    KvShares choose() const {
        if (!m_hostKv.enabled)
            return off();
        if (const auto& share = m_hostKv.quantity(kHostShare); share.isSet())
            return with(std::min<double>(share.value, mostHost()));
        return with(bestHost(mostHost()));
    }

    KvChoices choices() {
        KvChoices choices;
        const auto usual = choose();
        choices.add(usual);
        const bool choosesX = m_xCache.enabled && !m_xCache.quantity(kXShare).isSet();
        const bool choosesHost = m_hostKv.enabled && !m_hostKv.quantity(kHostShare).isSet();
        if (choosesHost)
            choices.add(off());
        if (!m_hostKv.enabled && fitsHost())
            return choices; // nothing is left to choose
        for (const auto rule : {XRule::Usual, XRule::None, XRule::Most}) {
            if (rule != XRule::Usual && !choosesX)
                continue;
            m_rule = rule;
            if (choosesHost) {
                choices.add(rule == XRule::Usual ? usual : with(bestHost(mostHost())));
                choices.add(with(mostHost()));
                choices.add(with(0.0));
            } else if (choosesX) {
                choices.add(choose());
            }
        }
        m_rule = XRule::Usual;
        return choices;
    }

private:
    /// How much X cache there is where its share is not given.
    enum class XRule { Usual, None, Most };

    XRule m_rule = XRule::Usual;

    bool fitsHost() const { return m_plan.kv <= m_plan.usable; }
    double mostHost() const { return std::min(1.0, m_plan.usable / m_plan.kv); }
    /// Without a share for the host: all of it there where it fits and the CPU is no slower, else none.
    KvShares off() const {
        return fitsHost() && seconds(1.0) <= seconds(0.0) * (1.0 + 1e-12) ? KvShares{1.0, 0.0, 0.0}
                                                                          : with(0.0);
    }

    /// Seconds of one chain: constant + x perX + host perHost.
    struct Term {
        double constant;
        double perX;
        double perHost;
        double at(double host, double x) const { return constant + host * perHost + x * perX; }
    };

    const TechniqueSettings& m_hostKv;
    const TechniqueSettings& m_xCache;
    const MemoryPlan& m_plan;
    std::array<Term, LayerFlows::kCapacity> m_terms{};
    std::size_t m_size = 0;
    std::size_t m_growing = 0; ///< terms that grow with x; they come first

    std::span<const Term> terms() const { return {m_terms.data(), m_size}; }

    KvShares with(double host) const {
        const double x = xShare(host);
        return {host, 1.0 - host - x, x};
    }

    double xShare(double host) const {
        if (!m_xCache.enabled || m_plan.xToken >= m_plan.kvToken)
            return 0.0;
        if (m_rule == XRule::None)
            return 0.0;
        const double room = std::max(0.0, (m_plan.usable - host * m_plan.kv) / m_plan.x);
        const double most = std::max(0.0, std::min(1.0 - host, room));
        if (const auto& share = m_xCache.quantity(kXShare); share.isSet())
            return std::min<double>(most, share.value);
        return m_rule == XRule::Most ? most : std::min(most, balance(host));
    }

    /// The largest x at which no term that grows with x exceeds all the others.
    double balance(double host) const {
        double least = 1.0;
        for (const auto& growing : terms().first(m_growing)) {
            const double from = growing.at(host, 0.0);
            double most = 0.0;
            for (const auto& other : terms().subspan(m_growing))
                most = std::max(most, (other.at(host, 0.0) - from) / (growing.perX - other.perX));
            least = std::min(least, most);
        }
        return least;
    }

    double seconds(double host) const {
        const double x = xShare(host);
        double most = 0.0;
        for (const auto& term : terms())
            most = std::max(most, term.at(host, x));
        return most;
    }

    /// The minimum of a convex function, then the end of its flat part.
    double bestHost(double most) const {
        constexpr int kSteps = 60;
        constexpr double kGolden = 0.6180339887498949;
        double low = 0.0;
        double high = most;
        double a = high - kGolden * (high - low);
        double b = low + kGolden * (high - low);
        double atA = seconds(a);
        double atB = seconds(b);
        for (int i = 0; i < kSteps; ++i) {
            if (atA < atB) {
                high = b;
                b = a;
                atB = atA;
                atA = seconds(a = high - kGolden * (high - low));
            } else {
                low = a;
                a = b;
                atA = atB;
                atB = seconds(b = low + kGolden * (high - low));
            }
        }
        double best = low;
        for (const double end : {0.0, most, high})
            if (seconds(end) < seconds(best))
                best = end;
        const double limit = seconds(best) * (1.0 + 1e-12);
        if (seconds(most) <= limit)
            return most;
        double above = most;
        for (int i = 0; i < kSteps; ++i) {
            const double middle = 0.5 * (best + above);
            (seconds(middle) <= limit ? best : above) = middle;
        }
        return best < 1e-9 ? 0.0 : best; // what is left of the search
    }
};

} // namespace

void KvChoices::add(const KvShares& kv) {
    const bool known = std::any_of(all().begin(), all().end(),
                                   [&](const KvShares& one) { return one.host == kv.host && one.x == kv.x; });
    if (known)
        return;
    assert(m_size < kCapacity);
    m_choices[m_size++] = kv;
}

KvChoices kvChoices(const OffloadInput& input) {
    if (!input.machine.runtime->offload.rules().kvOnDevice && input.near)
        return NearStorageSplit(input).choices();
    KvChoices choices;
    choices.add(splitKv(input));
    return choices;
}

KvShares splitKv(const OffloadInput& input) {
    if (input.machine.runtime->offload.rules().kvOnDevice)
        return {};
    if (input.near)
        return NearStorageSplit(input).choose();
    const double host = std::min(1.0, input.plan.usable / input.plan.kv);
    return {host, 1.0 - host, 0.0};
}

namespace {

/// What a split of the KV cache decides.
void place(Offloading& out, const OffloadInput& input, const KvShares& kv) {
    out.kv = kv;
    const double stored = kv.storage * out.plan.kv;
    const auto& all = out.tiers.storage;
    const auto& tier = out.near ? out.tiers.near : all;
    if (!out.plan.shortfall) {
        if (stored > tier.capacity)
            out.plan.shortfall = {Tier::Storage, stored, tier.capacity, "KV cache"};
        else if (stored + out.plan.weightsStorage > all.capacity)
            out.plan.shortfall = {Tier::Storage, stored + out.plan.weightsStorage, all.capacity,
                                  "weights and KV cache"};
    }
    out.prefill = prefillFlows(input, kv);
    out.decode = decodeFlows(input, kv);
}

} // namespace

Offloading offloadingOf(const Scenario& scenario, std::size_t index, const Machine& machine,
                        double activeReplicas, TierMap& map,
                        const std::function<double(const Offloading&)>& batchSeconds) {
    const auto& node = scenario.nodes[index];
    Offloading begun;
    begun.activeReplicas = activeReplicas;
    begun.tiers = map.at(scenario, index, activeReplicas);
    begun.near = runsNearStorage(scenario, node, begun.tiers);
    const double devices = tensorParallel(node);
    begun.plan = planMemory(scenario.model, scenario.workload, machine, node.device, devices, begun.tiers);
    const OffloadInput input{scenario,           machine, begun.plan, begun.tiers,
                             map.storageNodes(), devices, begun.near};
    const auto choices = kvChoices(input);
    auto best = begun;
    place(best, input, choices.all().front());
    if (choices.all().size() == 1 || begun.plan.shortfall)
        return best;
    constexpr double kRounding = 1e-12;
    const auto secondsOf = [&](const Offloading& one) {
        return one.plan.shortfall ? std::numeric_limits<double>::infinity() : batchSeconds(one);
    };
    double least = secondsOf(best);
    for (const auto& kv : choices.all().subspan(1)) {
        auto other = begun;
        place(other, input, kv);
        if (const double seconds = secondsOf(other); seconds < least * (1.0 - kRounding)) {
            least = seconds;
            best = other;
        }
    }
    return best;
}

} // namespace heteroscape::engine
