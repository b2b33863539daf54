// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/study/study.h"
#include "tests/engine/fixtures.h"

#include <algorithm>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("an axis of systems offers exactly the shipped designs, not the studies beside them") {
    std::vector<std::string> ids;
    for (const auto& info : listPresets(catalog()))
        ids.push_back(info.id);
    const auto axis = parseAxis(preset("glitches/a100-7u280"), catalog(), "system=*");
    CHECK(axis.names == ids);
    for (const auto* id : {"glitches/a100-7u280", "preserve/llama3-405b-32", "inf2/opt-30b-a100-16csd"})
        CHECK(std::find(ids.begin(), ids.end(), id) != ids.end());
    for (const auto& id : ids)
        CHECK_FALSE(preset(id).nodes.empty());
}
