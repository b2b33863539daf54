// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_parts.h"

#include "widgets/validation/validation_page.h"
#include "widgets/validation/validation_words.h"

#include <QComboBox>
#include <QFileDialog>
#include <QMimeData>
#include <QUrl>

namespace heteroscape::widgets {

QComboBox* measuredKeyCombo(const QString& accessibleName) {
    auto* combo = new QComboBox;
    combo->setAccessibleName(accessibleName);
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        combo->addItem(measuredKeyText(static_cast<MeasuredKey>(key)));
    return combo;
}

QString droppedCsv(const QMimeData* data) {
    const auto urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    const auto path = urls.first().toLocalFile();
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? path : QString();
}

void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take) {
    auto* dialog = new QFileDialog(parent, ValidationPage::tr("Choose measured times"), {},
                                   ValidationPage::tr("Measured times (*.csv);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, take);
    dialog->open();
}

} // namespace heteroscape::widgets
