// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"

#include <limits>
#include <string>

namespace heteroscape::engine {

/// A kind of attention layer: grouped-query, latent, gated delta rule. Its parameters are the figures of a
/// model's config.json. What a step of it computes is said by AttentionModel (engine/operators), which every
/// one is. Listed in engine/operators/attention_model.cpp. Elements are matrix elements of one layer; `tp`
/// devices share its heads.
class AttentionKind : public Kind {
public:
    using Kind::Kind;

    /// Elements on one of `tp` devices: what has no heads is whole on each.
    virtual double weights(const Settings& figures, double hidden, double tp) const = 0;
    /// B that one request of `tokens` keeps in one layer on one of `tp` devices; `element`: B of a cached
    /// element. A state that does not grow is counted whole.
    virtual double cacheBytes(const Settings& figures, double tokens, double element, double tp) const = 0;
    virtual double heads(const Settings& figures) const = 0; ///< more devices than these share no work
    /// Tokens beyond which one more changes nothing that the layer reads, but for `index`; endless otherwise.
    virtual double limit(const Settings&) const { return std::numeric_limits<double>::infinity(); }
    /// Whether one compressed vector stands for the keys and values of all heads.
    virtual bool isLatent() const { return false; }
    /// False for layers that are a network alone.
    virtual bool attends() const { return true; }
    /// "64 query heads, 8 KV heads of 128"
    virtual std::string words(const Settings& figures) const = 0;
    /// What tells the group from others in an operator's name: "window 128"; empty: nothing.
    virtual std::string mark(const Settings&) const { return {}; }
    /// What is wrong with the figures together, and the key; empty: nothing.
    struct Mistake {
        std::string_view key;
        std::string what;
        std::string remedy;
    };
    virtual Mistake mistake(const Settings&) const { return {}; }
};

Registry<AttentionKind>& attentionKinds();

/// Layers of one kind of attention. Groups alternate in a network; only their counts matter for time and
/// memory.
struct LayerGroup {
    double count = 1.0;
    const AttentionKind* attention = nullptr; ///< never null in a model that was read
    Settings figures;                         ///< of the kind
    std::string mark;                         ///< attention->mark(figures), kept: operators' names point here
    bool network = true;                      ///< whether its layers have a feed-forward network

    bool operator==(const LayerGroup&) const = default;
};

/// {"count": 61, "attention": {"kind": "mla", "heads": 128, ...}}, with "network": false where there is none;
/// throws Error naming the place.
LayerGroup readLayerGroup(const Json& json, const std::string& where, const Quantity& defaults);
Json writeLayerGroup(const LayerGroup& group);

} // namespace heteroscape::engine
