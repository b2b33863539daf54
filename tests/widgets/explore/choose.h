// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QTest>

namespace heteroscape::widgets::test {

/// Chooses an entry with the keyboard.
inline void choose(QComboBox* combo, const QVariant& data) {
    const int wanted = combo->findData(data);
    QVERIFY(wanted >= 0);
    combo->setFocus();
    for (int i = 0; i < combo->count() && combo->currentIndex() != wanted; ++i)
        QTest::keyClick(combo, combo->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
    QCOMPARE(combo->currentIndex(), wanted);
}

template <class T>
T* find(const QObject& parent, const char* name) {
    return parent.findChild<T*>(QLatin1String(name));
}

} // namespace heteroscape::widgets::test
