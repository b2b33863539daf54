// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the dialog and where they lie.
#include "widgets/calibration/calibrate_dialog.h"
#include "widgets/calibration/constants_tree.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/filter_panel.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>

namespace heteroscape::widgets {

namespace {

constexpr QSize kDialog{1076, 724};
constexpr int kFileWidth = 250, kFitWidth = 300;

TextLabel* stepHeading(int number, const QString& text, QWidget* parent) {
    return new TextLabel(QStringLiteral("%1  %2").arg(number).arg(text), TextSize::Body, ColorRole::Text,
                         QFont::DemiBold, parent);
}

/// Wrapped text that may be long, in as much height as it is given.
QScrollArea* scrolledPart(QWidget* part, int width) {
    auto* area = scrolled(part);
    if (width > 0)
        area->setFixedWidth(width);
    return area;
}

} // namespace

CalibrateDialog::CalibrateDialog(Document* document, QWidget* parent)
    : QDialog(parent), m_document(document), m_notice(new NoticeBar(this)),
      m_fileName(
          new TextLabel(tr("Drop a CSV here"), TextSize::Dense, ColorRole::Text, QFont::DemiBold, this)),
      m_passed(new TextLabel(TextSize::Dense, ColorRole::Warning, this)), m_heldOut(new QDoubleSpinBox(this)),
      m_loss(new QComboBox(this)), m_scale(new QDoubleSpinBox(this)),
      m_chosen(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_all(new QPushButton(tr("All"), this)), m_constants(new ConstantsTree(this)),
      m_warnings(new TextLabel(TextSize::Dense, ColorRole::Warning, this)),
      m_state(new TextLabel(TextSize::Dense, ColorRole::Text, this, QFont::DemiBold)),
      m_progress(new QProgressBar(this)), m_plot(new PlotView(this)), m_errors(new QTableWidget(0, 3, this)),
      m_again(new QPushButton(tr("Fit again"), this)), m_name(new QLineEdit(this)),
      m_says(new TextLabel(TextSize::Dense, ColorRole::Text2, this)),
      m_accept(new QPushButton(tr("Accept"), this)) {
    setWindowTitle(tr("Calibrate to your silicon"));
    takeDroppedCsv(this, [this](const QString& path) { openFile(path); });
    setTerm(this, "calibrate.md");
    setTerm(m_heldOut, "held_out");
    confirm = [this](const QString& question) {
        return QMessageBox::question(this, windowTitle(), question) == QMessageBox::Yes;
    };
    auto* columns = new QHBoxLayout;
    columns->setSpacing(12);
    columns->addWidget(scrolledPart(makeFilePart(), kFileWidth));
    columns->addWidget(makeConstantsPart(), 1);
    columns->addWidget(scrolledPart(makeFitPart(), kFitWidth));
    auto* whole = new QVBoxLayout(this);
    whole->addWidget(m_notice);
    whole->addLayout(columns, 1);
    whole->addWidget(makeFooter());
    const auto room = parent ? parent->window()->size() - QSize(24, 24) : kDialog;
    resize(kDialog.boundedTo(room));
    connect(&m_reading, &Job::failed, this, [this](const QString& message) { m_notice->showError(message); });
    connect(&m_fitting, &Job::failed, this, [this](const QString& message) {
        m_state->setText(tr("Nothing was fitted"));
        m_notice->showError(message);
    });
    connect(&m_reading, &Job::finished, this, &CalibrateDialog::showState);
    connect(&m_fitting, &Job::finished, this, &CalibrateDialog::showState);
    connect(m_constants, &ConstantsTree::changed, this, &CalibrateDialog::fit);
    connect(m_constants, &ConstantsTree::refused, m_notice, &NoticeBar::showError);
    showState();
}

QWidget* CalibrateDialog::makeFilePart() {
    auto* part = new QWidget(this);
    auto* column = makeColumn(part, {0, 0, 4, 0}, 8);
    column->addWidget(stepHeading(1, tr("Measured rows"), part));
    auto* slot = new Surface(ColorRole::AccentSoft, true, part);
    auto* inside = new QVBoxLayout(slot);
    m_fileName->setWordWrap(true);
    auto* about =
        new TextLabel(tr("Times of kernels, in the columns of the shipped tables; or ttft_s, tpot_s "
                         "and other metrics of systems, with columns of the parameters that rows set, "
                         "such as workload.batch"),
                      TextSize::Caption, ColorRole::Text2, slot);
    about->setWordWrap(true);
    auto* choose = new QPushButton(tr("Choose a CSV…"), slot);
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this,
            [this] { askMeasuredCsv(this, [this](const QString& path) { openFile(path); }); });
    inside->addWidget(m_fileName);
    inside->addWidget(about);
    inside->addWidget(choose);
    column->addWidget(slot);
    m_passed->setWordWrap(true);
    m_passed->hide();
    column->addWidget(m_passed);
    m_heldOut->setRange(0, 90);
    m_heldOut->setDecimals(0);
    m_heldOut->setSuffix(QStringLiteral(" %"));
    m_heldOut->setValue(25);
    m_heldOut->setAccessibleName(tr("Share of rows held out"));
    m_heldOut->setToolTip(
        tr("Rows that nothing is fitted on: they say how far the model is off others. None of "
           "fewer than 8."));
    m_loss->addItems({tr("Squares"), tr("Huber"), tr("Soft L1")}); // in the order of engine::Loss
    m_loss->setCurrentIndex(static_cast<int>(engine::Loss::SoftL1));
    m_loss->setAccessibleName(tr("Loss"));
    m_scale->setRange(0.1, 1000);
    m_scale->setDecimals(1);
    m_scale->setSuffix(QStringLiteral(" %"));
    m_scale->setValue(10);
    m_scale->setAccessibleName(tr("Outliers from"));
    m_scale->setToolTip(tr("A row that is off by more counts less than by its square"));
    for (auto* box : {m_heldOut, m_scale}) {
        box->setKeyboardTracking(false);
        connect(box, &QDoubleSpinBox::valueChanged, this, &CalibrateDialog::fit);
    }
    connect(m_loss, &QComboBox::activated, this, &CalibrateDialog::fit);
    auto* form = new QFormLayout;
    form->addRow(tr("Held out"), m_heldOut);
    form->addRow(tr("Loss"), m_loss);
    form->addRow(tr("Outliers from"), m_scale);
    column->addLayout(form);
    column->addStretch(1);
    return part;
}

QWidget* CalibrateDialog::makeConstantsPart() {
    auto* part = new QWidget(this);
    auto* head = new QHBoxLayout;
    head->addWidget(stepHeading(2, tr("Constants to fit"), part));
    head->addWidget(m_chosen, 1);
    auto* usual = new QPushButton(tr("Usual"), part);
    for (auto* button : {usual, m_all})
        button->setAutoDefault(false);
    connect(usual, &QPushButton::clicked, this, [this] { m_constants->checkAll(false); });
    connect(m_all, &QPushButton::clicked, this, [this] { m_constants->checkAll(true); });
    head->addWidget(usual);
    head->addWidget(m_all);
    auto* column = makeColumn(part, {}, 8);
    column->addLayout(head);
    column->addWidget(m_constants, 3);
    m_warnings->setWordWrap(true);
    m_warnings->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_warnings->setAccessibleName(tr("What the fit leaves open"));
    m_warnings->hide();
    column->addWidget(scrolledPart(m_warnings, 0), 1);
    return part;
}

QWidget* CalibrateDialog::makeFitPart() {
    auto* part = new QWidget(this);
    auto* column = makeColumn(part, {0, 0, 4, 0}, 8);
    column->addWidget(stepHeading(3, tr("Fit"), part));
    column->addWidget(m_state);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    column->addWidget(m_progress);
    m_plot->setMinimumHeight(230);
    auto policy = m_plot->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_plot->setSizePolicy(policy);
    m_plot->hide(); // until there is a fit to show
    column->addWidget(m_plot, 1);
    m_errors->setHorizontalHeaderLabels({tr("Error"), tr("Before"), tr("After")});
    m_errors->setAccessibleName(tr("Errors before and after"));
    m_errors->verticalHeader()->hide();
    m_errors->verticalHeader()->setDefaultSectionSize(25);
    m_errors->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_errors->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_errors->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_errors->setShowGrid(false);
    m_errors->setFixedHeight(5 * 26 + 4);
    column->addWidget(m_errors);
    auto* buttons = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy report"), part);
    for (auto* button : {m_again, copy}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (!m_fitting.isBusy())
            return fit();
        m_fitting.drop();
        m_state->setText(tr("Stopped"));
        showState();
    });
    connect(copy, &QPushButton::clicked, this, [this] {
        if (m_outcome)
            QGuiApplication::clipboard()->setText(m_outcome->report());
    });
    column->addLayout(buttons);
    return part;
}

QWidget* CalibrateDialog::makeFooter() {
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 4, 0, 0);
    row->addWidget(new TextLabel(tr("Name"), TextSize::Dense, ColorRole::Text2, foot));
    m_name->setMinimumWidth(200);
    m_name->setAccessibleName(tr("Name of the runtime"));
    row->addWidget(m_name, 1);
    m_says->setElided(true);
    row->addWidget(m_says, 2);
    auto* cancel = new QPushButton(tr("Cancel"), foot);
    cancel->setAutoDefault(false);
    m_accept->setObjectName(QStringLiteral("accept"));
    m_accept->setProperty("primary", true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_accept, &QPushButton::clicked, this, &CalibrateDialog::accept);
    row->addWidget(cancel);
    row->addWidget(m_accept);
    return foot;
}

} // namespace heteroscape::widgets
