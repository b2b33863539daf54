// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/kernels/kernel_time.h"

#include <optional>

namespace heteroscape::engine {

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

} // namespace heteroscape::engine
