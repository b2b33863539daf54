// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>

namespace heteroscape::widgets {

/// When something was, as one would say it at `now`: "today 14:32", "yesterday 09:05", "17 Nov", "3 Mar
/// 2025".
QString timeText(const QDateTime& when, const QDateTime& now);

} // namespace heteroscape::widgets
