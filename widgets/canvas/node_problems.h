// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/design_index.h"

#include <QString>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// Something that is wrong with a node or a link, as said on it.
struct Problem {
    engine::Severity severity = engine::Severity::Error;
    QString message;            ///< what is wrong
    QString todo;               ///< what to do about it; may be empty
    engine::Diagnostic finding; ///< for what helps against it
    bool isShortfall = false;   ///< of memory

    QString sentence() const { return todo.isEmpty() ? message : message + QStringLiteral(". ") + todo; }
};

/// Of a node, and of a link: errors, then warnings, then notes. UI thread.
std::vector<Problem> problemsAt(const DesignIndex& index, const engine::NodeId& id);
std::vector<Problem> problemsAt(const DesignIndex& index, const engine::LinkId& id);

} // namespace heteroscape::widgets
