// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_dialog.h"

#include "engine/base/error.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/text_label.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

ReportDialog::ReportDialog(DesignReport report, const QString& folder, QWidget* parent)
    : QDialog(parent), m_report(std::move(report)), m_folder(folder), m_notice(new NoticeBar(this)),
      m_list(new QListWidget(this)) {
    setWindowTitle(tr("Report"));
    auto* heading = new TextLabel(m_report.title, TextSize::Heading, ColorRole::Text, QFont::DemiBold, this);
    const auto whatItIs =
        tr("One file with the tables and plots that are ticked; it needs nothing beside it.");
    auto* about = new TextLabel(whatItIs, TextSize::Body, ColorRole::Text2, this);
    about->setWordWrap(true);
    m_list->setAccessibleName(tr("Tables and plots of the report"));
    const auto add = [this](const QString& text) {
        auto* item = new QListWidgetItem(text, m_list);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    };
    for (const auto& table : m_report.tables)
        add(tr("Table: %1").arg(table.title));
    for (const auto& picture : m_report.pictures)
        add(tr("Plot: %1").arg(picture.title));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_pdf = buttons->addButton(tr("Save as PDF…"), QDialogButtonBox::ActionRole);
    m_html = buttons->addButton(tr("Save as HTML…"), QDialogButtonBox::ActionRole);
    m_html->setProperty("primary", true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_html, &QPushButton::clicked, this, [this] { ask(QStringLiteral("html")); });
    connect(m_pdf, &QPushButton::clicked, this, [this] { ask(QStringLiteral("pdf")); });
    connect(m_list, &QListWidget::itemChanged, this, &ReportDialog::updateButtons);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(m_notice);
    column->addWidget(heading);
    column->addWidget(about);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    resize(520, 440);
    connect(&m_writer, &ReportWriter::drawn, this, [about](int pictures, int of) {
        about->setText(tr("Writing: %1 of %2 plots are drawn.").arg(pictures).arg(of));
    });
    connect(&m_writer, &ReportWriter::failed, this, [this, about, whatItIs](const QString& message) {
        about->setText(whatItIs);
        fail(message);
    });
    connect(&m_writer, &ReportWriter::written, this, [this](const QString& path) {
        emit written(path);
        accept();
    });
}

void ReportDialog::updateButtons() {
    const auto chosenNow = chosen();
    const bool any = (!chosenNow.tables.empty() || !chosenNow.pictures.empty()) && !m_writer.isBusy();
    m_html->setEnabled(any);
    m_pdf->setEnabled(any);
}

DesignReport ReportDialog::chosen() const {
    auto report = m_report;
    report.tables.clear();
    report.pictures.clear();
    const auto tables = static_cast<int>(m_report.tables.size());
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->checkState() != Qt::Checked)
            continue;
        if (row < tables)
            report.tables.push_back(m_report.tables[static_cast<std::size_t>(row)]);
        else
            report.pictures.push_back(m_report.pictures[static_cast<std::size_t>(row - tables)]);
    }
    return report;
}

void ReportDialog::writeTo(const QString& path) {
    try {
        m_writer.write(chosen(), path);
    } catch (const engine::Error& error) {
        fail(QString::fromStdString(error.what()));
    }
    updateButtons();
}

void ReportDialog::fail(const QString& message) {
    m_notice->showError(message);
    updateButtons();
    emit failed();
}

void ReportDialog::ask(const QString& suffix) {
    auto name = m_report.title;
    name.replace(u'/', u'-');
    const auto path = askSavePath(this, tr("Save the report"), QDir(m_folder).filePath(name + u'.' + suffix),
                                  tr("Report"), suffix);
    if (!path.isEmpty())
        writeTo(path);
}

} // namespace heteroscape::widgets

#include "moc_report_dialog.cpp"
