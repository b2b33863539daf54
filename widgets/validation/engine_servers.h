// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's measured servers. Headers of Qt make "slots" a keyword; there it is the name of a number.
#pragma once

#pragma push_macro("slots")
#undef slots
#include "engine/serving/servers/served_scenario.h"
#include "engine/validation/serving_validation.h"
#pragma pop_macro("slots")
