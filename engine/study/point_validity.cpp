// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/point_validity.h"

#include "engine/base/error.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/node_fields.h"

#include <algorithm>
#include <charconv>

namespace heteroscape::engine {

PointShard parsePointShard(std::string_view text) {
    PointShard shard;
    const auto* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.index);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/')
        if (const auto second = std::from_chars(first.ptr + 1, end, shard.count);
            second.ec == std::errc() && second.ptr == end && shard.index >= 1 && shard.index <= shard.count &&
            shard.count <= kMaxShards)
            return shard;
    throwInvalid("shard \"" + std::string(text.substr(0, 40)) + "\"", "is no part of a whole",
                 "Write i/n with i from 1 to n: 1/7, 2/7, ... 7/7");
}

std::string shardText(const PointShard& shard) {
    return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

namespace {

/// True for quantities whose value, not only whether it is set, validate() looks at.
bool decidesValidity(const Scenario& base, const std::string& path) {
    if (path.starts_with("nodes.") && path.ends_with(".count"))
        if (const auto* node = base.findNode(NodeId{path.substr(6, path.size() - 12)}))
            return node->replicas.isSet() || hasLayout(*node);
    const auto layout = layoutFields();
    const bool degree = path.starts_with("nodes.") &&
                        std::any_of(layout.begin(), layout.end(), [&](const Field<Node>& field) {
                            return path.ends_with("." + std::string(field.spec.key));
                        });
    return degree || path.ends_with(".runtime.activation_bits") || path.ends_with(".replicas") ||
           path == "model.layers" || path == "model.dense_layers" || path == "model.heads" ||
           path == "model.kv_heads" || path.starts_with("model.experts");
}

} // namespace

PointValidity::PointValidity(const Study& study) {
    std::size_t stride = 1;
    std::size_t combinations = 1;
    for (std::size_t i = study.axes.size(); i-- > 0;) {
        const auto length = study.axes[i].values.size();
        if (study.isList && !m_digits.empty())
            break; // the place of a point stands for all of its values
        if (study.axes[i].isChoice() || decidesValidity(study.base, study.axes[i].path)) {
            m_digits.push_back({stride, length});
            combinations *= length;
        }
        if (!study.isList)
            stride *= length;
    }
    PointSetter setter(study);
    for (std::size_t c = 0; c < combinations; ++c) {
        std::size_t ordinal = 0;
        std::size_t rest = c;
        for (const auto& digit : m_digits) {
            ordinal += rest % digit.length * digit.stride;
            rest /= digit.length;
        }
        m_valid.push_back(hasErrors(validate(setter.at(ordinal))) ? 0 : 1);
    }
}

bool PointValidity::at(std::size_t ordinal) const {
    std::size_t combination = 0;
    std::size_t weight = 1;
    for (const auto& digit : m_digits) {
        combination += ordinal / digit.stride % digit.length * weight;
        weight *= digit.length;
    }
    return m_valid[combination] != 0;
}

} // namespace heteroscape::engine
