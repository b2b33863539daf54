// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/inspector/inspector.h"

namespace heteroscape::widgets::test {

/// Has an inspector make each page whole at once: for tests that look at rows which come some turns of the
/// event loop later.
inline void wholePages(Inspector& inspector, const Document& document) {
    inspector.finish();
    for (const auto changed :
         {&Document::changed, &Document::evaluated, &Document::selectionChanged, &Document::reset})
        QObject::connect(&document, changed, &inspector, &Inspector::finish);
}

} // namespace heteroscape::widgets::test
