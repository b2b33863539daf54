// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_style.h"

#include "widgets/theme/plain_text.h"

namespace heteroscape::widgets {

namespace {

using Kind = engine::BatchPart::Kind;
using engine::Metric;

constexpr Entry<Kind, int> kKinds[]{{Kind::Prefill, kPrefillSeries},
                                    {Kind::KvTransfer, kTransferSeries},
                                    {Kind::Attention, kDecodeSeries},
                                    {Kind::FeedForward, 1},
                                    {Kind::AllReduce, 3},
                                    {Kind::Head, 7},
                                    {Kind::Host, 6},
                                    {Kind::Waiting, 5}};

/// Of waits for what is offloaded.
constexpr Entry<Metric, int> kWaits[]{{Metric::DecodeWeights, 1},      {Metric::DecodeKvRead, 4},
                                      {Metric::DecodeKvWrite, 5},      {Metric::DecodeHostAttention, 6},
                                      {Metric::DecodeCsdAttention, 0}, {Metric::DecodeQkv, 3},
                                      {Metric::DecodeXCache, 7}};

} // namespace

ChartColor partColor(const engine::BatchPart& part) {
    return ChartColor::series(part.kind == Kind::Offload ? lookUp(kWaits, part.metric, kDecodeSeries)
                                                         : lookUp(kKinds, part.kind));
}

bool isHatched(const engine::BatchPart& part) {
    return part.kind == Kind::Waiting ||
           (part.kind == Kind::Offload && part.metric != engine::Metric::DecodeAccelerator);
}

} // namespace heteroscape::widgets
