// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace heteroscape::widgets {

/// Asks where a file shall be written; a name without a suffix gets `suffix` before the dialog asks whether
/// to overwrite what is there. `suggestion`: a whole path; `kind`: "PNG picture". Empty when it was
/// cancelled.
QString askSavePath(QWidget* parent, const QString& title, const QString& suggestion, const QString& kind,
                    const QString& suffix);

} // namespace heteroscape::widgets
