// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace heteroscape::widgets {

/// Gives up what is very large: where nobody else holds it, it is destroyed on another thread, since giving
/// back the memory of a million points takes longer than a picture may. So nothing in it may belong to the
/// UI thread. UI thread.
void letGo(std::shared_ptr<const void> value);

template <class Value>
void letGoOf(Value&& value) {
    letGo(std::make_shared<const std::decay_t<Value>>(std::forward<Value>(value)));
}

} // namespace heteroscape::widgets
