// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/kernel_catalog.h"

#include "engine/base/file.h"
#include "engine/catalog/catalog.h"
#include "engine/timing/kernels/constants_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

namespace heteroscape::engine {

namespace {

template <class Entry>
const Entry& entryById(const std::vector<Entry>& entries, std::string_view id, const char* what) {
    for (const auto& entry : entries)
        if (entry.id == id)
            return entry;
    std::vector<std::string> there; // not while it looks: steps ask
    for (const auto& entry : entries)
        there.push_back(entry.id);
    throw Error(ErrorCode::NotFound, what, "unknown name \"" + std::string(id.substr(0, 80)) + "\"",
                "Allowed: " + joined(there));
}

/// Reads one file of presets/kernels/: keys id (the file's name), name, about, kind, source, fitted_on,
/// entries. `more` reads the keys that a family has beside these. Unknown keys, numbers out of range, and
/// rows of the same names are refused with file and key.
template <class Constants, class More>
ConstantsTable<Constants> readConstants(const std::string& path, const std::string& id, More more) {
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    if (const auto found = readId(object, "id"); found != id)
        throwInvalid(object.place("id"), "\"" + found + "\" is not the file's name", "Write \"" + id + "\"");
    ConstantsTable<Constants> table;
    table.where = path;
    object.text("name");
    object.text("about");
    object.text("kind");
    object.text("source");
    table.fittedOn = readTexts(object, "fitted_on");
    more(object);
    std::set<std::vector<std::string>> seen;
    std::size_t ordinal = 0;
    for (const auto& entry : object.array("entries")) {
        JsonObject row(entry, object.place("entries") + "[" + std::to_string(ordinal++) + "]");
        FittedConstants<Constants> fitted{};
        for (const auto& key : Constants::kKeys)
            fitted.names.push_back(readRowName(row, key));
        for (const auto& field : Constants::fields())
            fitted.constants.*field.member = readConstant(row, field.key, field.minimum, field.maximum);
        fitted.heldOut = readHeldOut(row);
        if constexpr (requires { Constants::readMore(fitted.constants, row); })
            Constants::readMore(fitted.constants, row);
        row.finish();
        if (!seen.insert(fitted.names).second)
            throwInvalid(row.where(), "there is another entry for " + joined(fitted.names),
                         "Keep one of them");
        table.rows.push_back(std::move(fitted));
    }
    object.finish();
    if (table.rows.empty())
        throwInvalid(object.place("entries"), "there is no entry", "Give at least one");
    return table;
}

/// The row of a framework, else of the first that has one: the second of a row's names. Null: none.
template <class Constants, class... Names>
const FittedConstants<Constants>* findOfAny(const ConstantsTable<Constants>& table, std::string_view arch,
                                            std::string_view framework, Names... rest) {
    const auto* found = table.find({arch, framework, rest...});
    for (const auto& other : kKernelFrameworks)
        if (!found)
            found = table.find({arch, other, rest...});
    return found;
}

template <class Constants, class... Names>
const FittedConstants<Constants>& withStandIn(const ConstantsTable<Constants>& table, const Gpu& gpu,
                                              std::string_view framework, Names... rest) {
    if (const auto* found = findOfAny(table, gpu.arch, framework, rest...))
        return *found;
    return table.require({gpu.arch, framework, rest...});
}

/// What `find` gives for the device's architecture, else for the first that stands in for it; null: none.
template <class Find>
auto findOfArchitectures(const KernelCatalog& catalog, const Gpu& gpu, Find find) {
    auto found = find(std::string_view(gpu.arch));
    for (const auto& other : catalog.architecture(gpu.arch).standIns)
        if (!found)
            found = find(std::string_view(other));
    return found;
}

template <class Constants, class... Names>
const FittedConstants<Constants>& withArchitectures(const KernelCatalog& catalog,
                                                    const ConstantsTable<Constants>& table, const Gpu& gpu,
                                                    std::string_view framework, Names... rest) {
    if (const auto* found = findOfArchitectures(
            catalog, gpu, [&](std::string_view arch) { return findOfAny(table, arch, framework, rest...); }))
        return *found;
    return table.require({gpu.arch, framework, rest...});
}

std::string_view latentCacheName(bool fp8) {
    return fp8 ? "fp8" : "bf16";
}

void readTiles(JsonObject& object, GemmTiles& menu) {
    for (const auto& json : object.array("tiles")) {
        const auto where = object.place("tiles");
        const auto side = [&](std::size_t i) {
            if (!json.is_array() || json.size() != 2 || !json[i].is_number_unsigned() ||
                json[i].get<double>() < 1 || json[i].get<double>() > 65536)
                throwInvalid(where, "a tile is not a pair of whole numbers", "Write it like [128, 256]");
            return json[i].get<double>();
        };
        if (menu.count == menu.tiles.size())
            throwInvalid(where, "more than 16 tiles");
        menu.tiles[menu.count++] = {side(0), side(1)};
    }
    if (menu.count == 0)
        throwInvalid(object.place("tiles"), "there is no tile", "Give at least one");
}

std::vector<MoeKernelChoice> readChoices(JsonObject& object, std::string_view key, bool withPhase) {
    std::vector<MoeKernelChoice> choices;
    for (const auto& json : object.array(key)) {
        JsonObject entry(json, object.place(key));
        choices.push_back({readRowName(entry, "arch"), readRowName(entry, "format"),
                           withPhase ? readRowName(entry, "phase") : std::string(),
                           readRowName(entry, "kernel")});
        entry.finish();
    }
    return choices;
}

void readMoe(JsonObject& object, KernelCatalog& catalog) {
    for (const auto& json : object.array("formats")) {
        JsonObject entry(json, object.place("formats"));
        MoeFormat format;
        format.id = readRowName(entry, "format");
        format.weightBytes = readConstant(entry, "weight_bytes", 1e-3, 16);
        format.rate = readRate(entry, "rate");
        entry.finish();
        catalog.moeFormats.push_back(std::move(format));
    }
    catalog.moeDefaults = readChoices(object, "default_kernels", false);
    catalog.moeBehindAllToAll = readChoices(object, "behind_all_to_all", true);
}

/// The entries of one list, each with an id that no other has.
template <class Entry>
std::vector<Entry> readEntries(JsonObject& object, std::string_view key, std::string_view idKey,
                               Entry (*read)(const Json&, const std::string&)) {
    std::vector<Entry> entries;
    for (const auto& json : object.array(key)) {
        const auto where = object.place(key) + "[" + std::to_string(entries.size()) + "]";
        entries.push_back(read(json, where));
        for (std::size_t i = 0; i + 1 < entries.size(); ++i)
            if (entries[i].id == entries.back().id)
                throwInvalid(where + "." + std::string(idKey), "there is another \"" + entries[i].id + "\"",
                             "Keep one of them");
    }
    return entries;
}

void readGpus(const std::string& path, KernelCatalog& catalog) {
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    for (const auto* key : {"id", "name", "about", "kind", "source"})
        object.text(key);
    catalog.architectures = readEntries(object, "architectures", "arch", readArchitecture);
    catalog.gpus = readEntries(object, "entries", "id", readGpu);
    object.finish();
    for (const auto& architecture : catalog.architectures)
        for (const auto& other : architecture.standIns)
            catalog.architecture(other);
    for (const auto& gpu : catalog.gpus)
        catalog.architecture(gpu.arch);
}

/// Of the texts, in the order of the files' names.
std::uint64_t fingerprintOf(const std::string& folder) {
    auto hash = kNoContent;
    for (const auto& path : listFiles(folder, ".json"))
        hash = contentHash(readFile(path), hash);
    return hash;
}

/// The experts' kernel of one architecture: the framework's own, else the default one; null: none.
const FittedConstants<MoeConstants>* findExperts(const KernelCatalog& catalog, std::string_view arch,
                                                 std::string_view framework, std::string_view format) {
    for (const auto& row : catalog.moe.rows) {
        const std::string_view kernel = row.names[1];
        if (row.names[0] == arch && row.constants.format == format && kernel.starts_with(framework) &&
            kernel.find("deepep") == kernel.npos && kernel.find("wide-ep") == kernel.npos)
            return &row;
    }
    for (const auto& choice : catalog.moeDefaults)
        if (choice.arch == arch && choice.format == format)
            return &catalog.moe.require({arch, choice.kernel});
    return nullptr;
}

/// What one row says of another file: its format must be known, its kernel there.
void checkMoe(const KernelCatalog& catalog) {
    for (const auto& row : catalog.moe.rows)
        catalog.moeFormat(row.constants.format);
    for (const auto* choices : {&catalog.moeDefaults, &catalog.moeBehindAllToAll})
        for (const auto& choice : *choices)
            catalog.moe.require({choice.arch, choice.kernel});
}

} // namespace

const Gpu& KernelCatalog::gpu(std::string_view id) const {
    return entryById(gpus, id, "device");
}

const Architecture& KernelCatalog::architecture(std::string_view id) const {
    return entryById(architectures, id, "architecture");
}

const MoeFormat& KernelCatalog::moeFormat(std::string_view id) const {
    return entryById(moeFormats, id, "format of experts");
}

void KernelCatalog::requireNative(const Gpu& on, Rate rate) const {
    const auto& made = architecture(on.arch);
    if (made.multiplies(rate))
        return;
    throwInvalid(on.id, std::string(rateLabel(rate)) + " is not native on " + made.name,
                 "Set weight_bits to 4 or 8 with activation_bits of 16, or both to 16");
}

const FittedConstants<GemmConstants>& KernelCatalog::gemmFor(const Gpu& on, std::string_view framework,
                                                             std::string_view precision) const {
    const auto* type = findGemmPrecision(precision);
    if (type && !type->integer && !findOfAny(gemm, on.arch, framework, precision))
        requireNative(on, type->rate);
    return withStandIn(gemm, on, framework, precision);
}

const FittedConstants<AttentionContextConstants>&
KernelCatalog::attentionContextFor(const Gpu& on, std::string_view framework, std::string_view attention,
                                   std::string_view kvCache) const {
    return withStandIn(attentionContext, on, framework, attention, kvCache);
}

const FittedConstants<AttentionGenerationConstants>&
KernelCatalog::attentionGenerationFor(const Gpu& on, std::string_view framework, std::string_view kvCache,
                                      bool grouped) const {
    return withStandIn(attentionGeneration, on, framework, kvCache,
                       std::string_view(grouped ? "gqa" : "mha"));
}

const FittedConstants<MlaDecodeConstants>&
KernelCatalog::mlaDecodeFor(const Gpu& on, std::string_view framework, bool fp8Cache) const {
    return withArchitectures(*this, mlaDecode, on, framework, latentCacheName(fp8Cache));
}

const FittedConstants<MlaSerialConstants>* KernelCatalog::mlaSerialFor(const Gpu& on, bool fp8Cache) const {
    const auto cache = latentCacheName(fp8Cache);
    const FittedConstants<MlaSerialConstants>* serial = nullptr;
    findOfArchitectures(*this, on, [&](std::string_view arch) {
        serial = mlaSerialDecode.find({arch, "trtllm", cache});
        return serial || findOfAny(mlaDecode, arch, "trtllm", cache);
    });
    return serial;
}

const FittedConstants<MlaPrefillConstants>&
KernelCatalog::mlaPrefillFor(const Gpu& on, std::string_view framework, bool fp8Cache) const {
    return withArchitectures(*this, mlaPrefill, on, framework, latentCacheName(fp8Cache));
}

const FittedConstants<MlaAbsorptionConstants>&
KernelCatalog::mlaAbsorptionFor(const Gpu& on, std::string_view framework, std::string_view step) const {
    return withArchitectures(*this, mlaAbsorption, on, framework, std::string_view("bf16"), step);
}

const FittedConstants<LinearAttentionConstants>& KernelCatalog::linearAttentionFor(const Gpu& on,
                                                                                   std::string_view framework,
                                                                                   LinearAttentionOp op,
                                                                                   bool decodes) const {
    return withArchitectures(*this, linearAttention, on, framework, linearAttentionName(op),
                             linearAttentionPhase(decodes));
}

const FittedConstants<ModuleConstants>& KernelCatalog::moduleFor(const Gpu& on, std::string_view framework,
                                                                 std::string_view module, bool fp8Cache,
                                                                 std::string_view phase) const {
    for (const auto kv : {latentCacheName(fp8Cache), std::string_view("any")})
        if (const auto* found = findOfAny(attentionModule, on.arch, framework, module, kv, phase))
            return *found;
    throw Error(ErrorCode::NotFound, attentionModule.where,
                "no sparse attention (" + std::string(module) + ") was measured on " +
                    architecture(on.arch).name);
}

const FittedConstants<ModuleConstants>*
KernelCatalog::denseModuleFor(const Gpu& on, std::string_view framework, std::string_view module) const {
    return attentionModule.find({on.arch, framework, module, "any", "dense"});
}

const FittedConstants<MoeConstants>& KernelCatalog::moeFor(const Gpu& on, std::string_view framework,
                                                           std::string_view format,
                                                           std::string_view phase) const {
    if (!phase.empty())
        for (const auto& choice : moeBehindAllToAll)
            if (choice.arch == on.arch && choice.format == format && choice.phase == phase)
                return moe.require({on.arch, choice.kernel});
    const auto& made = architecture(on.arch);
    const auto known = std::find_if(moeFormats.begin(), moeFormats.end(),
                                    [&](const MoeFormat& one) { return one.id == format; });
    const Rate wanted = known == moeFormats.end() ? Rate::Bf16 : known->rate;
    const auto* found = findOfArchitectures(*this, on, [&](std::string_view arch) {
        const auto* row = findExperts(*this, arch, framework, format);
        const Rate rate = row ? moeFormat(row->constants.format).rate : wanted;
        const bool suits = made.multiplies(rate) && (rate == wanted || !made.multiplies(wanted));
        return row && (arch == on.arch || suits) ? row : nullptr;
    });
    if (found)
        return *found;
    requireNative(on, wanted);
    throw Error(ErrorCode::NotFound, moe.where,
                "no kernels of experts in " + std::string(format) + " were measured on " + made.name);
}

void requirePeak(const Gpu& gpu, Rate rate) {
    if (gpu.figures.peak(rate) <= 0)
        throw Error(ErrorCode::NotFound, gpu.id,
                    "the device has no " + std::string(rateName(rate)) + " peak");
}

GemmKernel KernelCatalog::gemmKernel(const Gpu& on, std::string_view framework,
                                     std::string_view precision) const {
    const auto& fitted = gemmFor(on, framework, precision);
    const auto* type = findGemmPrecision(precision);
    if (!type) {
        std::vector<std::string_view> there;
        for (const auto& known : gemmPrecisions())
            there.push_back(known.id);
        throw Error(ErrorCode::NotFound, gemm.where,
                    "unknown precision \"" + std::string(precision.substr(0, 80)) + "\"",
                    "Allowed: " + joined(there));
    }
    requirePeak(on, type->rate);
    return {on.figures, fitted.constants, *type, gemmTiles};
}

KernelCatalog loadKernelCatalog(const std::string& presetsFolder) {
    const auto folder = presetsFolder + "/kernels/";
    KernelCatalog catalog;
    readGpus(folder + "gpus.json", catalog);
    visitFamilies(catalog, [&]<class Constants>(const char* id, ConstantsTable<Constants>& table) {
        table = readConstants<Constants>(folder + id + ".json", id, [&](JsonObject& object) {
            if constexpr (std::is_same_v<Constants, GemmConstants>)
                readTiles(object, catalog.gemmTiles);
            else if constexpr (std::is_same_v<Constants, MoeConstants>)
                readMoe(object, catalog);
        });
    });
    checkMoe(catalog);
    catalog.fingerprint = fingerprintOf(folder);
    return catalog;
}

const KernelCatalog& shippedKernels() {
    static const KernelCatalog catalog = loadKernelCatalog(findPresetsFolder());
    return catalog;
}

} // namespace heteroscape::engine
