// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/attention_kind.h"
#include "engine/operators/layer_writer.h"

namespace heteroscape::engine {

/// A kind of attention with the operators of its layers. Equations: sections 3, 4.1 to 4.4 and 5 of the
/// specification of models of 2026 (moe_parallel).
class AttentionModel : public AttentionKind {
public:
    using AttentionKind::AttentionKind;

    /// Writes what follows the norm, up to and with the output projection. `input`: the norm.
    virtual void write(LayerWriter& writer, const Settings& figures, OperatorSet input) const = 0;

protected:
    static KindParameter count(std::string_view key, std::string_view label, double minimum, bool required,
                               std::string_view about) {
        return {{key, label, "", 1, minimum, 1 << 20, true, required, about}};
    }
};

const AttentionModel& groupedQueryAttention();
const AttentionModel& latentAttention();
const AttentionModel& gatedDeltaRule();

} // namespace heteroscape::engine
