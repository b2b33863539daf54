// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include <string>

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

protected:
    void wheelEvent(QWheelEvent* event) override;

private:
    void choose(int index);
    QString currentLabel(const std::string& id) const;

    Document& m_document;
    std::string m_path;
    int m_catalogCount = 0; ///< items from here on are not the catalogue's
};

} // namespace heteroscape::widgets
