// SPDX-License-Identifier: GPL-3.0-or-later
// The techniques that ship with the engine. Who needs one alone includes its own header.
#pragma once

#include "engine/techniques/delayed_writeback.h"
#include "engine/techniques/disaggregation.h"
#include "engine/techniques/gpu_assist.h"
#include "engine/techniques/host_kv.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/techniques/load_merging.h"
#include "engine/techniques/speculation.h"
#include "engine/techniques/x_cache.h"
