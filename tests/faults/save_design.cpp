// SPDX-License-Identifier: GPL-3.0-or-later
// Saves a shipped design into a file, as the window does: save_design PRESETS ID FILE.
#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"

#include <cstdio>
#include <new>

int main(int argc, char** argv) {
    using namespace heteroscape::engine;
    if (argc != 4)
        return 2;
    try {
        saveScenario(loadPreset(loadCatalog(argv[1]), argv[2], "design"), argv[3]);
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "save_design: %s\n", error.what());
    } catch (const std::bad_alloc&) {
        std::fputs("save_design: could not finish: out of memory\n", stderr);
    }
    return 3;
}
