// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

namespace heteroscape::widgets {

/// The one child of its kind that a document has, made when it is first asked for.
template <class Child, class Make>
Child& oneOf(Document& document, Make make) {
    auto* child = document.findChild<Child*>(QString(), Qt::FindDirectChildrenOnly);
    return child ? *child : *make();
}

} // namespace heteroscape::widgets
