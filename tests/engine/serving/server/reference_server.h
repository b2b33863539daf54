// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/server.h"

namespace heteroscape::engine {

/// The same rules once more, slowly: every step for itself, every sum made anew, every list searched. Written
/// from silicon serving, sections 3 and 6, and the comments of ServerSimulator, not from its code.
std::vector<ServedAnswer> referenceServer(const ServerTraffic& traffic, const ServerSettings& settings,
                                          const StepModel& model);
std::vector<ServedAnswer> referenceDisaggregated(const ServerTraffic& traffic, const ServerSettings& prefill,
                                                 const StepModel& prefillModel, const ServerSettings& decode,
                                                 const StepModel& decodeModel, const Disaggregation& split);

} // namespace heteroscape::engine
