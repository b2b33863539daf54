// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/export_button.h"

#include "engine/base/error.h"
#include "widgets/plots/chart_export.h"

#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

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

namespace {

ExportButton::Picture chartPicture(std::function<Chart()> chart) {
    if (!chart)
        return ExportButton::Picture(ExportButton::Picture::Write());
    return ExportButton::Picture([chart = std::move(chart)](const QString& path, const ImageSize& size) {
        exportChart(chart(), path, size);
    });
}

} // namespace

ExportButton::ExportButton(std::function<Chart()> chart, std::vector<Data> sources, QString baseName,
                           QWidget* parent)
    : ExportButton(chartPicture(std::move(chart)), std::move(sources), std::move(baseName), parent) {}

ExportButton::ExportButton(Picture picture, std::vector<Data> sources, QString baseName, QWidget* parent)
    : QToolButton(parent), m_picture(std::move(picture)), m_data(std::move(sources)),
      m_baseName(std::move(baseName)), m_widthMm(kTwoColumnMm), m_dpi(ImageSize{}.dpi) {
    setText(tr("Export"));
    setAccessibleName(tr("Export"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    setMinimumHeight(26);
    auto* menu = m_menu = new QMenu(this);
    if (m_picture.write) {
        for (const char* suffix : {"png", "svg", "pdf"}) {
            const auto upper = QString::fromLatin1(suffix).toUpper();
            menu->addAction(tr("Picture (%1)…").arg(upper), this, [this, suffix, upper] {
                ask(QString::fromLatin1(suffix), tr("%1 picture").arg(upper), nullptr);
            });
        }
    }
    for (const auto& item : m_data)
        menu->addAction(item.entry, this, [this, &item] { ask(item.suffix, item.suffix.toUpper(), &item); });
    if (m_picture.write) {
        menu->addSeparator();
        auto* widths = new QActionGroup(this);
        for (const double width : {kOneColumnMm, kTwoColumnMm}) {
            auto* action =
                widths->addAction(width == kOneColumnMm ? tr("%1 mm wide, one column").arg(width)
                                                        : tr("%1 mm wide, two columns").arg(width));
            action->setCheckable(true);
            action->setChecked(width == m_widthMm);
            connect(action, &QAction::triggered, this, [this, width] { m_widthMm = width; });
        }
        menu->addActions(widths->actions());
    }
    if (m_picture.write) {
        menu->addSeparator();
        auto* dots = new QActionGroup(this);
        for (const double dpi : {150.0, 300.0, 600.0}) {
            auto* action = dots->addAction(tr("PNG with %1 dpi").arg(dpi));
            action->setCheckable(true);
            action->setChecked(dpi == m_dpi);
            connect(action, &QAction::triggered, this, [this, dpi] { m_dpi = dpi; });
        }
        menu->addActions(dots->actions());
    }
    // Not setMenu(): the arrow that Qt adds does not fit the button.
    connect(this, &QToolButton::clicked, menu,
            [this, menu] { menu->popup(mapToGlobal(QPoint(0, height() + 2))); });
    Theme::instance().follow(this, [this] { restyle(); });
}

void ExportButton::offerExtents() {
    auto* extents = new QActionGroup(this);
    const auto add = [&](const QString& name, Extent extent) {
        auto* action = extents->addAction(name);
        action->setCheckable(true);
        action->setChecked(extent == m_extent);
        connect(action, &QAction::triggered, this, [this, extent] { m_extent = extent; });
    };
    add(tr("The view that is shown"), Extent::Shown);
    add(tr("The whole"), Extent::Whole);
    auto* first = m_menu->actions().value(0);
    m_menu->insertActions(first, extents->actions());
    m_menu->insertSeparator(first);
}

void ExportButton::restyle() {
    setIcon(Theme::instance().icon(QStringLiteral("export"), ColorRole::Text2));
}

void ExportButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::EnabledChange)
        restyle();
}

void ExportButton::ask(const QString& suffix, const QString& kind, const Data* source) {
    const auto path =
        askSavePath(this, tr("Export"), QDir::home().filePath(m_baseName + u'.' + suffix), kind, suffix);
    if (!path.isEmpty())
        write(path, source);
}

bool ExportButton::exportTo(const QString& path) {
    const auto suffix = QFileInfo(path).suffix().toLower();
    for (const auto& item : m_data)
        if (item.suffix == suffix)
            return write(path, &item);
    return write(path, nullptr);
}

bool ExportButton::write(const QString& path, const Data* source) {
    try {
        if (source)
            exportText(source->text(), path);
        else
            m_picture.write(path, {.widthMm = m_widthMm, .dpi = m_dpi});
    } catch (const engine::Error& error) {
        emit failed(QString::fromStdString(error.what()));
        return false;
    }
    emit exported(path);
    return true;
}

} // namespace heteroscape::widgets

#include "moc_export_button.cpp"
