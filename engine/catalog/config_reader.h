// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/model.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A lenient view onto a Hugging Face config.json, which holds far more keys than a model has fields. Keys
/// may be several names separated by spaces, the first that is there wins; a dot steps into an object
/// ("attn_config.kv_n_heads"). It keeps which were asked for. Throws Error naming file and key.
class ConfigReader {
public:
    /// Keeps a reference to `json`, an object.
    ConfigReader(const Json& json, std::string where)
        : m_json(json), m_where(std::move(where)), m_asked(std::make_shared<std::set<std::string>>()) {}

    std::string place(std::string_view key) const { return m_where + "." + std::string(key); }
    /// The first of them that is there and not null; null where none is.
    const Json* find(std::string_view keys) const;
    std::string_view nameOf(std::string_view keys) const; ///< of that; the first where none is
    bool isAbsent(std::string_view keys) const; ///< none of them is there; one that is null is there
    bool has(std::string_view keys) const { return find(keys) != nullptr; }
    std::string text(std::string_view keys) const;         ///< empty when absent or not a string
    bool flag(std::string_view keys, bool fallback) const; ///< the fallback when absent or null

    /// A number within the limits of the model's field, or a list of nothing but that number; NaN when absent
    /// or null.
    double count(std::string_view keys, Quantity Model::*member) const;
    /// As count(); when absent or null the fallback, or an error where that is 0.
    double need(std::string_view keys, Quantity Model::*member, double fallback = 0.0) const;
    /// A whole number from `least` to `most`; NaN when absent or null.
    double whole(std::string_view keys, double least, double most) const;
    /// A list; null when absent or null.
    const Json* list(std::string_view keys) const;
    /// True when it is a number above `limit`, or a list that is not empty.
    bool exceeds(std::string_view key, double limit) const;

    /// Names on the top level whose value, neither null nor false, nobody has asked for, sorted.
    std::vector<std::string> unread() const;

private:
    double number(std::string_view keys, const FieldSpec& spec) const;
    const Json* one(std::string_view key) const;

    const Json& m_json;
    std::string m_where;
    std::shared_ptr<std::set<std::string>> m_asked;
};

} // namespace heteroscape::engine
