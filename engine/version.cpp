// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/version.h"

namespace heteroscape::engine {

const std::string_view kVersion = HETEROSCAPE_VERSION;

} // namespace heteroscape::engine
