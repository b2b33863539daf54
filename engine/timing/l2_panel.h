// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/machine.h"

namespace heteroscape::engine {

/// Timing model `l2_panel`: one operator on an accelerator whose cores work out of an L2 of capacity C.
///
///   panel = max(16, floor(C / 2 / (K b)))        rows or columns of the inner width K held in half of L2
///   extra = min(W (ceil(M_e / panel) - 1), A_in (ceil(N / panel) - 1))   what a tiled product reads again
///   hbm   = extra + (A > C ? A : 0) + (hit ? 0 : R)
///   l2    = (A <= C ? A : 0) + (hit ? R : 0)
///   t     = max(FLOPs / (F e_c), hbm / (BW_hbm e_m), l2 / BW_l2)
///
/// W: weight bytes, A: activation bytes in and out, A_in: in, R: bytes to be read (weights or KV cache), M_e
/// rows per expert, N columns, b the wider of a weight and an activation element, e_c and e_m the runtime's
/// efficiencies. An operator is hit when it was prefetched. Source: the model of PRESERVE section 5 (roofs by
/// compute, HBM and L2); the tiling rule is the reading that fits its Figure 5.
class L2Panel {
public:
    L2Panel(const Machine& machine, Phase phase);

    struct Cost {
        Affine compute; ///< s each would take alone
        Affine memory;
        Affine l2;

        Tangent seconds(double context) const;
        Bound bound(double context) const;
    };
    Cost cost(const Operator& op) const;

    /// Bytes that an operator moves while it runs; what was prefetched it takes from L2.
    struct Traffic {
        Affine memory; ///< hbm
        Affine l2;
    };
    Traffic traffic(const Operator& op) const;

    /// Bytes to be read by an operator, wherever they lie: R.
    Affine readBytes(const Operator& op) const;
    /// Seconds that memory needs for them.
    Affine readSeconds(const Operator& op) const { return readBytes(op) * (1.0 / m_bandwidth); }
    /// Bytes that memory moves for one operator, prefetching included: hbm with hit = no.
    Affine memoryBytes(const Operator& op) const { return readBytes(op) + spilledBytes(op); }

    /// How the seconds of an operator, and of reading its operands, come about at `context`.
    Term explain(const Operator& op, double context) const;
    Term explainRead(const Operator& op, double context) const;

private:
    Affine spilledBytes(const Operator& op) const; ///< extra, and activations too large for L2
    Affine l2Activations(const Operator& op) const;

    const Machine& m_machine;
    Phase m_phase;
    double m_flops;     ///< FLOP/s reached
    double m_bandwidth; ///< B/s reached
};

} // namespace heteroscape::engine
