// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_text.h"
#include "widgets/plots/part_look.h"

#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace heteroscape::widgets {

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
    return ChartColor::series(phase == ServingPhase::Prefill    ? kPrefillSeries
                              : phase == ServingPhase::HandOver ? kHandOverSeries
                                                                : kDecodeSeries);
}

QString phaseLabel(ServingPhase phase) {
    return QString::fromUtf8(engine::servingPhaseLabel(phase));
}

QString countText(double count) {
    return QString::fromStdString(engine::tickText(count));
}

QString segmentName(const RequestLanes& lanes, const engine::ServingSegment& segment) {
    const char* const letter = segment.phase == ServingPhase::Prefill    ? "P"
                               : segment.phase == ServingPhase::HandOver ? "KV"
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
             wait > 0.0 ? spanText(wait) : RequestsText::tr("not at all"),
             spanText(served->firstToken - arrival),
             spanText((served->finish - served->firstToken) / std::max(served->request.output, 1U)),
             spanText(served->finish - arrival));
}

} // namespace heteroscape::widgets
