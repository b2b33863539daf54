// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/slices.h"

#include <QScopedValueRollback>

#include <utility>

namespace heteroscape::widgets {

Slices::Slices(Slice slice, QObject* parent) : QObject(parent), m_slice(std::move(slice)) {
    connect(&m_next, &QTimer::timeout, this, &Slices::doOne);
}

void Slices::start() {
    m_next.start(0);
    m_again = m_inSlice;
    doOne();
}

void Slices::finish() {
    while (isBusy() && !m_inSlice)
        doOne();
}

void Slices::doOne() {
    if (m_inSlice)
        return;
    const QScopedValueRollback<bool> inSlice(m_inSlice, true);
    m_again = false;
    if (!m_slice() && !m_again)
        m_next.stop();
}

} // namespace heteroscape::widgets
