// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/largest_batch_dialog.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/explore/limit_list.h"
#include "widgets/theme/text_label.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

const std::string kBatchPath = "workload.batch";

/// What people who serve chats ask for, until they ask for something else.
const std::vector<engine::Limit> kUsualLimits{{.column = "tpot_s", .most = 0.05},
                                              {.column = "ttft_s", .most = 2.0}};

} // namespace

LargestBatchDialog::LargestBatchDialog(Document* document, QWidget* parent)
    : QDialog(parent), m_document(document), m_limits(new LimitList(this)),
      m_answer(new TextLabel(TextSize::Heading, ColorRole::Text, this)),
      m_stop(new TextLabel(TextSize::Body, ColorRole::Text2, this)) {
    setWindowTitle(tr("Largest batch within limits"));
    m_limits->setLimits(kUsualLimits);
    m_stop->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_set = buttons->addButton(tr("Set the batch"), QDialogButtonBox::AcceptRole);
    m_set->setProperty("primary", true);
    m_set->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &LargestBatchDialog::setBatch);
    connect(m_limits, &LimitList::changed, this, &LargestBatchDialog::seek);
    connect(&m_job, &Job::failed, this, &LargestBatchDialog::showProblem);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addWidget(m_limits);
    column->addWidget(m_answer);
    column->addWidget(m_stop);
    column->addStretch(1);
    column->addWidget(buttons);
    resize(460, 280);
    seek();
}

QString LargestBatchDialog::answer() const {
    return m_answer->text();
}

void LargestBatchDialog::seek() {
    m_found.reset();
    m_set->setEnabled(false);
    m_job.start([this, design = m_document->scenario(), limits = m_limits->limits()](JobRun&) -> Job::Show {
        auto found = engine::largestWithin(design, kBatchPath, limits);
        return [this, found = std::move(found)] { showFound(found); };
    });
}

void LargestBatchDialog::showFound(const engine::LargestWithin& found) {
    m_found = found.value;
    const auto batch = QString::fromStdString(engine::exactText(found.value));
    m_answer->setText(tr("Batch %1").arg(batch));
    m_stop->setRole(ColorRole::Text2);
    m_stop->setText(found.stop.empty() ? tr("No limit stops it before the largest batch that there is.")
                                       : tr("One more, and %1.").arg(QString::fromStdString(found.stop)));
    m_set->setText(tr("Set the batch to %1").arg(batch));
    m_set->setEnabled(true);
    m_set->setDefault(true); // a button that has the focus takes it
    if (!m_limits->isAncestorOf(focusWidget()))
        m_set->setFocus();
}

void LargestBatchDialog::showProblem(const QString& problem) {
    m_answer->setText(tr("No batch"));
    m_stop->setRole(ColorRole::Error);
    m_stop->setText(problem);
    m_set->setText(tr("Set the batch"));
}

void LargestBatchDialog::setBatch() {
    if (m_found && m_document->set(kBatchPath, engine::exactText(*m_found)))
        accept();
}

} // namespace heteroscape::widgets
