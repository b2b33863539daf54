// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/validation/validation_view.h"
#include "widgets/validation/validation_words.h"

#include <QIcon>
#include <QWidget>

class QCheckBox;
class QVBoxLayout;

namespace heteroscape::widgets {

/// Labels of the rows with their counts, to be switched off and on; those of the key that colours the plot
/// have their markers. UI thread.
class FilterPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilterPanel(QWidget* parent = nullptr);

    void setView(const std::shared_ptr<const ValidationView>& view);
    QCheckBox* box(MeasuredKey key, const std::string& label) const; ///< null: there is none

signals:
    void toggled(heteroscape::widgets::MeasuredKey key, const std::string& label, bool on);
    void allRequested(heteroscape::widgets::MeasuredKey key);

private:
    struct Entry {
        std::string label;
        QCheckBox* box = nullptr;
    };
    struct Part {
        QWidget* widget = nullptr;
        QVBoxLayout* rows = nullptr;
        std::vector<Entry> entries;
    };
    void fill(std::size_t key);
    void refresh();

    std::shared_ptr<const ValidationView> m_view;
    std::array<Part, kMeasuredKeys> m_parts;
};

/// A marker of the plot as an icon.
QIcon markerIcon(const MeasuredLook& look, double devicePixelRatio);

} // namespace heteroscape::widgets
