// SPDX-License-Identifier: GPL-3.0-or-later
// What the texts make is held to the design in tests/python/test_text.py; here, how they read.
#include "engine/scenario/design_text.h"

#include "engine/scenario/edit.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kServed = "served/gpt-oss-120b-h100";

} // namespace

TEST_CASE(
    "a design that comes of another is told by what was set, each thing once and in an order that works") {
    const DesignOrigin origin{kServed, preset(kServed)};
    CHECK(pythonText(origin.scenario, catalog(), &origin) ==
          "import heteroscape\n\ndesign = heteroscape.design(\"served/gpt-oss-120b-h100\")\n");
    CHECK(commandText(origin.scenario, catalog(), &origin) ==
          "heteroscape-cli evaluate served/gpt-oss-120b-h100\n");

    auto design = with(origin.scenario, "workload.batch", "5");
    design = with(design, "nodes.gpu.device", "h200-sxm");
    design = with(design, "nodes.gpu.device.memory_bandwidth_gbps", "4321.5");
    design = with(design, "workload.batch", "7");
    CHECK(commandText(design, catalog(), &origin) ==
          "heteroscape-cli evaluate served/gpt-oss-120b-h100 \\\n    --set workload.batch=7 \\\n"
          "    --set nodes.gpu.device=h200-sxm \\\n"
          "    --set nodes.gpu.device.memory_bandwidth_gbps=4321.5\n");
    design.name = "A \"name\"";
    CHECK(pythonText(design, catalog(), &origin) ==
          "import heteroscape\n\ndesign = heteroscape.design(\"served/gpt-oss-120b-h100\")\n"
          "design[\"workload.batch\"] = 7\ndesign[\"nodes.gpu.device\"] = \"h200-sxm\"\n"
          "design[\"nodes.gpu.device.memory_bandwidth_gbps\"] = 4321.5\n"
          "design.name = \"A \\\"name\\\"\"\n");
}

TEST_CASE("nodes that are gone, and a design without an origin, are told whole") {
    const DesignOrigin origin{"glitches/a100-7u280", preset("glitches/a100-7u280")};
    auto design = origin.scenario;
    applyEdit(design, removeEdit(design, {design.nodes.back().id}, {}));
    for (const auto* from : {&origin, static_cast<const DesignOrigin*>(nullptr)}) {
        const auto python = pythonText(design, catalog(), from);
        CHECK(contains(python, "design = heteroscape.design({\n"));
        CHECK_FALSE(contains(python, "true"));
        const auto command = commandText(design, catalog(), from);
        CHECK(command.starts_with("cat > design.hscape <<'END'\n{\n"));
        CHECK(command.ends_with("\nEND\nheteroscape-cli evaluate design.hscape\n"));
    }
}

TEST_CASE("the path of a file is a word of the shell") {
    const DesignOrigin origin{"it's mine.hscape", preset(kServed)};
    CHECK(commandText(origin.scenario, catalog(), &origin) ==
          "heteroscape-cli evaluate 'it'\\''s mine.hscape'\n");
    CHECK(
        contains(pythonText(origin.scenario, catalog(), &origin), "heteroscape.open(\"it's mine.hscape\")"));
}
