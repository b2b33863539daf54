// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <string>
#include <vector>

class QLineEdit;
class QSlider;
class QToolButton;

namespace heteroscape::widgets {

class TextLabel;

/// What a slider moves.
struct ScrubRange {
    std::string path;
    QString label;
    QString unit;
    double value = 0.0; ///< where it stands at first
    double lower = 0.0, upper = 1.0;
    double least = 0.0, most = 0.0; ///< what may be typed
    bool integer = false;
    std::vector<double> stops = {};  ///< the values of an axis: the slider catches on them
    std::vector<QString> names = {}; ///< of choices: then the stops alone count, as positions
};

/// A parameter to drag, with its value as text to edit. Logarithmic where the range spans a factor of eight.
class ScrubSlider : public QWidget {
    Q_OBJECT
public:
    ScrubSlider(ScrubRange range, bool removable, QWidget* parent);

    const std::string& path() const { return m_range.path; }
    double value() const { return m_value; }
    bool isMoved() const { return m_moved; }  ///< by the user, since reset()
    void reset();                             ///< back to where it stood at first
    void showValue(double value);             ///< it was changed elsewhere
    void setSpan(double lower, double upper); ///< that the slider moves over

    QSlider* slider() const { return m_slider; }
    QLineEdit* field() const { return m_field; }

signals:
    void moved();
    void removeRequested();

private:
    bool isLog() const;
    double valueAt(int position) const;
    int positionOf(double value) const;
    QString text(double value) const;
    void take(double value);
    void step(int way); ///< of the arrow keys: to the next stop or whole number
    void readField();

    ScrubRange m_range;
    double m_value;
    bool m_moved = false;
    QSlider* m_slider;
    QLineEdit* m_field;
};

} // namespace heteroscape::widgets
