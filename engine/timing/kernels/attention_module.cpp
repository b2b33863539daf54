// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/attention_module.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<ConstantField<ModuleConstants>, 12> kModuleFields{{
    {"t_0", &ModuleConstants::start, 0, 1e5},
    {"k_c", &ModuleConstants::tensor, 0, 1e4},
    {"k_m", &ModuleConstants::memory, 0, 1e4},
    {"k_i", &ModuleConstants::index, 0, 1e4},
    {"k_a", &ModuleConstants::attend, 0, 1e4},
    {"k_b", &ModuleConstants::cache, 0, 1e4},
    {"k_s", &ModuleConstants::scan, 0, 1e4},
    {"k_e", &ModuleConstants::rows, 0, 1e4},
    {"t_i", &ModuleConstants::indexStart, 0, 1e5},
    {"t_q", &ModuleConstants::narrowStart, 0, 1e5},
    {"t_s", &ModuleConstants::pickStart, 0, 1e5},
    {"t_l", &ModuleConstants::longStart, 0, 1e5},
}};

constexpr double kIndexEntry = 132.0; // B of an index's key with its scale
constexpr double kLong = 98304.0;     // tokens, from which on another kernel picks
constexpr double kHostNorm = 4.0;

/// What a module does, on one device.
struct ModuleWork {
    double narrow = 0, wide = 0;    ///< elements of weights: in the format of the projections; of 16 bits
    double values = 0;              ///< elements of activations a token
    double index = 0;               ///< heads x width of the index that runs
    double seen = 0, entries = 0;   ///< entries that a query's index meets on average; those of a request
    double attended = 0, read = 0;  ///< FLOPs and bytes of attention, a token
    double moreFlops = 0, more = 0; ///< of projections of cached tokens: FLOPs, bytes
    bool picks = false, isLong = false;
};

double meanPosition(const ModuleStep& step) {
    return step.cached + (step.tokens + 1.0) / 2.0;
}

/// Mean of min(position / ratio, kept) over the new tokens, in straight lines; `first` counts the query's own
/// token among the keys.
double meanKept(const ModuleStep& step, double ratio, double kept, double first) {
    const double cached = step.cached, tokens = step.tokens;
    if ((cached + tokens) / ratio <= kept)
        return meanPosition(step) / ratio;
    if ((cached + 1.0) / ratio >= kept)
        return kept;
    const double before = kept * ratio - cached;
    return (before * (cached + first + kept * ratio) / (2.0 * ratio) + (tokens - before) * kept) / tokens;
}

ModuleWork workOf(const DsaWidths& w, const ModuleStep& step) {
    constexpr double kNarrowEntry = 656.0, kWideEntry = 1152.0; // B of a latent with its rotary part
    const double h = w.hidden, q = w.queryRank, H = step.heads, rank = w.latent.rank;
    const double latent = rank + w.latent.rotary, query = w.latent.head + w.latent.rotary;
    const double unfolded = w.latent.head + w.latent.value;
    const double mean = meanPosition(step), all = step.cached + step.tokens;
    ModuleWork work;
    work.index = step.dense ? 0.0 : w.indexHeads * w.indexSize;
    work.narrow = h * (q + latent) + q * H * query + H * w.latent.value * h + q * work.index;
    work.wide = work.index > 0.0 ? h * (w.indexSize + w.indexHeads) : 0.0;
    work.values = 2 * h + q + latent + 2 * H * query + H * w.latent.value + work.index;
    work.seen = mean;
    work.entries = all;
    if (step.dense) {
        const double tokens = step.batch * all;
        work.attended = 2 * mean * H * (query + w.latent.value);
        work.moreFlops = 2 * tokens * rank * H * unfolded;
        work.more = 2 * tokens * H * (unfolded + w.latent.rotary);
        return work;
    }
    const double kept = meanKept(step, 1.0, w.kept, 1.0);
    work.wide += H * rank * unfolded;
    work.values += 2 * H * latent;
    work.attended = 2 * kept * H * (latent + rank);
    work.read = kept * (step.kvBytes < 2.0 ? kNarrowEntry : kWideEntry);
    work.picks = all > w.kept;
    return work;
}

ModuleWork workOf(const CompressedWidths& w, const ModuleStep& step) {
    constexpr double kHead = 512.0, kWindow = 128.0, kIndex = 64.0 * 128.0;
    constexpr double kOutRank = 1024.0, kGroup = 8.0; // of the output projection, for every 8 heads
    constexpr double kEntry = 584.0;                  // B
    constexpr double kFull = 256.0;                   // tokens of a prompt, whose windows are taken as full
    const double h = w.hidden, q = w.queryRank, H = step.heads, groups = std::floor(H / kGroup);
    const double mean = meanPosition(step), all = step.cached + step.tokens;
    const bool indexed = w.kept > 0.0;
    ModuleWork work;
    work.index = indexed ? kIndex : 0.0;
    work.narrow = h * (q + kHead) + kHead * q * H + kHead * kOutRank * H + groups * kOutRank * h +
                  (indexed ? kIndex * q : 0.0);
    work.wide = indexed ? 2048 * h + 576 * h : w.ratio > 0.0 ? 1024 * h : 0.0;
    work.values = 2 * h + q + kHead + 4 * kHead * H + 2 * groups * kOutRank +
                  (w.ratio > 0.0 ? (indexed ? 2048 : 1024) : 0.0) + work.index;
    const double ratio = w.ratio > 0.0 ? w.ratio : std::numeric_limits<double>::infinity();
    work.seen = mean / ratio;
    work.entries = all / ratio;
    const bool partly = step.tokens == 1.0 || step.cached >= kWindow || step.tokens <= kFull;
    const double attended = (indexed ? meanKept(step, ratio, w.kept, 0.0) : work.seen) +
                            (partly ? std::min(kWindow, mean) : kWindow);
    work.attended = 4 * attended * H * kHead;
    work.read = kEntry * attended;
    work.isLong = indexed && all >= kLong;
    work.picks = indexed && !work.isLong && work.entries > w.kept;
    return work;
}

double hiddenOf(const ModuleWidths& widths) {
    return std::visit([](const auto& of) { return of.hidden; }, widths);
}

} // namespace

std::span<const ConstantField<ModuleConstants>> ModuleConstants::fields() {
    return kModuleFields;
}

void ModuleConstants::readMore(ModuleConstants& constants, JsonObject& entry) {
    constants.launchedApart = entry.boolean("launched_apart", false);
}

std::string_view moduleName(const ModuleWidths& widths) {
    const auto* compressed = std::get_if<CompressedWidths>(&widths);
    return !compressed ? "dsa" : compressed->kept > 0.0 ? "csa" : "hca";
}

KernelTime moduleTime(const GpuFigures& gpu, const ModuleConstants& k, const ModuleWidths& widths,
                      const ModuleStep& step) {
    const auto work = std::visit([&](const auto& of) { return workOf(of, step); }, widths);
    const double tokens = step.batch * step.tokens, bw = gpu.memoryBytesPerUs();
    const double p16 = gpu.flopPerUs(Rate::Bf16), p8 = gpu.flopPerUs(Rate::Fp8);
    const double product = gpu.peak(step.rate) > 0.0 ? gpu.flopPerUs(step.rate) : p8;
    const double flops =
        k.tensor * ((2 * tokens * work.narrow + work.moreFlops) / product + 2 * tokens * work.wide / p16);
    const double moved =
        k.memory * (work.narrow * step.weightBytes + 2 * work.wide + 2 * work.values * tokens + work.more) /
        bw;
    const bool indexed = work.index > 0.0;
    const double scores = indexed ? 4 * tokens * work.seen : 0.0; // B that the index writes
    const double keys = indexed && step.decodes ? kIndexEntry * step.batch * work.entries : 0.0;
    const double attention =
        k.attend * tokens * work.attended / p16 + k.index * 2 * tokens * work.seen * work.index / p8;
    const double read =
        (k.cache * tokens * work.read + k.scan * (scores + keys) + k.rows * 2 * tokens * hiddenOf(widths)) /
        bw;
    const double host = k.start + (indexed ? k.indexStart : 0.0) +
                        (step.rate != Rate::Bf16 ? k.narrowStart : 0.0) + (work.picks ? k.pickStart : 0.0) +
                        (work.isLong ? k.longStart : 0.0);
    const double linear = std::hypot(flops, moved), device = linear + attention + read;
    KernelParts parts;
    parts.add(KernelBound::Launch, host);
    parts.add(flops > moved ? KernelBound::Tensor : KernelBound::Memory, linear);
    parts.add(KernelBound::Tensor, attention);
    parts.add(KernelBound::Memory, read);
    return {k.launchedApart ? powerNorm(kHostNorm, host, device) : host + device, parts.largest()};
}

void checkModuleStep(const ModuleStep& step, const std::string& where) {
    constexpr double kMostRequests = 256.0, kFewestHeads = 8.0;
    const auto refuse = [&](const char* what, double found, const char* remedy) {
        throw Error(ErrorCode::InvalidInput, where,
                    "attention that an index thins out or that is compressed was measured with " +
                        std::string(what) + ", not " + plainText(found),
                    remedy);
    };
    if (step.heads < kFewestHeads)
        refuse("8 heads of a device or more", step.heads, "Choose fewer tensor parallel ranks");
    if (step.decodes && step.batch > kMostRequests)
        refuse("at most 256 requests of a decode on a device", step.batch,
               "Choose fewer requests at once, or more data parallel ranks");
    if (!step.decodes && step.tokens < kFewestModuleTokens)
        refuse("16 tokens of a prompt or more", step.tokens, "Choose longer prompts");
}

double nextModuleTurn(const ModuleWidths& widths, double keys) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    if (const auto* latent = std::get_if<DsaWidths>(&widths))
        return keys <= latent->kept ? latent->kept + 1.0 : kNone;
    const auto& of = std::get<CompressedWidths>(widths);
    if (of.kept > 0.0)
        for (const double turn : {of.kept * of.ratio + 1.0, kLong})
            if (keys < turn)
                return turn;
    return kNone;
}

} // namespace heteroscape::engine
