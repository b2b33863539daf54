// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace heteroscape::widgets {

/// Words of the canvas that no class of its own says.
inline QString tr(const char* text) {
    return QCoreApplication::translate("Canvas", text);
}

} // namespace heteroscape::widgets
