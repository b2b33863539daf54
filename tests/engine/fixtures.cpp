// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/fixtures.h"

#include "engine/claims/claims.h"
#include "engine/scenario/edit.h"
#include "tests/shipped_catalog.h"

#include <cmath>
#include <filesystem>
#include <stdlib.h>

namespace heteroscape::engine::test {

const Catalog& catalog() {
    return *shippedCatalog();
}

Scenario preset(const std::string& id) {
    return loadPreset(catalog(), id, "test");
}

Scenario with(Scenario scenario, const std::string& path, const std::string& text) {
    applyEdit(scenario, setEdit(scenario, catalog(), path, text));
    return scenario;
}

Scenario presetWith(const std::string& id, const std::vector<std::pair<std::string, std::string>>& settings) {
    auto scenario = preset(id);
    for (const auto& [path, text] : settings)
        scenario = with(std::move(scenario), path, text);
    return scenario;
}

std::string errorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    FAIL("no error was thrown");
    return {};
}

Quantity& quantityOf(Runtime& runtime, std::string_view path) {
    for (const auto& each : runtimeQuantities(runtime))
        if (each.path == path)
            return *each.quantity;
    FAIL("no figure " << std::string(path) << " of " << runtime.id);
    return runtime.weightBits;
}

const Quantity& quantityOf(const Runtime& runtime, std::string_view path) {
    for (const auto& each : runtimeQuantities(runtime))
        if (each.path == path)
            return *each.quantity;
    FAIL("no figure " << std::string(path) << " of " << runtime.id);
    return runtime.weightBits;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

double off(double value, double expected) {
    return std::fabs(value / expected - 1.0);
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heteroscape-test-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
        throw Error(ErrorCode::Io, pattern, "cannot make a temporary folder");
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace heteroscape::engine::test
