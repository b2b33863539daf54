// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <cstdint>
#include <memory>

namespace heteroscape::widgets {

/// The open design as a value for other threads: one copy of a generation for all who ask, kept as long as
/// any of them keeps it. UI thread.
class SharedScenario : public QObject {
    Q_OBJECT
public:
    static std::shared_ptr<const engine::Scenario> of(Document& document);

private:
    explicit SharedScenario(Document& document) : QObject(&document) {}

    std::weak_ptr<const engine::Scenario> m_copy;
    std::uint64_t m_generation = 0; ///< of the copy
};

} // namespace heteroscape::widgets
