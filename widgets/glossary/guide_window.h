// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QString>
#include <QTextBrowser>

class QLineEdit;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace heteroscape::widgets {

/// One page of the guide, in the colours of the theme; links lead to others. Pictures are as wide as there is
/// room. UI thread.
class GuideView : public QTextBrowser {
    Q_OBJECT
public:
    explicit GuideView(QWidget* parent = nullptr);

    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void doSetSource(const QUrl& link, QTextDocument::ResourceType type) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void dress();
    void scrollToHeading();
};

/// The user guide: contents, search over words and pages, and a page with its links. Up and down walk through
/// the list while the search has the keyboard; Enter opens, Alt+Left goes back. UI thread.
class GuideWindow : public QDialog {
    Q_OBJECT
public:
    explicit GuideWindow(QWidget* parent = nullptr);

    void show(const QString& link); ///< "metrics.md#goodput"; empty: the first page
    GuideView* view() const { return m_view; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& text);
    void listContents();
    void follow(const QUrl& shown); ///< the contents mark the page that is shown
    void addEntry(QTreeWidgetItem* parent, const QString& title, const QString& link);
    void setIcons();

    QToolButton* m_back;
    QToolButton* m_forward;
    QToolButton* m_home;
    QLineEdit* m_search;
    QTreeWidget* m_list;
    GuideView* m_view;
};

/// The guide of a window, made once, at a link; empty: the first page. Where a dialog waits for an answer, a
/// guide of that.
void showGuide(QWidget* window, const QString& link = {});

/// The page of what has the keyboard (null: nothing), if it is one word, else of what lies under the pointer,
/// else where the keyboard is.
QString linkOfWhatIsHere(const QWidget* focus);

/// F1 works in dialogs and menus too, and the links of What's This open the guide; once is enough.
void installGuideKey();

/// The whole guide on A4. Throws engine::Error (Io). UI thread.
void writeGuidePdf(const QString& file);

} // namespace heteroscape::widgets
