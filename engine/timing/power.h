// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/power_constants.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace heteroscape::engine {

// What an accelerator draws while it works on a phase, from what it does in a second. With u the share of
// time in which kernels run, B bytes of memory, F FLOPs by the format that is multiplied, Q bytes of packed
// weights that are unpacked first, N bytes that are sent, C bytes of L2, H collectives and sends, all of them
// a second:
//   x = idle + busy u + memory B + l2 C + sum flop F + unpack Q + link N + hop H,
//   P = max(idle, knee(x, margin L)),  knee(x, c) = m (1 + (m / M)^12)^(-1/12),  m = min(x, c), M = max(x,
//   c),
// L the device's power limit; P = x without one. Constants are the device's own (power_busy_w, power_*_pj,
// power_hop_nj), else those of its class, else follow from limit and 16-bit peak
// (engine/catalog/power_constants.h); where there is no such rule (powerFollowsLimit()) they are 0, those of
// 8 and 4 bits shares of that of 16. A power that the device
// states for a phase (a paper's, a data sheet's, a user's) stands in for P, as does cores x core power.
// Source: fitted on served rows and kernels; presets/README.md has the errors and what is left out.

/// What one device does while it works on a phase, a second of that.
struct PhaseRates {
    double kernels = 0.0;    ///< sum of its kernels' times over the time; may pass 1
    double memory = 0.0;     ///< B/s
    double flops16 = 0.0;    ///< FLOP/s by the format that is multiplied
    double flops8 = 0.0;     ///< of 8 bits
    double flops4 = 0.0;     ///< of 4
    double unpacked = 0.0;   ///< B/s of weights that the device cannot multiply as they are stored
    double slow = 0.0;       ///< B/s of weights read by a kernel known as slow; no runtime has one
    double sent = 0.0;       ///< B/s over links
    double linkEnergy = 0.0; ///< J/B of them, a mean (LinkType::energy)
    double l2 = 0.0;         ///< B/s between L2 and the cores; counted where the device states their energy
    double hops = 0.0;       ///< collectives and sends, 1/s; the same
    double clocked = 1.0;    ///< share of the time that a slower clock stretches
    bool roofline = false;   ///< its kernels' times are those of a roofline
    bool known = false;      ///< else nothing was counted

    /// Takes over the bytes and FLOPs of `a` for a share of the time, and those of `b` for another.
    void add(double shareOfA, const PhaseRates& a, double shareOfB, const PhaseRates& b);
};

enum class PowerTerm { Idle, Busy, Memory, Products, Unpacking, Links, Stated };
inline constexpr std::size_t kPowerTerms = 7;
std::string_view powerTermLabel(PowerTerm term); ///< "Idle", "Clocks and issue", "Memory", ...

/// W of one device, by what draws them.
struct PhasePower {
    std::array<double, kPowerTerms> watts{}; ///< by PowerTerm; they add up to `total`, what is over the limit
                                             ///< taken from all but idle alike
    double total = 0.0;                      ///< W; NaN where it is not known
    double demand = 0.0;                     ///< x, W
    double stretch = 1.0;                    ///< of the time, by a power cap and a slower clock
    double clock = 1.0;                      ///< share of the stock clock that it runs at
    double sigma = 1.0;                      ///< d ln(energy) / d ln(time)
    double down = 0.0, up = 0.0;             ///< 80 % band at given time, ln(measured / predicted)
};

/// The figure that is not set and keeps the power of a device with hasPowerModel() unknown; empty: none.
std::string_view powerLacks(const Device& device);

/// W while it waits: as stated, or a share of the power limit; NaN where neither is known.
double idlePower(const Device& device);
Term explainIdlePower(const Device& device);

/// Its constants and band: its own, else those of its class, else what the rule makes of its limit and peak.
PowerConstants::Figures powerFigures(const Device& device);

/// Whether a power cap or a slower clock holds it.
bool isSlowed(const Device& device);

/// What it draws under its power cap and clock (power_cap_w, power_clock). With tau(f) = phi / f + 1 - phi
/// the time, slow what memory and links draw and dyn the rest over idle, W(f) = idle + (slow + dyn f^1.3) /
/// tau(f); f is the largest clock that keeps the cap, from 0.3 on; below that work and wait take turns.
PhasePower phasePower(const Device& device, Phase phase, const PhaseRates& rates);
Term explainPhasePower(const Device& device, Phase phase, const PhaseRates& rates);

/// How far an energy is expected to be off: errors of time and of power at given time, as ln, where a step
/// that takes longer draws less. Over phases: weighted by their shares of the energy.
struct PowerBand {
    double sigma = 1.0;
    double down = 0.0, up = 0.0;

    /// ln(energy / low), ln(high / energy) of a time within exp(-timeDown) and exp(timeUp) of the predicted.
    double energyDown(double timeDown) const;
    double energyUp(double timeUp) const;
    /// The same of the mean power, which falls where the time grows.
    double powerDown(double timeUp) const;
    double powerUp(double timeDown) const;
};

} // namespace heteroscape::engine
