// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/csv_reader.h"
#include "widgets/validation/validation_view.h"
#include "widgets/validation/validation_words.h"

#include <QIcon>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QVBoxLayout;

namespace heteroscape::widgets {

/// All keys that rows are told apart by, in their order.
QComboBox* measuredKeyCombo(const QString& accessibleName);

/// `take` gets the path of the one CSV on this machine that is dropped on a widget; all else is refused.
void takeDroppedCsv(QWidget* target, std::function<void(const QString& path)> take);

/// Asks for a CSV without blocking; `take` is called when one was chosen.
void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take);

/// "2 rows of mine.csv cannot be read and are left out, the first in line 7."
QString leftOutText(const QString& source, const std::vector<engine::UnreadRow>& rows);
/// Lists them, each with its line and why, without blocking.
void showLeftOut(QWidget* parent, const QString& source, const std::vector<engine::UnreadRow>& rows);

/// Labels of the rows with their counts, to be switched off and on; those of the key that colours the plot
/// have their markers. UI thread.
class FilterPanel : public QWidget {
    Q_OBJECT
public:
    explicit FilterPanel(QWidget* parent = nullptr);

    void setView(const std::shared_ptr<const ValidationView>& view);

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
