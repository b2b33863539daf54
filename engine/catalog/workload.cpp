// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/workload.h"

#include "engine/catalog/named.h"

#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

const std::array<Field<Workload>, 3> kWorkloadFields{{
    {{"batch", "Batch", "", 1, 1, 65536, true, true,
      "Requests that one device, or one pool of tensor parallel devices, works on together."},
     &Workload::batch},
    {{"prompt_tokens", "Prompt", "tok", 1, 1, 1 << 22, true, true,
      "Tokens of a request that are read before the first one is made."},
     &Workload::promptTokens},
    {{"output_tokens", "Output", "tok", 1, 1, 1 << 22, true, true,
      "Tokens decoded after the prefill; the prefill's own token is not counted."},
     &Workload::outputTokens},
}};

} // namespace

std::span<const Field<Workload>> workloadFields() {
    return kWorkloadFields;
}

Workload readWorkload(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Workload workload;
    if (object.has("id"))
        workload.id = readId(object, "id");
    workload.name = object.text("name", "");
    const auto defaults = readDefaultSource(object);
    for (const auto& field : workloadFields()) {
        const bool optional = field.member == &Workload::batch;
        if (const auto* quantity = optional ? object.find(field.spec.key) : &object.require(field.spec.key))
            workload.*field.member =
                readQuantity(field.spec, *quantity, object.place(field.spec.key), defaults);
    }
    object.finish();
    return workload;
}

Json writeWorkload(const Workload& workload) {
    Json json = Json::object();
    writeText(json, "id", workload.id);
    writeText(json, "name", workload.name);
    writeFields(workload, workloadFields(), json);
    return json;
}

} // namespace heteroscape::engine
