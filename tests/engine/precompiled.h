// SPDX-License-Identifier: GPL-3.0-or-later
// What most engine tests include, for HETEROSCAPE_PCH. No file may rely on it: builds without it are the ones
// that are developed in.
#pragma once

#include "engine/evaluation/evaluate.h"
#include "engine/scenario/edit.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>
