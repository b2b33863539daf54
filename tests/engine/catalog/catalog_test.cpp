// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <filesystem>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;
namespace fs = std::filesystem;

TEST_CASE("every shipped figure has a source") {
    const auto check = [](const std::string& id, const Quantity& quantity, std::string_view key) {
        CAPTURE(id);
        CAPTURE(std::string(key));
        if (quantity.isSet()) {
            CHECK(quantity.provenance != Provenance::User);
            CHECK_FALSE(quantity.source.empty());
        }
    };
    for (const auto& device : catalog().devices)
        for (const auto& field : deviceFields())
            check(device.id, device.*field.member, field.spec.key);
    for (const auto& model : catalog().models)
        for (const auto& field : modelFields())
            check(model.id, model.*field.member, field.spec.key);
    for (const auto& entry : catalog().runtimes)
        for (const auto& [path, spec, quantity] : runtimeQuantities(entry.base))
            check(entry.base.id, *quantity, path);
    for (const auto& type : catalog().linkTypes)
        for (const auto& field : linkTypeFields())
            check(type.id, type.*field.member, field.spec.key);
}

TEST_CASE("devices and models read back as they were written") {
    for (const auto& device : catalog().devices)
        CHECK(readDevice(writeDevice(device), "again") == device);
    for (const auto& model : catalog().models)
        CHECK(readModel(writeModel(model), "again") == model);
    for (const auto& entry : catalog().runtimes)
        CHECK(readRuntime(writeRuntime(entry.base), "again") == entry.base);
}

TEST_CASE("published parameter counts") {
    // Llama 2 and 3 papers: 6.74, 13.02 and 8.03 billion.
    CHECK(off(catalog().model("llama2-7b", "").parameters(), 6.738e9) < 0.001);
    CHECK(off(catalog().model("llama2-13b", "").parameters(), 13.016e9) < 0.001);
    CHECK(off(catalog().model("llama3-8b", "").parameters(), 8.030e9) < 0.001);
}

TEST_CASE("a refusal of a name says which are nearest") {
    const auto refusal = [](const char* wanted) {
        return errorOf([&] { catalog().device(wanted, "here"); });
    };
    CHECK(refusal("RTX 4090").find("Nearest: rtx-4090. Allowed: ") != std::string::npos);
    CHECK(refusal("4090").find("Nearest: rtx-4090. ") != std::string::npos);
    CHECK(refusal("h100sxn").find("Nearest: h100-sxm") != std::string::npos);
    CHECK(refusal("abacus").find("Nearest") == std::string::npos);
    CHECK(errorOf([] { catalog().model("Llama-3.1-8B", "here"); }).find("Nearest: llama3-1-8b") !=
          std::string::npos);
}

TEST_CASE("a runtime takes what was calibrated for the device") {
    const auto& eager = catalog().runtime("hf-eager", "");
    CHECK(quantityOf(eager.on(catalog().device("v100s", "")), "timing.prefill.compute_efficiency").value ==
          0.4077);
    CHECK(
        quantityOf(eager.on(catalog().device("a100-80gb", "")), "timing.prefill.compute_efficiency").value ==
        0.3853);
    CHECK(quantityOf(eager.base, "timing.prefill.compute_efficiency").provenance == Provenance::Assumed);
}

TEST_CASE("unknown ids list what there is") {
    const auto message = errorOf([] { catalog().device("u281", "here"); });
    CHECK(message.find("here: unknown device \"u281\"") == 0);
    CHECK(message.find("u280") != std::string::npos);
}

TEST_CASE("a bad device file names file, key and remedy") {
    const auto base = R"({"id": "x", "name": "X", "type": "gpu")";
    const auto message = [&](const std::string& rest) {
        return errorOf([&] { readDevice(parseJson(base + rest + "}", "x.json"), "x.json"); });
    };
    CHECK(message(R"(, "price_usd": "8000")").find("x.json.price_usd: expected a number, found a string") ==
          0);
    CHECK(message(R"(, "price_usd": -1)").find("x.json.price_usd: -1 is not allowed") == 0);
    CHECK(message(R"(, "memory_gb": {"value": 8, "unit": "GiB"})").find("Give the value in GB") !=
          std::string::npos);
    CHECK(message(R"(, "memory_gb": {"value": 8, "kind": "guess"})").find("Allowed: datasheet") !=
          std::string::npos);
    CHECK(message(R"(, "memory_channels": 1.5)").find("whole number") != std::string::npos);
    CHECK(message(R"(, "speed": 1)").find("x.json.speed: unknown key") == 0);
    CHECK(errorOf([&] {
              readDevice(parseJson(R"({"id": "../x", "name": "X", "type": "gpu"})", "f"), "f");
          }).find("is not an id") != std::string::npos);
    CHECK(errorOf([&] {
              readDevice(parseJson(R"({"id": "x", "name": "X", "type": "tpu"})", "f"), "f");
          }).find("Allowed: gpu, npu") != std::string::npos);
}

TEST_CASE("a broken presets folder is refused by file") {
    const TemporaryFolder folder;
    fs::copy(heteroscape::places::kPresetsFolder, folder.path() + "/p", fs::copy_options::recursive);
    const auto root = folder.path() + "/p";
    CHECK(loadCatalog(root).devices.size() == catalog().devices.size());
    const auto u280 = root + "/devices/u280.json";
    const auto text = readFile(u280);
    writeFileAtomically(u280, text.substr(0, text.size() / 2));
    CHECK(errorOf([&] { loadCatalog(root); }).find(u280) == 0);
    writeFileAtomically(u280, text);
    fs::rename(u280, root + "/devices/other.json");
    CHECK(errorOf([&] { loadCatalog(root); }).find("not the file's name") != std::string::npos);
}
