// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/report_dialog.h"

#include <QSignalSpy>
#include <QTest>

namespace heteroscape::widgets::test {

/// Whether the dialog writes its report there; returns when it has, or could not.
inline bool writes(ReportDialog& dialog, const QString& path) {
    const QSignalSpy written(&dialog, &ReportDialog::written);
    const QSignalSpy failed(&dialog, &ReportDialog::failed);
    dialog.writeTo(path);
    return QTest::qWaitFor([&] { return !written.isEmpty() || !failed.isEmpty(); }, 60000) &&
           failed.isEmpty();
}

} // namespace heteroscape::widgets::test
