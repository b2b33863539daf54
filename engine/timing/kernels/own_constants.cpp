// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/own_constants.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kKept = 8;

template <class Constants>
FittedConstants<Constants>* rowOf(ConstantsTable<Constants>& table, std::span<const std::string> names) {
    for (auto& row : table.rows)
        if (std::equal(row.names.begin(), row.names.end(), names.begin(), names.end()))
            return &row;
    return nullptr;
}

[[noreturn]] void throwNoEntry(std::string_view family, std::span<const std::string> names) {
    throw Error(ErrorCode::NotFound, std::string(family),
                "there are no constants for " + joined(std::vector<std::string>(names.begin(), names.end())));
}

std::vector<std::string> namesOf(const KernelConstants::Entry& entry, const FamilyKeys& keys,
                                 const std::string& where) {
    std::vector<std::string> names;
    for (const auto key : keys.names) {
        const auto found = entry.names.find(std::string(key));
        if (found == entry.names.end())
            throwInvalid(where + ".names", "there is no " + std::string(key),
                         "Entries of " + entry.family + " are named by " + joined(keys.names));
        names.push_back(found->second);
    }
    if (entry.names.size() != keys.names.size())
        throwInvalid(where + ".names", "there are more names than entries of " + entry.family + " have",
                     "They are named by " + joined(keys.names));
    return names;
}

void setConstants(KernelCatalog& catalog, const KernelConstants::Entry& entry,
                  std::span<const std::string> names, const std::string& where) {
    const auto constants = constantsOf(catalog, entry.family, names);
    std::vector<std::string_view> keys;
    for (const auto& constant : constants) {
        keys.push_back(constant.key);
        const auto found = entry.values.find(std::string(constant.key));
        if (found == entry.values.end())
            throwInvalid(where + ".values", "there is no " + std::string(constant.key),
                         "Give all constants of the entry");
        if (!(found->second >= constant.minimum && found->second <= constant.maximum))
            throwInvalid(
                where + ".values." + std::string(constant.key), exactText(found->second) + " is out of range",
                "Allowed: from " + exactText(constant.minimum) + " to " + exactText(constant.maximum));
        *constant.value = found->second;
    }
    for (const auto& [key, value] : entry.values)
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            throwInvalid(where + ".values." + key, "unknown constant", "Allowed: " + joined(keys));
}

/// The errors of an entry that was calibrated are those of its own rows; where it has none, of all of them.
void setErrors(KernelCatalog& catalog, const KernelConstants::Entry& entry,
               std::span<const std::string> names, const KernelConstants::Errors& all) {
    const auto& errors = entry.errors.rows > 0.0 ? entry.errors : all;
    visitFamilies(catalog, [&]<class Constants>(std::string_view id, ConstantsTable<Constants>& table) {
        if (id == entry.family)
            if (auto* row = rowOf(table, names))
                row->heldOut = {{.device = {},
                                 .of = {},
                                 .what = std::string(kCalibratedError),
                                 .rows = errors.rows,
                                 .medianPercent = errors.medianPercent,
                                 .p90Percent = errors.p90Percent}};
    });
}

/// An entry that the installation has: of these names, else of another framework or of the architecture's
/// first. Empty where what an entry holds beside constants cannot be known.
std::vector<std::string> likeEntry(KernelCatalog& catalog, std::string_view family,
                                   std::span<const std::string> names) {
    std::vector<std::string> like;
    visitFamilies(catalog, [&]<class Constants>(std::string_view id, ConstantsTable<Constants>& table) {
        if (id != family)
            return;
        if (rowOf(table, names))
            like.assign(names.begin(), names.end());
        else if constexpr (!requires(Constants c, JsonObject & object) { Constants::readMore(c, object); })
            like = table.rows.front().names; // every constant is given
    });
    return like;
}

} // namespace

std::vector<FamilyKeys> kernelFamilies() {
    static const KernelCatalog none;
    std::vector<FamilyKeys> families;
    visitFamilies(none, [&]<class Constants>(std::string_view id, const ConstantsTable<Constants>&) {
        FamilyKeys keys{id, {Constants::kKeys.begin(), Constants::kKeys.end()}, {}};
        for (const auto& field : Constants::fields())
            keys.constants.push_back({field.key, field.minimum, field.maximum});
        families.push_back(std::move(keys));
    });
    return families;
}

const FamilyKeys& kernelFamily(std::string_view family) {
    static const auto families = kernelFamilies();
    std::vector<std::string_view> there;
    for (const auto& keys : families) {
        if (keys.family == family)
            return keys;
        there.push_back(keys.family);
    }
    throw Error(ErrorCode::NotFound, "family", "unknown name \"" + std::string(family.substr(0, 80)) + "\"",
                "Allowed: " + joined(there));
}

std::vector<ConstantView> constantsOf(KernelCatalog& catalog, std::string_view family,
                                      std::span<const std::string> names) {
    std::vector<ConstantView> views;
    visitFamilies(catalog, [&]<class Constants>(std::string_view id, ConstantsTable<Constants>& table) {
        if (id == family)
            if (auto* row = rowOf(table, names))
                for (const auto& field : Constants::fields())
                    views.push_back(
                        {field.key, &(row->constants.*field.member), field.minimum, field.maximum});
    });
    if (views.empty())
        throwNoEntry(family, names);
    return views;
}

void makeEntry(KernelCatalog& catalog, std::string_view family, std::span<const std::string> names,
               std::span<const std::string> like) {
    visitFamilies(catalog, [&]<class Constants>(std::string_view id, ConstantsTable<Constants>& table) {
        if (id != family || rowOf(table, names))
            return;
        const auto* model = rowOf(table, like);
        if (!model)
            throwNoEntry(family, like);
        auto row = *model;
        row.names.assign(names.begin(), names.end());
        row.heldOut.clear();
        table.rows.push_back(std::move(row));
    });
}

void putInPlace(KernelCatalog& catalog, const KernelConstants& own) {
    for (std::size_t i = 0; i < own.entries.size(); ++i) {
        const auto& entry = own.entries[i];
        const auto where = "kernel_constants.entries[" + std::to_string(i) + "]";
        const auto names = namesOf(entry, kernelFamily(entry.family), where);
        const auto like = likeEntry(catalog, entry.family, names);
        if (like.empty())
            throw Error(ErrorCode::NotFound, where,
                        "this installation knows no kernel " + joined(names) + " of " + entry.family,
                        "Name one that presets/kernels/" + entry.family + ".json has");
        makeEntry(catalog, entry.family, names, like);
        setConstants(catalog, entry, names, where);
        setErrors(catalog, entry, names, own.errors);
    }
}

std::shared_ptr<const KernelCatalog> kernelsWith(const OwnKernels& own) {
    static std::mutex mutex;
    static std::deque<std::pair<std::uint64_t, std::shared_ptr<const KernelCatalog>>> made;
    const auto hash = own.hash();
    const std::scoped_lock lock(mutex);
    for (const auto& [key, catalog] : made)
        if (key == hash)
            return catalog;
    auto catalog = std::make_shared<KernelCatalog>(shippedKernels());
    putInPlace(*catalog, *own);
    catalog->fingerprint ^= hash;
    if (made.size() == kKept)
        made.pop_front();
    made.emplace_back(hash, catalog);
    return catalog;
}

} // namespace heteroscape::engine
