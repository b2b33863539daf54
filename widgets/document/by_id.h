// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <unordered_map>

namespace heteroscape::widgets {

/// Nodes, links or notes by their ids, for who asks for very many. Of no use once the list changes.
template <class Items>
auto byId(const Items& items) {
    std::unordered_map<std::string_view, const typename Items::value_type*> found;
    found.reserve(items.size());
    for (const auto& item : items)
        found.emplace(item.id.value, &item);
    return found;
}

} // namespace heteroscape::widgets
