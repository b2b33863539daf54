// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Constants of what devices draw while they compute: presets/power/constants.json, SI (W, J/B, J/FLOP). What
/// they do: engine/timing/power.h.
struct PowerConstants {
    struct Figures {
        double limit;                ///< W, at which `busy` holds
        double busy;                 ///< W
        double flop16, flop8, flop4; ///< J/FLOP by the format that is multiplied
        double unpack, slow;         ///< J/B of weights
        double down, up;             ///< 80 % band, ln(measured / predicted)
    };
    /// Of architectures whose power was fitted.
    struct Class {
        std::string id;                   ///< "hopper"
        std::vector<std::string> kernels; ///< the GPUs of it, as devices name them (Device::kernels)
        Figures figures;
    };
    /// Of any other GPU or NPU.
    struct Rule {
        double busyOfLimit;
        double flop16; ///< times limit / 16-bit peak
        double flop8Of16, flop4Of16;
        double unpackOfMemory;
        double down, up;
    };

    std::uint64_t hash = 0; ///< of the file: keys of points hold it
    double memory;          ///< J/B
    double link;            ///< J/B sent over a link that states none
    double slack;           ///< kernels that run over those that are modelled
    double knee;            ///< exponent
    double margin;          ///< of a limit that is drawn at most
    double clockExponent, clockFloor;
    double rooflineBand; ///< more of both bands where kernels are timed by a roofline
    double idleOfLimit;
    std::vector<Class> classes;
    Rule other;

    /// Null where the power of that GPU was not fitted.
    const Class* findClass(std::string_view kernels) const;
};

/// Throws Error naming file and key.
PowerConstants readPowerConstants(const std::string& path);

/// That of this installation, read when it is first asked for. Throws as above. Any thread.
const PowerConstants& shippedPower();

} // namespace heteroscape::engine
