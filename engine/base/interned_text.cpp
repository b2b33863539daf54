// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/interned_text.h"

#include <functional>
#include <mutex>
#include <unordered_set>

namespace heteroscape::engine {

namespace {

struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

} // namespace

const std::string* InternedText::kept(std::string_view text) {
    if (text.empty())
        return nullptr;
    static std::mutex mutex;
    static auto& texts = *new std::unordered_set<std::string, Hash, std::equal_to<>>; // outlives all statics
    const std::lock_guard guard(mutex);
    const auto found = texts.find(text);
    return &*(found != texts.end() ? found : texts.emplace(text).first);
}

const std::string& InternedText::none() {
    static const auto& text = *new std::string;
    return text;
}

} // namespace heteroscape::engine
