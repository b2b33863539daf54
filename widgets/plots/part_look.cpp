// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/part_look.h"

namespace heteroscape::widgets {

namespace {
using Kind = engine::BatchPart::Kind;
}

ChartColor partColor(const engine::BatchPart& part) {
    switch (part.kind) {
    case Kind::Prefill:
        return ChartColor::series(0);
    case Kind::HandOver:
        return ChartColor::series(4);
    case Kind::Attention:
        return ChartColor::series(2);
    case Kind::FeedForward:
        return ChartColor::series(1);
    case Kind::AllReduce:
        return ChartColor::series(3);
    case Kind::Head:
        return ChartColor::series(7);
    case Kind::Offload:
        break;
    }
    switch (part.metric) {
    case engine::Metric::DecodeWeights:
        return ChartColor::series(1);
    case engine::Metric::DecodeKvRead:
        return ChartColor::series(4);
    case engine::Metric::DecodeKvWrite:
        return ChartColor::series(5);
    case engine::Metric::DecodeHostAttention:
        return ChartColor::series(6);
    case engine::Metric::DecodeCsdAttention:
        return ChartColor::series(0);
    case engine::Metric::DecodeQkv:
        return ChartColor::series(3);
    case engine::Metric::DecodeXCache:
        return ChartColor::series(7);
    default:
        return ChartColor::series(2);
    }
}

bool isHatched(const engine::BatchPart& part) {
    return part.kind == Kind::Offload && part.metric != engine::Metric::DecodeAccelerator;
}

} // namespace heteroscape::widgets
