// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

#include <optional>

namespace heteroscape::engine {

/// Constants by kernel ("NVLinkTwoSided") and step ("dispatch", "combine", "combine_low_precision"): times in
/// us or ns as named, the others shares.
struct NvlinkAllToAllConstants {
    double start = 0.0, linkShare = 0.0, doublingUs = 0.0, tokenNs = 0.0, overlap = 1.0;

    static constexpr std::array<std::string_view, 2> kKeys{"kernel", "step"};
    static std::span<const ConstantField<NvlinkAllToAllConstants>> fields();
};

struct NvlinkAllToAllShape {
    double tokens = 1; ///< of one rank
    double hidden = 1, chosen = 1, ranks = 2;
    double elementBytes = 2; ///< 2, or 1 in low precision
};

/// TensorRT-LLM's all-to-all in an NVLink domain (moe_parallel.md, section 9.3):
///   t = t0 + cl log2 ep + ((T_r phi(k, ep) d bytes/(e N_l))^p + (ct T_r)^p)^(1/p)
KernelTime nvlinkAllToAllTime(const GpuFigures& gpu, const NvlinkAllToAllConstants& constants,
                              const NvlinkAllToAllShape& shape);

enum class NcclOperation { AllReduce, AllGather, ReduceScatter, AllToAll };

/// "all_reduce", "all_gather", "reduce_scatter", "alltoall"
std::string_view ncclOperationName(NcclOperation operation);
std::optional<NcclOperation> findNcclOperation(std::string_view name);

/// Constants by link and operation: a, s in us, e and nv shares, kx the exponent of contention on PCIe.
struct NcclConstants {
    double a0 = 0.0, a1 = 0.0, e1 = 0.0; ///< the protocol of small messages
    double s0 = 0.0, s1 = 0.0, e2 = 0.0; ///< what that of large ones costs more, and its share of the link
    double nv = 0.0, kx = 0.0;

    static constexpr std::array<std::string_view, 2> kKeys{"link", "op"};
    static std::span<const ConstantField<NcclConstants>> fields();
};

/// A collective of NCCL within one domain (silicon_kernels.md, section 5), the less of
///   low  = a_0 + a_1 (P-1)             + r n / (e_1 LP)
///   high = a_0 + s_0 + (a_1+s_1) (P-1) + r n (n_v from 8 ranks on) / (e_2 LP)
/// r = 2 (P-1)/P for all-reduce, else (P-1)/P. n in bytes as nccl-tests count: the buffer, the gathered
/// result, the input, the whole send buffer. Point to point was not measured: all-to-all of 2 ranks and 2 n.
KernelTime ncclTime(const GpuFigures& gpu, const NcclConstants& constants, NcclOperation operation,
                    double ranks, double bytes);

/// Constants by link and framework: a, b, c in us, e and nv shares, kx the exponent of contention on PCIe.
struct AllReduceConstants {
    double a0 = 0.0, a1 = 0.0, e1 = 0.0; ///< one step: everyone reads everyone's
    double b0 = 0.0, b1 = 0.0, e2 = 0.0; ///< two steps: reduce, then gather
    double c0 = 0.0, c1 = 0.0, e3 = 0.0; ///< bulk
    double nv = 0.0;                     ///< traffic of a reduction in the switch, from 8 ranks; 0: none
    double kx = 0.0;

    static constexpr std::array<std::string_view, 2> kKeys{"link", "framework"};
    static std::span<const ConstantField<AllReduceConstants>> fields();
};

/// A framework's all-reduce within one NVLink or PCIe domain (silicon_kernels.md, section 5), the least of
///   one  = a_0 + a_1 (P-1)       + (P-1) n / (e_1 LP)
///   two  = a_0 + b_0 + b_1 (P-1) + ring n / (e_2 LP)
///   bulk = a_0 + c_0 + c_1 (P-1) + q n / (e_3 LP)
/// LP = LK 1000 (2/P)^k_x bytes per us, ring = 2 (P-1)/P, q = n_v from 8 ranks on where it is set, else ring.
/// n bytes a rank, P whole from 1; nothing for one rank. Measured: 2, 4, 8 ranks.
KernelTime allReduceTime(const GpuFigures& gpu, const AllReduceConstants& constants, double ranks,
                         double bytes);

/// A collective over N nodes, of which each rank sends `near` bytes inside its own and `far` to others:
///   0.8 t_l + near/(0.7 N_l) + 0.6 t_w log2 N + far/(0.85 N_w),
/// t_l and t_w the latencies of a small collective over link and network, N_l and N_w their rates
/// (moe_parallel, section 9.5; with 10 and 25 us it starts in 8 us and 15 for each doubling of the nodes,
/// silicon_serving.md, section 4). Assumed: no row was measured.
KernelTime acrossNodesTime(const GpuFigures& gpu, double nodes, double near, double far);

/// The same of n bytes that l ranks a node sum up, gather or scatter inside and as many between:
///   near = z (l-1)/l n,   far = z (N-1)/N n/l,   z = 2 of all-reduce, else 1.
KernelTime acrossNodesTime(const Gpu& gpu, NcclOperation operation, double ranks, double bytes);

/// LP: what one rank sends, bytes per us.
double linkBytesPerUs(const GpuFigures& gpu, double ranks, double contention);

} // namespace heteroscape::engine
