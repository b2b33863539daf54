// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_prints.h"

#include "engine/units/number_text.h"
#include "engine/version.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heteroscape::engine {

namespace {

std::string printOf(const std::string& bytes) {
    const auto hash = XXH3_128bits(bytes.data(), bytes.size());
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

} // namespace

std::string fingerprintOf(const Study& study) {
    std::string bytes(kEquationsVersion);
    appendCanonicalBytes(study.base, bytes);
    for (const auto& axis : study.axes) {
        for (std::size_t i = 0; i < axis.edits.size(); ++i) { // what a name stands for may change
            auto scenario = *study.base;
            applyEdit(scenario, axis.edits[i]);
            bytes += '\n' + axis.names[i] + ':';
            appendCanonicalBytes(scenario, bytes);
        }
        bytes += '\n' + axis.path + '=';
        for (const auto value : axis.values)
            bytes += exactText(value) + ',';
    }
    if (study.isList)
        bytes += "\nlist";
    return printOf(bytes);
}

std::string familyOf(const Study& study) {
    std::string bytes(kEquationsVersion);
    auto base = *study.base;
    std::vector<std::string> numbers;
    std::string choices;
    for (const auto& axis : study.axes) {
        if (axis.isChoice()) { // put in one after the other: their order may matter
            choices += '\n' + axis.path + ':';
            continue;
        }
        numbers.push_back(axis.path);
        auto& quantity = resolveAxis(base, axis.path).access(base);
        quantity = {1.0, Provenance::User, {}};
    }
    std::sort(numbers.begin(), numbers.end());
    appendCanonicalBytes(base, bytes);
    bytes += choices;
    for (const auto& path : numbers)
        bytes += '\n' + path + '=';
    if (study.isList) // which lends to no grid
        bytes += "\nlist";
    return printOf(bytes);
}

std::string choicePrintsOf(const Study& study, const Axis& axis) {
    std::string prints;
    for (const auto& edit : axis.edits) {
        auto scenario = *study.base;
        for (const auto& other : study.axes) // as in the family: not what an axis sets anyhow
            if (!other.isChoice())
                resolveAxis(scenario, other.path).access(scenario) = {1.0, Provenance::User, {}};
        applyEdit(scenario, edit);
        std::string bytes;
        appendCanonicalBytes(scenario, bytes);
        prints += printOf(bytes);
    }
    return prints;
}

} // namespace heteroscape::engine
