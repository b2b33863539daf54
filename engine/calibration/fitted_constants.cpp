// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/fitted_constants.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "engine/validation/validation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kFewestHeldFrom = 8; ///< rows below which none is held out

} // namespace

void checkHeldOutShare(double share) {
    if (!(share >= 0.0 && share <= 0.9))
        throwInvalid("held-out share", exactText(share) + " is out of range", "Allowed: from 0 to 0.9");
}

std::vector<bool> heldOutRows(std::size_t count, double share, std::uint64_t seed) {
    std::vector<bool> heldOut(count, false);
    if (count < kFewestHeldFrom)
        return heldOut;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(seed);
    for (std::size_t i = count; i > 1; --i) // by hand: std::shuffle differs between libraries
        std::swap(order[i - 1], order[random() % i]);
    const auto held = static_cast<std::size_t>(share * static_cast<double>(count));
    for (std::size_t i = 0; i < held; ++i)
        heldOut[order[i]] = true;
    return heldOut;
}

KernelConstants::Errors errorSummary(std::vector<double> percents, bool heldOut) {
    KernelConstants::Errors all;
    all.heldOut = heldOut;
    all.rows = static_cast<double>(percents.size());
    if (percents.empty())
        return all;
    std::sort(percents.begin(), percents.end());
    all.medianPercent = quantile(percents, 0.5);
    all.p90Percent = quantile(percents, 0.9);
    return all;
}

double bandWithin(std::vector<double> logRatios, std::size_t fitted) {
    const auto rows = static_cast<double>(logRatios.size());
    const double wider = std::sqrt(rows / std::max(1.0, rows - static_cast<double>(fitted)));
    for (double& off : logRatios)
        off = std::abs(off);
    std::sort(logRatios.begin(), logRatios.end());
    return std::expm1(std::max(1e-3, wider * quantile(logRatios, 0.8))); // no device is without error
}

namespace {

constexpr double kFarthest = 30.0;    ///< factor from the start that bounds allow
constexpr double kShareMaximum = 2.0; ///< allowed range of a share of a peak, which tells it from others

struct Usual {
    std::string_view family;
    std::array<std::string_view, 5> constants;
};

constexpr std::array<Usual, 17> kUsual{{
    {"gemm", {"t_launch", "e_c", "e_m"}},
    {"attention-context", {"t_0", "e_c", "e_x", "e_m"}},
    {"attention-generation", {"t_0", "t_u", "e_m", "t_l"}},
    {"all-reduce", {"a0", "e1", "e2", "e3"}},
    {"nccl", {"a0", "e1", "e2"}},
    {"elementwise", {"t_0", "e_m", "r_e"}},
    {"moe", {"t0_us", "eta", "eps", "nh"}},
    {"mla-decode", {"t0_us", "eta", "eps"}},
    {"mla-decode-serial", {"t0_us", "ns_per_key"}},
    {"mla-prefill", {"t0_us", "eps", "ns_per_key"}},
    {"mla-absorption", {"t0_us", "eta", "eps"}},
    {"deepep-low-latency", {"t0_us", "nvlink", "network"}},
    {"deepep-normal", {"t0_us", "nvlink", "network", "gb_s_per_sm"}},
    {"nvlink-all-to-all", {"t0_us", "nvlink", "ns_per_token"}},
    {"linear-attention", {"t_0", "k_m", "k_l", "k_c", "t_c"}},
    {"encoder-attention", {"t_0", "k_m", "k_64", "k_72", "k_80"}},
    {"attention-module", {"t_0", "k_c", "k_m", "k_a", "k_b"}},
}};

/// Whether "e_c" or "gemm.e_c" is a constant of the family.
bool means(std::string_view name, std::string_view family, std::string_view key) {
    if (name == key)
        return true;
    return name.size() == family.size() + 1 + key.size() && name.starts_with(family) &&
           name[family.size()] == '.' && name.ends_with(key);
}

void checkName(std::string_view name) {
    std::vector<std::string_view> there;
    std::set<std::string_view> seen;
    const auto dot = name.find('.');
    for (const auto& family : kernelFamilies())
        for (const auto& constant : family.constants) {
            if (means(name, family.family, constant.key))
                return;
            if ((dot == std::string_view::npos || name.substr(0, dot) == family.family) &&
                seen.insert(constant.key).second)
                there.push_back(constant.key);
        }
    if (there.empty())
        kernelFamily(name.substr(0, dot)); // throws with the families that there are
    throw Error(ErrorCode::NotFound, "constant", "unknown name \"" + std::string(name.substr(0, 80)) + "\"",
                "Allowed: " + joined(there) + ", with the family before it where it is meant alone, or all");
}

/// Of the entries of the family that have it; 0 where none has.
double meanElsewhere(KernelCatalog& catalog, std::string_view family, std::string_view key) {
    double logs = 0.0, count = 0.0;
    visitFamilies(catalog, [&]<class Constants>(std::string_view id, ConstantsTable<Constants>& table) {
        if (id != family)
            return;
        for (const auto& field : Constants::fields())
            for (const auto& row : table.rows)
                if (field.key == key && row.constants.*field.member > 0.0) {
                    logs += std::log(row.constants.*field.member);
                    count += 1.0;
                }
    });
    return count > 0.0 ? std::exp(logs / count) : 0.0;
}

FitParameter parameterOf(const ConstantView& constant, std::string_view family, double start,
                         std::span<const ConstantBounds> bounds) {
    FitParameter parameter{std::string(constant.key), start, std::max(constant.minimum, start / kFarthest),
                           std::min(constant.maximum, start * kFarthest)};
    if (constant.maximum == kShareMaximum)
        parameter.maximum = std::min(parameter.maximum, std::max(1.0, start));
    for (const auto& set : bounds)
        if (means(set.name, family, constant.key)) {
            parameter.minimum = set.minimum;
            parameter.maximum = set.maximum;
        }
    parameter.start = std::clamp(start, parameter.minimum, parameter.maximum);
    return parameter;
}

} // namespace

std::span<const std::string_view> usualConstants(std::string_view family) {
    for (const auto& usual : kUsual)
        if (usual.family == family) {
            const auto end = std::find(usual.constants.begin(), usual.constants.end(), std::string_view());
            return {usual.constants.begin(), end};
        }
    return {};
}

void checkConstants(std::span<const std::string> names, std::span<const ConstantBounds> bounds) {
    for (const auto& name : names)
        if (name != "all")
            checkName(name);
    for (const auto& set : bounds) {
        checkName(set.name);
        if (!(set.minimum > 0.0 && set.maximum > set.minimum && std::isfinite(set.maximum)))
            throwInvalid("bounds of " + set.name,
                         exactText(set.minimum) + " to " + exactText(set.maximum) +
                             " are not two positive numbers in order",
                         "Write them like " + set.name + "=0.5:1");
        for (const auto& family : kernelFamilies())
            for (const auto& constant : family.constants)
                if (means(set.name, family.family, constant.key) &&
                    !(set.minimum >= constant.minimum && set.maximum <= constant.maximum))
                    throwInvalid("bounds of " + set.name,
                                 exactText(set.minimum) + " to " + exactText(set.maximum) +
                                     " are wider than " + std::string(family.family) + " allows",
                                 "Allowed: from " + exactText(constant.minimum) + " to " +
                                     exactText(constant.maximum));
    }
}

ConstantChoice chooseConstants(KernelCatalog& catalog, std::string_view family,
                               std::span<const std::string> entry, std::span<const std::string> names,
                               std::span<const ConstantBounds> bounds) {
    const auto usual = usualConstants(family);
    ConstantChoice choice;
    for (const auto& constant : constantsOf(catalog, family, entry)) {
        bool named = false, all = false;
        for (const auto& name : names) {
            named = named || means(name, family, constant.key);
            all = all || name == "all";
        }
        const bool byDefault =
            names.empty() && std::find(usual.begin(), usual.end(), constant.key) != usual.end();
        if (!named && !all && !byDefault)
            continue;
        double start = *constant.value;
        if (start == 0.0) {
            start = named ? meanElsewhere(catalog, family, constant.key) : 0.0;
            if (start == 0.0) {
                if (named)
                    throwInvalid(std::string(family) + "." + std::string(constant.key),
                                 "it is 0 in every entry: there is nowhere to start", "Leave it out");
                choice.zeros.emplace_back(constant.key);
                continue;
            }
        }
        choice.parameters.push_back(parameterOf(constant, family, start, bounds));
        choice.values.push_back(constant.value);
    }
    return choice;
}

} // namespace heteroscape::engine
