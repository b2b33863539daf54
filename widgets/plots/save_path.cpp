// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/save_path.h"

#include <QFileDialog>
#include <QFileInfo>

namespace heteroscape::widgets {

QString askSavePath(QWidget* parent, const QString& title, const QString& suggestion, const QString& kind,
                    const QString& suffix) {
    const QFileInfo suggested(suggestion);
    QFileDialog dialog(parent, title, suggested.path(), QStringLiteral("%1 (*.%2)").arg(kind, suffix));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(suggested.fileName());
    return dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty()
               ? dialog.selectedFiles().constFirst()
               : QString();
}

} // namespace heteroscape::widgets
