// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace heteroscape::engine {

// Inside the engine every number is in SI: s, B, FLOP, FLOP/s, B/s, W, USD, m2, Hz.
// These factors turn the unit named at an edge (a JSON key, a CSV header, a label) into SI.
namespace units {

inline constexpr double kilo = 1e3, mega = 1e6, giga = 1e9, tera = 1e12;
inline constexpr double milli = 1e-3, micro = 1e-6, nano = 1e-9;
inline constexpr double KiB = 1024.0, MiB = KiB * 1024.0, GiB = MiB * 1024.0;
inline constexpr double MB = mega, GB = giga;
inline constexpr double mm2 = 1e-6;                   ///< in m2
inline constexpr double hour = 3600.0;                ///< in s
inline constexpr double year = 365.0 * 24.0 * 3600.0; ///< in s
inline constexpr double kWh = 3.6e6;                  ///< in J

} // namespace units
} // namespace heteroscape::engine
