// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/places.h"

namespace heteroscape::places {

const char* const kPresetsFolder = HETEROSCAPE_FOLDER "/presets";
const char* const kTestCases = HETEROSCAPE_FOLDER "/tests/cases";
const char* const kTestData = HETEROSCAPE_FOLDER "/tests/data";
const char* const kTreeFolder = HETEROSCAPE_FOLDER;
const char* const kFuzzCorpora = HETEROSCAPE_FOLDER "/tests/fuzz/corpora";

} // namespace heteroscape::places
