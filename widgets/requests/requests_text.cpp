// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_text.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart_style.h"
#include "widgets/requests/requests_painter.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr double kFaintest = 0.22; ///< share as which the least is drawn
constexpr double kSteps = 32.0;    ///< shades, so that neighbours that look alike are one colour

using Shares = std::array<double, engine::kServingPhaseCount>;

} // namespace

QColor coverageColor(const Shares& share, ChartStyle style, double strength) {
    double sum = 0.0;
    for (const double part : share)
        sum += part;
    const auto ground = style.role(ColorRole::Surface);
    if (sum <= 0.0)
        return ground;
    const double scale = std::clamp(sum, kFaintest, 1.0) / sum * strength;
    double red = 0.0, green = 0.0, blue = 0.0, filled = 0.0;
    for (std::size_t i = 0; i < share.size(); ++i) {
        const auto color = style.color(phaseColor(static_cast<engine::ServingPhase>(i)));
        const double part = std::round(share[i] * scale * kSteps) / kSteps;
        filled += part;
        red += part * color.redF();
        green += part * color.greenF();
        blue += part * color.blueF();
    }
    const double rest = std::max(0.0, 1.0 - filled);
    const auto level = [rest](double mixed, double of) {
        return static_cast<float>(std::clamp(mixed + rest * of, 0.0, 1.0));
    };
    return QColor::fromRgbF(level(red, ground.redF()), level(green, ground.greenF()),
                            level(blue, ground.blueF()));
}

QImage overviewPicture(const RequestLanes& lanes, QSize dots, int leastDots, ChartStyle style) {
    QImage image(dots, QImage::Format_RGB32);
    image.fill(style.role(ColorRole::Sunken));
    const auto count = static_cast<int>(lanes.lanes().size());
    if (count == 0 || dots.isEmpty())
        return image;
    const int lines = std::min(count, std::max(1, dots.height() / std::max(leastDots, 1)));
    const auto columns = static_cast<std::size_t>(dots.width());
    const auto whole = lanes.whole();
    const double cell = whole.length() / dots.width();
    for (int line = 0; line < lines; ++line) {
        const int first = line * count / lines, last = std::max(first + 1, (line + 1) * count / lines);
        std::vector<Shares> shares(columns);
        for (int lane = first; lane < last; ++lane)
            for (const auto& mark :
                 lanes.bins().marks(static_cast<std::size_t>(lane), whole.from, whole.to, cell)) {
                const double from = (mark.start - whole.from) / cell, to = (mark.end - whole.from) / cell;
                auto column = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
                for (; column < columns && static_cast<double>(column) < to; ++column) {
                    const auto left = static_cast<double>(column);
                    const double part = std::min(to, left + 1.0) - std::max(from, left);
                    for (std::size_t phase = 0; phase < mark.share.size(); ++phase)
                        shares[column][phase] += part * mark.share[phase] / (last - first);
                }
            }
        const int top = line * dots.height() / lines, bottom = (line + 1) * dots.height() / lines;
        const int gap = bottom - top > 2 * leastDots ? leastDots / 2 + leastDots % 2 : 0;
        for (std::size_t column = 0; column < columns; ++column) {
            if (std::all_of(shares[column].begin(), shares[column].end(),
                            [](double part) { return part <= 0.0; }))
                continue;
            const auto color = coverageColor(shares[column], style, 1.0).rgb();
            for (int y = top; y < bottom - gap; ++y)
                image.setPixel(static_cast<int>(column), y, color);
        }
    }
    return image;
}

namespace {

constexpr double kSwatch = 16.0, kSwatchHeight = 11.0;
constexpr double kGap = 5.0, kBetween = 14.0;
constexpr std::array kPhases{engine::ServingPhase::Prefill, engine::ServingPhase::KvTransfer,
                             engine::ServingPhase::Decode};

} // namespace

double phaseLegendWidth(ChartStyle style) {
    const QFontMetricsF metrics(style.font());
    double width = -kBetween;
    for (const auto phase : kPhases)
        width += kSwatch + kGap + metrics.horizontalAdvance(phaseLabel(phase)) + kBetween;
    return std::ceil(width) + 1.0;
}

void paintPhaseLegend(QPainter& painter, const QRectF& rect, ChartStyle style, bool right) {
    painter.setFont(style.font());
    const QFontMetricsF metrics(style.font());
    double x = right ? rect.right() - phaseLegendWidth(style) : rect.left();
    for (const auto phase : kPhases) {
        paintPhase(painter, QRectF(x, rect.center().y() - kSwatchHeight / 2.0, kSwatch, kSwatchHeight), phase,
                   style);
        x += kSwatch + kGap;
        const auto label = phaseLabel(phase);
        const double width = metrics.horizontalAdvance(label);
        painter.setPen(style.role(ColorRole::Text2));
        painter.drawText(QRectF(x, rect.top(), width + 4.0, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         label);
        x += width + kBetween;
    }
}

RequestsLegend::RequestsLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    setAccessibleName(tr("Colours: prefill, KV transfer, decode"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize RequestsLegend::sizeHint() const {
    return {static_cast<int>(phaseLegendWidth({})), 18};
}

void RequestsLegend::paintEvent(QPaintEvent*) {
    if (width() + 1 < sizeHint().width())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPhaseLegend(painter, rect(), {}, true);
}

namespace {

using engine::ServingPhase;

struct RequestsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Requests)
};

QString lowered(QString words) {
    if (words.size() > 1 && words[1].isLower())
        words[0] = words[0].toLower();
    return words;
}

QString requestsName(const RequestLanes& lanes, const engine::ServingSegment& segment) {
    return segment.requests == 1
               ? QString::number(segment.request)
               : QStringLiteral("%1\u2013%2").arg(segment.request).arg(lanes.lastRequest(segment));
}

} // namespace

ChartColor phaseColor(ServingPhase phase) {
    return ChartColor::series(phase == ServingPhase::Prefill      ? kPrefillSeries
                              : phase == ServingPhase::KvTransfer ? kTransferSeries
                                                                  : kDecodeSeries);
}

QString phaseLabel(ServingPhase phase) {
    return QString::fromUtf8(engine::servingPhaseLabel(phase));
}

QString countText(double count) {
    return QString::fromStdString(engine::tickText(count));
}

QString segmentName(const RequestLanes& lanes, const engine::ServingSegment& segment) {
    const char* const letter = segment.phase == ServingPhase::Prefill      ? "P"
                               : segment.phase == ServingPhase::KvTransfer ? "KV"
                                                                           : "D";
    return QString::fromLatin1(letter) + requestsName(lanes, segment);
}

QString readOutHeading(const RequestLanes& lanes, const engine::ServingSegment& segment) {
    const auto which = segment.requests == 1
                           ? RequestsText::tr("Request %1").arg(requestsName(lanes, segment))
                           : RequestsText::tr("Requests %1").arg(requestsName(lanes, segment));
    return RequestsText::tr("%1, %2").arg(which, lowered(phaseLabel(segment.phase)));
}

std::vector<ReadOut::Row> readOutRows(const RequestLanes& lanes, const engine::ServingSegment& segment) {
    std::vector<ReadOut::Row> rows;
    const auto& lane = lanes.lanes()[segment.lane];
    rows.push_back(
        {RequestsText::tr("Lane"),
         lane.place.isEmpty() ? lane.title : RequestsText::tr("%1, %2").arg(lane.title, lane.place),
         {}});
    rows.push_back({RequestsText::tr("Time"), betweenText(segment.start, segment.end), {}});
    rows.push_back({RequestsText::tr("Length"), spanText(segment.end - segment.start), {}});
    if (segment.requests > 1)
        rows.push_back({RequestsText::tr("Static batch"),
                        RequestsText::tr("%1 requests").arg(countText(segment.requests)),
                        {}});
    if (segment.waited > 0.0 && segment.reason != engine::WaitReason::None) {
        rows.push_back({RequestsText::tr("Waited before"), spanText(segment.waited), {}});
        rows.push_back(
            {RequestsText::tr("Because"), QString::fromUtf8(engine::waitReasonText(segment.reason)), {}});
    } else {
        rows.push_back({RequestsText::tr("Waited before"), RequestsText::tr("no"), {}});
    }
    return rows;
}

QString runText(const RequestLanes& lanes) {
    const auto& serving = lanes.run().scenario.serving;
    const auto& result = lanes.result();
    const auto count = countText(static_cast<double>(result.arrived + result.refused));
    auto said = QString::fromStdString(serving.arrivals->describe(serving, count.toStdString()));
    if (!lanes.isComplete())
        said = RequestsText::tr("%1; the first %2 are recorded")
                   .arg(said, countText(static_cast<double>(lanes.recorded())));
    if (result.refused > 0)
        said = RequestsText::tr("%1; %2 refused: no memory for their KV cache")
                   .arg(said, countText(static_cast<double>(result.refused)));
    return said;
}

QString storyText(const RequestLanes& lanes, std::uint32_t request) {
    const auto* served = lanes.served(request);
    if (!served)
        return lanes.segmentsOf(request).empty()
                   ? RequestsText::tr("Request %1 is not recorded").arg(request)
                   : RequestsText::tr("Request %1 is not finished").arg(request);
    const double arrival = served->request.arrival;
    const double wait = served->prefillStart - arrival;
    return RequestsText::tr("Request %1: arrived at %2, waited %3, TTFT %4, TPOT %5, end to end %6")
        .arg(request)
        .arg(arrival > 0.0 ? spanText(arrival) : QStringLiteral("0") + kThinSpace + RequestsText::tr("s"),
             wait > 0.0 ? spanText(wait) : RequestsText::tr("not at all"), spanText(served->ttft()),
             spanText(std::isnan(served->tpot()) ? 0.0 : served->tpot()), spanText(served->latency()));
}

} // namespace heteroscape::widgets

#include "moc_requests_text.cpp"
