// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/jobs/job.h"

#include <QWidget>

#include <deque>
#include <functional>
#include <string>
#include <vector>

class QVBoxLayout;

namespace heteroscape::engine {
class Technique;
}

namespace heteroscape::widgets {

class ChoiceRow;
class Document;
class QuantityRow;
class Section;
class TextLabel;
enum class ColorRole;

/// What the inspector shows for one subject: sections of rows that stay as long as the subject keeps its
/// shape, so that typing never loses its field. The parts of a page are made from the top down, a few in each
/// turn of the event loop: what is in sight stands there at once. UI thread.
class InspectorPage : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPage(Document& document, QWidget* parent = nullptr);

    /// A text that differs when the rows have to be made anew (another node, device or runtime).
    /// Empty when the subject is gone.
    virtual std::string shape() const = 0;
    /// Shows the present values of what does not follow the document by itself.
    void refresh();
    void build();  ///< makes the first parts, and goes on while the subject keeps its shape
    void finish(); ///< makes all of them now: for what needs the whole page

    /// The field that edits a path, or null; to give it the focus again after the page was made anew.
    QWidget* fieldFor(const std::string& path) const;
    /// The path of the field with the focus; empty when none has it.
    std::string focusedPath() const;

signals:
    void sweepRequested(const std::string& path);

protected:
    Document& document() const { return m_document; }
    Section* addSection(const QString& title); ///< seen from its first part on
    /// A part of a section: rows, and what refreshes them. Called when its turn comes, in the order given.
    void later(Section* section, std::function<void()> part);
    QuantityRow* addQuantity(Section* section, const std::string& path);
    /// The same as a part, and what more belongs to the row.
    void laterQuantity(Section* section, const std::string& path,
                       std::function<void(QuantityRow&)> more = {});
    ChoiceRow* addChoice(Section* section, const std::string& path);
    /// A technique's switch, the switches within it, its parameters and a slider for ratios.
    void addTechnique(Section* section, const engine::Technique& kind);
    /// What is said of paths that start so ("changes nothing: ..."), while anything is.
    void addFindings(Section* section, const std::string& prefix);
    /// A line of small text below a row.
    TextLabel* addNote(Section* section, ColorRole role);
    /// Called by refresh(), in the order of the calls.
    void onRefresh(std::function<void()> action);

private:
    /// What an unset parameter of a technique means, and the share that the engine then took.
    void addUnsetValue(Section* section, QuantityRow& row, const engine::Technique& kind,
                       std::size_t parameter);
    /// What an unset stage depth comes to.
    void addDefaultStage(QuantityRow& row);
    bool buildSome();  ///< a slice; false: nothing is left
    void buildOne();   ///< the next part
    void orderFocus(); ///< Tab goes from value to value, and to what can be swept after all of them
    void layOut();     ///< at once: a text that grew is not cut meanwhile

    struct Part {
        Section* section;
        std::function<void()> make;
    };
    Document& m_document;
    QVBoxLayout* m_column;
    std::vector<std::function<void()>> m_refreshers;
    std::deque<Part> m_parts; ///< those that are not made yet
    std::string m_builtFor;   ///< the shape that they are of
    Slices m_slices;
};

} // namespace heteroscape::widgets
