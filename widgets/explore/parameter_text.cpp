// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/parameter_text.h"

namespace heteroscape::widgets {

QString parameterName(const engine::Scenario& scenario, const std::string& path,
                      const engine::FieldSpec& spec) {
    const auto label = QString::fromUtf8(spec.label);
    const auto first = path.find('.');
    const auto second = path.find('.', first + 1);
    const auto id = path.substr(first + 1, second == std::string::npos ? second : second - first - 1);
    std::string owner;
    if (path.starts_with("nodes.")) {
        if (const auto* node = scenario.findNode({id}))
            owner = node->shownName();
    } else if (path.starts_with("links."))
        if (const auto* link = scenario.findLink({id}))
            owner = link->type.name;
    return owner.empty() ? label : QStringLiteral("%1: %2").arg(QString::fromStdString(owner), label);
}

} // namespace heteroscape::widgets
