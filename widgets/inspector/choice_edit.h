// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

class Document;

/// A choice of the open design (model, role, runtime, link type, ...) by people's names of its ids.
/// An entry that the catalogue does not hold, or that was edited, is shown as such. UI thread.
class ChoiceEdit : public QComboBox {
    Q_OBJECT
public:
    /// `path` must name a choice of the document's scenario; throws engine::Error otherwise.
    ChoiceEdit(Document& document, std::string path, QWidget* parent = nullptr);

    const std::string& path() const { return m_path; }
    void refresh();

    /// Writes a chosen id otherwise than by Document::set().
    void setWriter(std::function<void(const std::string& id)> writer);
    /// Makes it the choice of several nodes or links: a chosen id is set for all `paths` in one step. `read`
    /// gives the id that they share, or nothing when they differ.
    void setShared(std::vector<std::string> paths, std::function<std::optional<std::string>()> read);
    /// Offers only these of the catalogue's choices, in this order.
    void setChoices(const std::vector<std::string>& ids);
    /// What each choice means, as tool tips of the entries and of the whole.
    void setTips(std::function<QString(const std::string& id)> tips);

protected:
private:
    void fill(); ///< with what the catalogue has now
    void choose(int index);
    QString currentLabel(const std::string& id) const;

    Document& m_document;
    std::string m_path;
    std::function<void(const std::string& id)> m_writer;
    std::function<QString(const std::string& id)> m_tips;
    std::vector<std::string> m_paths; ///< that share this choice; empty: m_path alone
    std::function<std::optional<std::string>()> m_read;
    int m_catalogCount = 0; ///< items from here on are not the catalogue's
};

} // namespace heteroscape::widgets
