// SPDX-License-Identifier: GPL-3.0-or-later
// How much a timeline draws: it grows with the pixels, not with the step.
#include "engine/claims/claims.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/timeline/counting_device.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_view.h"

#include <QPainter>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace heteroscape;
using namespace heteroscape::widgets;

class TimelineWorkTest : public QObject {
    Q_OBJECT

private slots:
    void aLongStepDrawsNoMoreThanItsPixels() {
        Document document(shippedCatalog());
        document.openPreset("preserve/llama3-405b-32");
        TimelinePanel panel(&document);
        expose(panel, {1200, 280});
        auto& view = *panel.view();
        const auto& tracks = view.tracks();
        QCOMPARE(tracks.size(), std::size_t{2});
        QVERIFY(tracks[0].step().segments.size() > 126 * 18);
        const auto& layout = view.timelineLayout();
        // And the strip below, which shows the whole step.
        const auto lanes = static_cast<double>(tracks[0].lanes().size() + tracks[1].lanes().size() + 1);
        const double most = lanes * layout.lanes.width() / 2 + 500; // the rest: words, ticks, the legend
        const auto longer = tracks[0].step().segments.size() > tracks[1].step().segments.size() ? 0U : 1U;
        const auto segments = tracks[0].step().segments.size() + tracks[1].step().segments.size() +
                              tracks[longer].step().segments.size();
        qInfo() << segments << most;
        QVERIFY(static_cast<double>(segments) > 1.5 * most); // so that drawing them all would be seen
        int fewest = std::numeric_limits<int>::max();
        // From the whole step down to a layer, an operator and a small part of one.
        for (const double closer : {1.0, 2.0, 7.0, 30.0, 126.0, 1e3, 1e4, 1e5}) {
            view.setView({0.0, endOf(tracks) / closer});
            test::CountingDevice device(view.size());
            {
                QPainter painter(&device);
                TimelinePainter(painter, tracks, layout, view.view(), {}).paint();
            }
            // Two pixels are the narrowest that is drawn, five those that have an outline, a line and a name.
            QVERIFY2(device.drawn() < most,
                     qPrintable(QStringLiteral("%1 at %2").arg(device.drawn()).arg(closer)));
            fewest = std::min(fewest, device.drawn());
        }
        QVERIFY(fewest > 20);
    }
};

WIDGET_TEST(TimelineWorkTest)
#include "timeline_work_test.moc"
