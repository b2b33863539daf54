// SPDX-License-Identifier: GPL-3.0-or-later
// Nanoseconds that the time of one GPU kernel takes, and of a layer of Llama-3.1-70B, on one core.

#include "engine/catalog/catalog.h"
#include "engine/timing/kernels/kernel_catalog.h"

#include <cstdio>
#include <ctime>
#include <exception>

using namespace heteroscape::engine;

namespace {

/// `ask` is given another number each time, so that nothing can be kept.
template <class Ask>
void report(const char* name, double& checksum, Ask ask) {
    std::size_t asked = 0;
    const auto start = std::clock(); // of this process: other work on the machine does not count
    double elapsed = 0.0;
    do {
        for (int i = 1; i <= 4096; ++i)
            checksum += ask(static_cast<double>(i));
        asked += 4096;
        elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (elapsed < 0.3);
    std::printf("%-22s %8.1f ns\n", name, elapsed / static_cast<double>(asked) * 1e9);
}

} // namespace

int main() {
    try {
        const auto kernels = loadKernelCatalog(findPresetsFolder());
        const auto& gpu = kernels.gpu("h100_sxm");
        double sum = 0.0;
        const auto gemm = kernels.gemmKernel(gpu, "trtllm", "bfloat16");
        report("gemm", sum, [&](double i) { return gemm.time({i, 8192, 8192}).us; });
        const auto& context = kernels.attentionContextFor(gpu, "trtllm", "bfloat16", "bfloat16").constants;
        report("attention_context", sum, [&](double i) {
            AttentionContextShape shape;
            shape.tokens = i, shape.heads = 32, shape.kvHeads = 8;
            return attentionContextTime(gpu.figures, context, shape).us;
        });
        const auto& generation = kernels.attentionGenerationFor(gpu, "trtllm", "bfloat16", true).constants;
        report("attention_generation", sum, [&](double i) {
            return attentionGenerationTime(gpu.figures, generation, {64, i, 32, 8, 128}).us;
        });
        const auto& reduce = kernels.allReduce.require({gpu.link, "trtllm"}).constants;
        report("all_reduce", sum,
               [&](double i) { return allReduceTime(gpu.figures, reduce, 8, 16384 * i).us; });
        const auto& experts = kernels.moe.require({gpu.arch, "vllm cutlass fp8_block"}).constants;
        const auto& format = kernels.moeFormat(experts.format);
        report("moe", sum, [&](double i) {
            return moeTime(gpu.figures, experts, format, {7168, 256, 3, 256, 8 * i, 200, 8 * i}).us;
        });
        const auto& latent = kernels.mlaDecode.require({gpu.arch, "trtllm", "bf16"}).constants;
        report("mla_decode", sum, [&](double i) {
            return mlaDecodeTime(gpu.figures, latent, {64, i, 16, 2, {}}).us;
        });
        const auto& deepEp = kernels.deepEpNormal.require({gpu.arch, "dispatch"}).constants;
        report("deepep_normal", sum, [&](double i) {
            return deepEpNormalTime(gpu.figures, deepEp, {i, 7168, 8, 256, 4, 8, true, 24}).us;
        });
        std::printf("checksum %g\n", sum);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kernels_benchmark: %s\n", error.what());
        return 1;
    }
}
