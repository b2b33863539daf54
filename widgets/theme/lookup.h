// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <type_traits>

namespace heteroscape::widgets {

/// One row of a table: what stands beside a key.
template <class Key, class Value>
struct Entry {
    Key key;
    Value value;
};

/// Words beside a key; marked with QT_TR_NOOP where they are translated.
template <class Key>
using Word = Entry<Key, const char*>;

/// What a table has beside a key; `otherwise` for one that it does not have.
template <class Key, class Value, std::size_t N>
constexpr Value lookUp(const Entry<Key, Value> (&table)[N], const std::type_identity_t<Key>& key,
                       const std::type_identity_t<Value>& otherwise = {}) {
    for (const auto& entry : table)
        if (entry.key == key)
            return entry.value;
    return otherwise;
}

} // namespace heteroscape::widgets
