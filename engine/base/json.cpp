// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"

#include "engine/base/error.h"
#include "engine/base/file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxValues = 4'000'000; // of a design at its limits about 2,500,000
constexpr std::size_t kMaxText = 4096;

std::string lineAndColumn(std::string_view text, std::size_t byte) {
    const auto head = text.substr(0, std::min(byte, text.size()));
    const auto line = std::count(head.begin(), head.end(), '\n') + 1;
    const auto lastBreak = head.rfind('\n');
    const auto column = lastBreak == std::string_view::npos ? head.size() + 1 : head.size() - lastBreak;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

bool isEmptyText(const Json& json) {
    const auto* text = json.get_ptr<const std::string*>();
    return text && text->empty();
}

/// Builds the document while it is read, so that what is too deep, too much or given twice ends the reading.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
public:
    explicit DocumentBuilder(const std::string& where) : m_where(where) {}

    Json take() { return std::move(m_document); }
    std::size_t failedAt() const { return m_failedAt; } ///< byte, counted from 1
    bool tooLarge() const { return m_tooLarge; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& key) override {
        auto& members = m_open.back()->get_ref<Json::object_t&>();
        const auto [member, isNew] = members.try_emplace(std::move(key));
        if (!isNew)
            throwInvalid(m_where, "key \"" + member->first.substr(0, 80) + "\" is given twice",
                         "Keep one of them");
        m_next = &member->second;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::json::exception& error) override {
        m_failedAt = position;
        m_tooLarge = dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr;
        return false;
    }

private:
    const std::string& m_where;
    Json m_document;
    std::vector<Json*> m_open;  ///< arrays and objects, the innermost last
    Json* m_next = &m_document; ///< where the next value goes; in an array, behind its end
    std::size_t m_count = 0;
    std::size_t m_failedAt = 0;
    bool m_tooLarge = false;

    template <class Value>
    bool add(Value&& value) {
        if (++m_count > kMaxValues)
            throwInvalid(m_where, "more than 4,000,000 values", "This is not a Heteroscape file");
        if (!m_open.empty() && m_open.back()->is_array())
            m_next = &m_open.back()->get_ref<Json::array_t&>().emplace_back();
        *m_next = std::forward<Value>(value);
        return true;
    }

    bool open(Json&& container) {
        if (m_open.size() == kMaxDepth)
            throwInvalid(m_where, "nested deeper than " + std::to_string(kMaxDepth) + " levels",
                         "Flatten the file");
        add(std::move(container));
        m_open.push_back(m_next);
        return true;
    }

    bool close() {
        m_open.pop_back();
        return true;
    }
};

} // namespace

Json parseJson(std::string_view text, const std::string& where) {
    DocumentBuilder builder(where);
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
        return builder.take();
    if (text.empty())
        throwInvalid(where, "the file is empty", "Give a JSON document");
    if (builder.tooLarge())
        throwInvalid(where, "a number is too large for a double", "Use a number below 1e308");
    const auto byte = builder.failedAt();
    const bool truncated = byte >= text.size();
    throwInvalid(where + ", " + lineAndColumn(text, byte == 0 ? 0 : byte - 1),
                 truncated ? "the JSON ends too early" : "not valid JSON",
                 truncated ? "The file looks truncated: restore it from its source"
                           : "Check quotes, commas and brackets there");
}

void checkText(std::string_view text, const std::string& where) {
    if (text.size() > kMaxText)
        throwInvalid(where, "longer than 4096 bytes", "Shorten it");
}

Json readJsonFile(const std::string& path) {
    return parseJson(readFile(path), path);
}

JsonObject::JsonObject(const Json& json, std::string where) : m_json(json), m_where(std::move(where)) {
    if (!json.is_object())
        throwInvalid(m_where, "expected an object, found " + std::string(jsonTypeName(json)),
                     "Write it as { ... }");
}

std::string JsonObject::place(std::string_view key) const {
    return m_where + "." + std::string(key);
}

bool JsonObject::has(std::string_view key) const {
    return m_json.contains(key);
}

const Json* JsonObject::find(std::string_view key) {
    m_known.emplace_back(key);
    const auto it = m_json.find(key);
    return it == m_json.end() ? nullptr : &*it;
}

const Json& JsonObject::require(std::string_view key) {
    const auto* value = find(key);
    if (!value)
        throwInvalid(place(key), "missing", "Add the key \"" + std::string(key) + "\"");
    return *value;
}

std::string JsonObject::text(std::string_view key) {
    const auto& value = require(key);
    if (!value.is_string())
        throwInvalid(place(key), "expected a string, found " + std::string(jsonTypeName(value)));
    auto result = value.get<std::string>();
    if (result.empty())
        throwInvalid(place(key), "must not be empty");
    checkText(result, place(key));
    return result;
}

std::string JsonObject::text(std::string_view key, std::string fallback) {
    if (!m_json.contains(key) || m_json.find(key)->is_null() || isEmptyText(*m_json.find(key))) {
        m_known.emplace_back(key);
        return fallback;
    }
    return text(key);
}

bool JsonObject::boolean(std::string_view key, bool fallback) {
    const auto* value = find(key);
    if (!value)
        return fallback;
    if (!value->is_boolean())
        throwInvalid(place(key), "expected true or false, found " + std::string(jsonTypeName(*value)));
    return value->get<bool>();
}

long long JsonObject::integer(std::string_view key, long long minimum, long long maximum) {
    const auto& value = require(key);
    const auto range = "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum);
    if (!value.is_number_integer())
        throwInvalid(place(key), "expected " + range + ", found " + std::string(jsonTypeName(value)));
    const auto number = value.is_number_unsigned() && value.get<unsigned long long>() > 9223372036854775807ULL
                            ? 9223372036854775807LL
                            : value.get<long long>();
    if (number < minimum || number > maximum)
        throwInvalid(place(key), "expected " + range + ", found " + value.dump());
    return number;
}

JsonObject JsonObject::object(std::string_view key) {
    return JsonObject(require(key), place(key));
}

const Json& JsonObject::array(std::string_view key) {
    const auto& value = require(key);
    if (!value.is_array())
        throwInvalid(place(key), "expected an array, found " + std::string(jsonTypeName(value)),
                     "Write it as [ ... ]");
    return value;
}

void JsonObject::allow(std::initializer_list<std::string_view> keys) {
    m_known.insert(m_known.end(), keys.begin(), keys.end());
}

void JsonObject::finish() const {
    for (const auto& [key, value] : m_json.items()) {
        if (std::find(m_known.begin(), m_known.end(), key) != m_known.end())
            continue;
        std::set<std::string> sorted(m_known.begin(), m_known.end());
        std::string list;
        for (const auto& known : sorted)
            list += (list.empty() ? "" : ", ") + known;
        throwInvalid(place(std::string_view(key).substr(0, 80)), "unknown key", "Allowed here: " + list);
    }
}

std::string_view jsonTypeName(const Json& json) {
    switch (json.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::boolean:
        return "true or false";
    case Json::value_t::string:
        return "a string";
    case Json::value_t::array:
        return "an array";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
        return "a number";
    default:
        return "binary data";
    }
}

namespace {

/// Infinity and NaN, which Python writes outside of texts, as the largest number and as null.
std::string withoutPythonsNumbers(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNumbers{
        std::pair{std::string_view("Infinity"), std::string_view("1.7e308 ")},
        std::pair{std::string_view("NaN"), std::string_view("null")}};
    std::string plain;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted && text[i] == '\\' && i + 1 < text.size()) {
            plain.append(text, i++, 2);
            continue;
        }
        quoted = quoted != (text[i] == '"');
        const auto number = std::find_if(kNumbers.begin(), kNumbers.end(), [&](const auto& one) {
            return !quoted && std::string_view(text).substr(i).starts_with(one.first);
        });
        if (number == kNumbers.end()) {
            plain += text[i];
            continue;
        }
        plain += number->second;
        i += number->first.size() - 1;
    }
    return plain;
}

} // namespace

Json parsePythonsJson(const std::string& text, const std::string& where) {
    return parseJson(withoutPythonsNumbers(text), where);
}

} // namespace heteroscape::engine
