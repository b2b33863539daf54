// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/power.h"

#include "engine/timing/machine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kPowerSource = "presets/power/constants.json";
constexpr double kPico = 1e-12;
constexpr Measure kPerByte{"pJ/B", kPico}, kPerFlop{"pJ/FLOP", kPico};
constexpr auto kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What a device draws for what it does: W, J/B, J/FLOP.
template <class V>
struct FiguresOf {
    V idle{}, busy{}, memory{}, flop16{}, flop8{}, flop4{}, unpack{}, slow{}, link{}, l2{}, hop{};
};

/// The constants of its class, or what the rule makes of its limit and 16-bit peak, or nothing.
PowerConstants::Figures powerConstantsOf(const Device& device) {
    const auto& all = shippedPower();
    if (!powerFollowsLimit(device)) {
        PowerConstants::Figures none{};
        none.flop8 = all.other.flop8Of16 * device.powerFlop16.valueOr(0.0);
        none.flop4 = all.other.flop4Of16 * device.powerFlop16.valueOr(0.0);
        return none;
    }
    const double limit = device.powerLimit.value;
    if (const auto* known = all.findClass(device.kernels)) {
        auto own = known->figures;
        own.busy *= std::min(1.0, limit / own.limit);
        return own;
    }
    const auto& rule = all.other;
    const double flop16 = rule.flop16 * limit / devicePeak(device, &Device::peakFp16);
    return {limit,
            rule.busyOfLimit * limit,
            flop16,
            rule.flop8Of16 * flop16,
            rule.flop4Of16 * flop16,
            rule.unpackOfMemory * device.powerMemory.valueOr(all.memory),
            0.0,
            rule.down,
            rule.up};
}

template <class V>
V idleOf(const Device& device) {
    using N = Numbers<V>;
    if (device.powerIdle.isSet() || !powerFollowsLimit(device))
        return N::quantity(deviceFields, device, &Device::powerIdle);
    return N::named(
        N::leaf("Idle, of a power limit", shippedPower().idleOfLimit, measures::count, kPowerSource) *
            N::quantity(deviceFields, device, &Device::powerLimit),
        "Idle power", measures::watts);
}

template <class V>
FiguresOf<V> powerFiguresOf(const Device& device, const PowerConstants::Figures& of,
                            const PhaseRates& rates) {
    using N = Numbers<V>;
    const bool rule = powerFollowsLimit(device);
    const auto figure = [&](Quantity Device::*own, std::string_view name, double known, Measure measure,
                            std::string_view source = {}) {
        return (device.*own).isSet() ? N::quantity(deviceFields, device, own)
                                     : N::leaf(name, known, measure,
                                               !source.empty() ? source
                                               : rule          ? kPowerSource
                                                               : "the device does not state it");
    };
    return {idleOf<V>(device),
            figure(&Device::powerBusy, "Clocks and issue", of.busy, measures::watts),
            figure(&Device::powerMemory, "A byte of memory", rule ? shippedPower().memory : 0.0, kPerByte),
            figure(&Device::powerFlop16, "A FLOP, 16 bits", of.flop16, kPerFlop),
            figure(&Device::powerFlop8, "A FLOP, 8 bits", of.flop8, kPerFlop),
            figure(&Device::powerFlop4, "A FLOP, 4 bits", of.flop4, kPerFlop),
            figure(&Device::powerUnpack, "A byte that is unpacked", of.unpack, kPerByte),
            N::leaf("A byte of a slow kernel", of.slow, kPerByte, kPowerSource),
            figure(&Device::powerLink, "A byte sent", rates.linkEnergy, kPerByte, "energy_pj of the links"),
            figure(&Device::powerL2, "A byte of L2", 0.0, kPerByte),
            figure(&Device::powerHop, "A hop", 0.0, {"nJ", 1e-9})};
}

double kernelShare(const PhaseRates& rates) {
    return std::min(1.0, shippedPower().slack * rates.kernels);
}

/// The terms of x, without what is stated.
template <class V>
std::array<V, kPowerTerms> demandOf(const FiguresOf<V>& figures, const PhaseRates& rates) {
    using N = Numbers<V>;
    const auto draws = [](const V& each, std::string_view name, double rate, Measure measure) {
        return rate == 0.0
                   ? V{}
                   : N::named(each * N::counted(name, rate, measure, "what a step does, over its time"), name,
                              measures::watts);
    };
    constexpr Measure byteRate{"TB/s", 1e12};
    V products = draws(figures.flop16, "FLOPs of 16 bits", rates.flops16, measures::flopRate);
    products = products + draws(figures.flop8, "FLOPs of 8 bits", rates.flops8, measures::flopRate);
    products = products + draws(figures.flop4, "FLOPs of 4 bits", rates.flops4, measures::flopRate);
    V unpacking = draws(figures.unpack, "Weights unpacked", rates.unpacked, byteRate);
    unpacking = unpacking + draws(figures.slow, "Weights of slow kernels", rates.slow, byteRate);
    V memory = draws(figures.memory, "Bytes of memory", rates.memory, byteRate);
    memory = memory + draws(figures.l2, "Bytes of L2", rates.l2, byteRate);
    V links = draws(figures.link, "Bytes sent", rates.sent, byteRate);
    links = links + draws(figures.hop, "Collectives and sends", rates.hops, {"1/s", 1.0});
    return {figures.idle,
            draws(figures.busy, "Share of time that kernels run", kernelShare(rates), measures::percent),
            memory,
            products,
            unpacking,
            links,
            V{}};
}

/// x, smoothly kept under c.
double knee(double x, double c) {
    const double low = std::min(x, c), high = std::max(x, c), p = shippedPower().knee;
    return low * std::pow(1.0 + std::pow(low / high, p), -1.0 / p);
}

double capOf(const Device& device) {
    const double limit = device.powerLimit.value;
    return std::min(device.powerCap.valueOr(limit), limit);
}

/// Clock, time and power under cap and clock, of what draws `power.total` at the stock ones.
void slowDown(const Device& device, const PhaseRates& rates, double slow, double idle, PhasePower& power) {
    const auto& all = shippedPower();
    const double most = all.margin * capOf(device), phi = rates.clocked;
    const double stock = device.powerClock.valueOr(1.0), floor = std::min(all.clockFloor, stock);
    slow = std::min(slow, power.total - idle);
    const double dynamic = power.total - idle - slow;
    const auto stretch = [phi](double f) { return phi / f + 1.0 - phi; };
    const auto watts = [&](double f) {
        return idle + (slow + dynamic * std::pow(f, all.clockExponent - 1.0)) / stretch(f);
    };
    double f = stock;
    if (capOf(device) < device.powerLimit.value && watts(f) > most) {
        double low = floor, high = stock;
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            (watts(middle) <= most ? low : high) = middle;
        }
        f = low;
    }
    power.clock = f;
    power.stretch = stretch(f);
    const double drawn = watts(f);
    if (capOf(device) < device.powerLimit.value && drawn > most && most > idle) { // work and wait in turn
        power.stretch *= (drawn - idle) / (most - idle);
        power.total = most;
    } else {
        power.total = drawn;
    }
}

bool isStated(const Device& device, Phase phase) {
    const auto& own = phase == Phase::Prefill ? device.powerPrefill : device.powerDecode;
    return own.isSet() || !hasPowerModel(device);
}

} // namespace

void PhaseRates::add(double shareOfA, const PhaseRates& a, double shareOfB, const PhaseRates& b) {
    const auto both = [&](double ofA, double ofB) { return shareOfA * ofA + shareOfB * ofB; };
    memory = both(a.memory, b.memory);
    flops16 = both(a.flops16, b.flops16);
    flops8 = both(a.flops8, b.flops8);
    flops4 = both(a.flops4, b.flops4);
    unpacked = both(a.unpacked, b.unpacked);
    slow = both(a.slow, b.slow);
    l2 = both(a.l2, b.l2);
    hops = both(a.hops, b.hops);
    const double joules = both(a.sent * a.linkEnergy, b.sent * b.linkEnergy);
    sent = both(a.sent, b.sent);
    linkEnergy = sent > 0.0 ? joules / sent : 0.0;
}

PowerConstants::Figures powerFigures(const Device& device) {
    auto own = powerConstantsOf(device);
    own.busy = device.powerBusy.valueOr(own.busy);
    own.flop16 = device.powerFlop16.valueOr(own.flop16);
    own.flop8 = device.powerFlop8.valueOr(own.flop8);
    own.flop4 = device.powerFlop4.valueOr(own.flop4);
    own.unpack = device.powerUnpack.valueOr(own.unpack);
    if (device.powerBand.isSet())
        own.down = own.up = std::log1p(device.powerBand.value);
    return own;
}

bool isSlowed(const Device& device) {
    return device.powerClock.valueOr(1.0) < 1.0 || capOf(device) < device.powerLimit.value;
}

std::string_view powerTermLabel(PowerTerm term) {
    constexpr std::array<std::string_view, kPowerTerms> labels{
        "Idle", "Clocks and issue", "Memory", "Products", "Unpacking", "Links", "As stated"};
    return labels[static_cast<std::size_t>(term)];
}

std::string_view powerLacks(const Device& device) {
    if (!powerFollowsLimit(device))
        return hasPowerModel(device) && !device.powerIdle.isSet() ? "power_idle_w" : std::string_view{};
    if (shippedPower().findClass(device.kernels))
        return {};
    const double peak = devicePeak(device, &Device::peakFp16);
    return peak == peak ? std::string_view{} : "peak_fp16_tflops";
}

double idlePower(const Device& device) {
    return idleOf<double>(device);
}

Term explainIdlePower(const Device& device) {
    return idleOf<Term>(device);
}

PhasePower phasePower(const Device& device, Phase phase, const PhaseRates& rates) {
    PhasePower power;
    const auto at = [&](PowerTerm term) -> double& { return power.watts[static_cast<std::size_t>(term)]; };
    const bool stated = isStated(device, phase);
    if (stated)
        power.total = at(PowerTerm::Stated) = power.demand = powerIn(phase, device);
    if (stated && !(hasPowerModel(device) && isSlowed(device) && rates.known))
        return power;
    const auto of = powerFigures(device);
    const auto figures = powerFiguresOf<double>(device, of, rates);
    const auto terms = demandOf<double>(figures, rates);
    double demand = 0.0;
    for (const double watts : terms)
        demand += watts;
    const auto& all = shippedPower();
    const double most = all.margin * device.powerLimit.valueOr(std::numeric_limits<double>::infinity());
    PhasePower model;
    model.demand = rates.known ? demand : kUnknown;
    model.total = std::max(figures.idle, knee(model.demand, most));
    if (!(model.demand == model.demand)) // std::max takes the other where one is not known
        model.total = kUnknown;
    const double running = figures.idle + terms[static_cast<std::size_t>(PowerTerm::Busy)];
    model.sigma = 1.0 - (1.0 - running / model.demand) / (1.0 + std::pow(model.demand / most, all.knee));
    const double more = rates.roofline ? all.rooflineBand : 0.0;
    model.down = of.down + more;
    model.up = of.up + more;
    if (isSlowed(device) && model.total == model.total)
        slowDown(device, rates,
                 terms[static_cast<std::size_t>(PowerTerm::Memory)] +
                     terms[static_cast<std::size_t>(PowerTerm::Links)],
                 figures.idle, model);
    if (stated) { // as it is stated, but as slow as the cap makes it
        power.stretch = model.stretch;
        power.clock = model.clock;
        return power;
    }
    power = model;
    const double over = demand - figures.idle;
    const double share = over > 0.0 ? (power.total - figures.idle) / over : 0.0;
    for (std::size_t i = 0; i < kPowerTerms; ++i)
        power.watts[i] = share * terms[i];
    at(PowerTerm::Idle) = figures.idle;
    return power;
}

Term explainPhasePower(const Device& device, Phase phase, const PhaseRates& rates) {
    if (isStated(device, phase))
        return explainPower(phase, device);
    const auto power = phasePower(device, phase, rates);
    if (!(power.total == power.total))
        return Term::counted("Power", kUnknown, measures::watts,
                             rates.known ? "not known: " + std::string(powerLacks(device)) + " is not set"
                                         : "not known: nothing was counted in this phase");
    const auto terms = demandOf<Term>(powerFiguresOf<Term>(device, powerConstantsOf(device), rates), rates);
    Term all;
    for (std::size_t i = 0; i < kPowerTerms; ++i)
        if (terms[i])
            all =
                all + terms[i].named(std::string(powerTermLabel(static_cast<PowerTerm>(i))), measures::watts);
    all = all.named("Demand", measures::watts);
    const double held = power.demand - power.total;
    if (held == 0.0)
        return all;
    return (all - Term::counted("Power limit", held, measures::watts,
                                isSlowed(device) ? "what power limit, cap and clock hold back"
                                                 : "what the power limit holds back"))
        .named("Power", measures::watts);
}

namespace {

double together(double power, double time) {
    return std::sqrt(power * power + time * time);
}

} // namespace

double PowerBand::energyDown(double timeDown) const {
    return together(down, sigma * timeDown);
}
double PowerBand::energyUp(double timeUp) const {
    return together(up, sigma * timeUp);
}
double PowerBand::powerDown(double timeUp) const {
    return together(down, (1.0 - sigma) * timeUp);
}
double PowerBand::powerUp(double timeDown) const {
    return together(up, (1.0 - sigma) * timeDown);
}

} // namespace heteroscape::engine
