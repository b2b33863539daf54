// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/claims/claims.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/document/document.h"
#include "widgets/plots/export_button.h"
#include "widgets/timeline/timeline_panel.h"
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_view.h"

#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Lane;
using engine::Work;

/// A timeline of a paper's design, fresh for each test.
class TimelineFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<TimelinePanel> m_panel;

    TimelineView* view() const { return m_panel->view(); }
    const TimelineTracks& tracks() const { return view()->tracks(); }

    std::size_t indexOf(std::size_t track, Lane lane, std::string_view key, int layer = 0) const {
        const auto all = tracks().at(track).segments(lane);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].data.key == key && all[i].data.layer == layer)
                return i;
        qFatal("no such segment");
        return 0;
    }
    const engine::TimelineSegment& segment(std::size_t track, Lane lane, std::string_view key) const {
        return tracks().at(track).segments(lane)[indexOf(track, lane, key)].data;
    }
    QPoint middleOf(std::size_t track, Lane lane, std::string_view key) const {
        return view()->rectOf(track, lane, indexOf(track, lane, key)).center().toPoint();
    }
    void hover(QPoint at) {
        QTest::mouseMove(view(), at + QPoint(0, 1));
        QTest::mouseMove(view(), at);
    }
    QString readOut(const QString& name) const {
        for (const auto& row : view()->readOut().rows())
            if (row.name == name)
                return QString(row.value).replace(QChar(0x202f), QLatin1Char(' '));
        return {};
    }
    static bool near(double value, double expected, double tolerance) {
        return std::abs(value - expected) <= tolerance;
    }

protected slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("preserve/llama3-70b-8npu");
        m_panel = std::make_unique<TimelinePanel>(m_document.get());
        expose(*m_panel, {1200, 280});
    }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
    }
};
