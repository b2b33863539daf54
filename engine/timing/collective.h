// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/link_type.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/term.h"

namespace heteroscape::engine {

/// How the devices of a tensor parallel pool sum up their partial results:
///   seconds = latency + r S / bandwidth,   r = 1 (literal) or 2 (n - 1) / n (ring), none for one device,
/// S the payload in bytes, bandwidth what one device sends each way. Literal is the sentence of PRESERVE
/// section 5 ("latency plus size over bandwidth"), ring the bandwidth-optimal algorithm (Patarasuk and Yuan,
/// J. Parallel Distrib. Comput. 2009).
struct Collective {
    double devices = 1.0;
    double bandwidth = 0.0; ///< B/s
    double latency = 0.0;   ///< s
    AllReduceConvention convention = AllReduceConvention::Literal;
    const LinkType* link = nullptr; ///< where bandwidth and latency are from, for explain(); may be null

    double trafficFactor() const; ///< r
    double allReduceSeconds(double payloadBytes) const;
    /// What of it the link is in use: r S / bandwidth. No step is shorter than that of all its allreduces,
    /// however well they hide behind other work.
    double transferSeconds(double payloadBytes) const;
    // How these come about; nothing for one device.
    Term explain(const Term& payloadBytes) const;
    Term explainTransfer(const Term& payloadBytes) const;

private:
    Term quantity(Quantity LinkType::*member, std::string name, double value, Measure measure) const;
};

} // namespace heteroscape::engine
