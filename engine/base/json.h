// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Keys sorted, so output is stable. Only named here: what reads or writes values includes
/// <nlohmann/json.hpp>, which takes a second to compile.
using Json = nlohmann::json;

/// Parses strict JSON in linear time. Refuses duplicate keys, nesting deeper than 64, more than 4,000,000
/// values (all told at once, before the rest is read) and numbers beyond double. Errors name `where`, line
/// and column.
Json parseJson(std::string_view text, const std::string& where);
/// The same of what Python wrote: Infinity is read as the largest number, NaN as null.
Json parsePythonsJson(const std::string& text, const std::string& where);

/// Reads a file of at most 64 MiB and parses it. Errors name the file.
Json readJsonFile(const std::string& path);

/// Refuses a text that is too long to be read from a file: more than 4096 bytes.
void checkText(std::string_view text, const std::string& where);

/// A strict view onto one JSON object: every read names its place on error, and finish() refuses
/// keys that nobody asked for. `where` is the file or the path down to this object.
class JsonObject {
public:
    JsonObject(const Json& json, std::string where);

    const std::string& where() const { return m_where; }
    std::string place(std::string_view key) const; ///< "where.key", for messages

    bool has(std::string_view key) const;
    const Json* find(std::string_view key);    ///< null when absent; marks the key as known
    const Json& require(std::string_view key); ///< throws when absent
    std::string text(std::string_view key);    ///< required, non-empty string of at most 4096 bytes
    std::string text(std::string_view key, std::string fallback);
    bool boolean(std::string_view key, bool fallback);
    long long integer(std::string_view key, long long minimum, long long maximum);
    JsonObject object(std::string_view key); ///< required
    const Json& array(std::string_view key); ///< required

    /// Declares keys that are allowed here although nothing has read them.
    void allow(std::initializer_list<std::string_view> keys);
    /// Throws when the object holds a key that was never read or allowed; the message lists what is.
    void finish() const;

private:
    const Json& m_json;
    std::string m_where;
    std::vector<std::string> m_known;
};

/// The type of a JSON value in plain words, for messages: "a string", "a number".
std::string_view jsonTypeName(const Json& json);

} // namespace heteroscape::engine
