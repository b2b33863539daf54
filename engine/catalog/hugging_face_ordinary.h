// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/hugging_face_family.h"
#include "engine/catalog/hugging_face_layers.h"

#include <string>

namespace heteroscape::engine {

/// An architecture that has no table of its own, as its keys say: a transformer by the usual names of what
/// it has, with what a few architectures have beyond their keys (a network without a gate, tied embeddings).
class OrdinaryArchitecture {
public:
    /// `name`: model_type, or the class. Throws Error naming a key.
    OrdinaryArchitecture(const ConfigReader& config, const std::string& name);
    OrdinaryArchitecture(const OrdinaryArchitecture&) = delete; // the family points to the layers
    OrdinaryArchitecture& operator=(const OrdinaryArchitecture&) = delete;

    const HuggingFaceFamily& family() const { return m_family; }
    /// What was taken for granted: "a network with a gate, embeddings that are not tied"; keys that nobody
    /// read are named by readHuggingFaceConfig().
    const std::string& assumed() const { return m_assumed; }

private:
    std::string m_name;
    std::string m_assumed;
    HuggingFaceKeys m_keys;
    HuggingFaceLayers m_layers;
    HuggingFaceFamily m_family;
};

} // namespace heteroscape::engine
