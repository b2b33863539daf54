// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of this checkout, for tests, benchmarks and fuzzers.
#pragma once

namespace heteroscape::places {

extern const char* const kPresetsFolder;
extern const char* const kTestCases;
extern const char* const kTestData;
extern const char* const kTreeFolder; ///< the top one
extern const char* const kFuzzCorpora;

} // namespace heteroscape::places
