// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/time_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace heteroscape::widgets {

namespace {

struct TimeTextText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::TimeText)
};

} // namespace

QString timeText(const QDateTime& when, const QDateTime& now) {
    const QLocale english(QLocale::English); // as the rest of the window
    const auto days = when.date().daysTo(now.date());
    if (days == 0)
        return TimeTextText::tr("today %1").arg(english.toString(when.time(), QStringLiteral("HH:mm")));
    if (days == 1)
        return TimeTextText::tr("yesterday %1").arg(english.toString(when.time(), QStringLiteral("HH:mm")));
    return english.toString(when.date(), when.date().year() == now.date().year()
                                             ? QStringLiteral("d MMM")
                                             : QStringLiteral("d MMM yyyy"));
}

} // namespace heteroscape::widgets
