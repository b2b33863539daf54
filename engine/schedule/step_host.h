// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/server.h"
#include "engine/operators/operator_graph.h"
#include "engine/timing/step_cost.h"

#include <optional>

namespace heteroscape::engine {

/// What the host of a server makes of a step of the kernels (see Server). Of k seconds of kernels, L layers
/// (layer: with that of parallel experts) and n sequences of a rank:
///
///     decode    k + L layer + step + n sequence
///     prompts   max(k + f L layer, L eager) + step + n sequence
///
/// f: the server's factor on steps with prompts where ranks attend to requests of their own.
class StepHost {
public:
    /// `layers` of a copy of the model, which lies in `stages` one after the other. The shape is of one
    /// microbatch.
    StepHost(const Server& server, const Model& model, const StepShape& shape, double layers, double stages);

    StepCost with(StepCost kernels) const;
    double with(double kernels) const { return of(kernels, 1.0); }           ///< s
    double stageWith(double kernels) const { return of(kernels, m_stages); } ///< of one stage, s
    Term with(const Term& kernels) const;

private:
    double m_layers; ///< s, all of them
    double m_floor;  ///< s
    double m_step;   ///< s, with the sequences
    double m_stages;

    double of(double kernels, double stages) const;
};

} // namespace heteroscape::engine
