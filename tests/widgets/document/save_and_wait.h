// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QTest>

namespace heteroscape::widgets {

/// Saves a design and waits until its file is there, or until it was refused.
inline void saveAndWait(Document& document, const QString& path) {
    document.save(path);
    QTRY_VERIFY_WITH_TIMEOUT(!document.file().isSaving(), 30000);
}

} // namespace heteroscape::widgets
