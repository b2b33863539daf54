// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kernel_constants.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One constant of an entry, with its allowed range.
struct ConstantView {
    std::string_view key;
    double* value;
    double minimum, maximum;
};

/// What a kernel family has: the keys that name an entry, and its constants.
struct FamilyKeys {
    std::string_view family;
    std::vector<std::string_view> names;
    struct Constant {
        std::string_view key;
        double minimum, maximum;
    };
    std::vector<Constant> constants;
};

/// All families, in the order of visitFamilies().
std::vector<FamilyKeys> kernelFamilies();
/// Throws Error (NotFound) naming what there is.
const FamilyKeys& kernelFamily(std::string_view family);

/// The constants of an entry, which lives as long as no entry is added. Throws Error (NotFound).
std::vector<ConstantView> constantsOf(KernelCatalog& catalog, std::string_view family,
                                      std::span<const std::string> names);

/// Makes an entry of these names where there is none, a copy of another without its held-out errors.
void makeEntry(KernelCatalog& catalog, std::string_view family, std::span<const std::string> names,
               std::span<const std::string> like);

/// Constants of the installation with those of a runtime in their place. An entry that the installation has
/// none of is added, where a family's entries hold nothing but constants. Throws Error naming family, key and
/// what is allowed.
void putInPlace(KernelCatalog& catalog, const KernelConstants& own);

/// The installation's (shippedKernels()) with those of a runtime, made once for the last few that were asked
/// for. From any thread. Throws as above.
std::shared_ptr<const KernelCatalog> kernelsWith(const OwnKernels& own);

} // namespace heteroscape::engine
