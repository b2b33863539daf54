// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_parts.h"

#include "widgets/validation/validation_page.h"
#include "widgets/validation/validation_words.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

namespace heteroscape::widgets {

QComboBox* measuredKeyCombo(const QString& accessibleName) {
    auto* combo = new QComboBox;
    combo->setAccessibleName(accessibleName);
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        combo->addItem(measuredKeyText(static_cast<MeasuredKey>(key)));
    return combo;
}

namespace {

/// The one CSV on this machine that is dragged; empty: it is none.
QString droppedCsv(const QMimeData* data) {
    const auto urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    const auto path = urls.first().toLocalFile();
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? path : QString();
}

class CsvDrop : public QObject {
public:
    CsvDrop(QWidget* target, std::function<void(const QString&)> take)
        : QObject(target), m_take(std::move(take)) {
        target->setAcceptDrops(true);
        target->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
            return false;
        auto* drop = static_cast<QDropEvent*>(event);
        const auto path = droppedCsv(drop->mimeData());
        if (path.isEmpty())
            return false;
        drop->acceptProposedAction();
        if (event->type() == QEvent::Drop)
            m_take(path);
        return true;
    }

private:
    std::function<void(const QString&)> m_take;
};

} // namespace

void takeDroppedCsv(QWidget* target, std::function<void(const QString& path)> take) {
    new CsvDrop(target, std::move(take));
}

void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take) {
    auto* dialog = new QFileDialog(parent, ValidationPage::tr("Choose measured times"), {},
                                   ValidationPage::tr("Measured times (*.csv);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, take);
    dialog->open();
}

QString leftOutText(const QString& source, const std::vector<engine::UnreadRow>& rows) {
    if (rows.size() == 1)
        return ValidationPage::tr("Line %1 of %2 cannot be read and is left out.")
            .arg(rows.front().line)
            .arg(source);
    return ValidationPage::tr("%1 rows of %2 cannot be read and are left out, the first in line %3.")
        .arg(rows.size())
        .arg(source)
        .arg(rows.front().line);
}

void showLeftOut(QWidget* parent, const QString& source, const std::vector<engine::UnreadRow>& rows) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(ValidationPage::tr("Rows of %1 that are left out").arg(source));
    auto* list = new QPlainTextEdit(dialog);
    list->setReadOnly(true);
    list->setAccessibleName(dialog->windowTitle());
    for (const auto& row : rows)
        list->appendPlainText(QString::fromStdString(row.why));
    list->moveCursor(QTextCursor::Start);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(list);
    column->addWidget(buttons);
    dialog->resize(680, 320);
    dialog->open();
}

} // namespace heteroscape::widgets
