// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/inspector/inspector.h"

#include <memory>

namespace heteroscape::widgets {

/// Has an inspector make each page whole at once: for tests that look at rows which come some turns of the
/// event loop later.
inline void wholePages(Inspector& inspector, const Document& document) {
    inspector.finish();
    for (const auto changed :
         {&Document::changed, &Document::evaluated, &Document::selectionChanged, &Document::reset})
        QObject::connect(&document, changed, &inspector, &Inspector::finish);
}

/// A document and the inspector over it, which each test starts anew.
class InspectorFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Inspector> m_inspector;

    /// High enough, everything is in sight.
    void start(int height, bool whole = true) {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        m_inspector = std::make_unique<Inspector>(m_document.get());
        if (whole)
            wholePages(*m_inspector, *m_document);
        present(m_inspector.get(), {296, height});
    }
    /// A field of the page: in no folded section.
    template <class Field>
    Field* shown(const std::string& path) const {
        for (auto* field : m_inspector->findChildren<Field*>())
            if (field->path() == path && field->isVisibleTo(m_inspector.get()))
                return field;
        return nullptr;
    }
    QString shownText() const { return words(m_inspector.get()); }

protected slots:
    void cleanup() {
        m_inspector.reset();
        m_document.reset();
    }
};

} // namespace heteroscape::widgets
