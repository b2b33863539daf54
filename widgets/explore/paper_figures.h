// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"

#include <QStringList>

namespace heteroscape::widgets {

/// The figures of papers, as far as they can be read.
class PaperFigures {
public:
    QStringList read(const engine::Catalog& catalog); ///< what cannot be read, and why

    const std::vector<engine::FigureStudy>& all() const { return m_all; }
    const engine::FigureStudy* of(const engine::Study& study) const; ///< whose study it is; null: none
    std::vector<std::string> metricsOf(const std::vector<engine::Axis>& axes) const; ///< plotted over these

private:
    std::vector<engine::FigureStudy> m_all;
};

} // namespace heteroscape::widgets
