// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/help_dialogs.h"

#include "engine/version.h"
#include "widgets/theme/theme.h"
#include "widgets/window/command_registry.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMessageBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

struct HelpDialogsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::HelpDialogs)
};

struct Key {
    QString keys;
    QString what;
};

std::vector<Key> keyTable(const CommandRegistry& commands) {
    std::vector<Key> keys;
    for (const auto& command : commands.commands())
        if (!command.action->shortcut().isEmpty())
            keys.push_back(
                {command.action->shortcut().toString(QKeySequence::NativeText),
                 command.group + QStringLiteral(": ") + command.action->text().remove(QLatin1Char('&'))});
    keys.push_back({HelpDialogsText::tr("Wheel"), HelpDialogsText::tr("Canvas: zoom at the pointer")});
    keys.push_back({HelpDialogsText::tr("Space + drag, middle drag"), HelpDialogsText::tr("Canvas: pan")});
    keys.push_back(
        {HelpDialogsText::tr("Drag from port to port"), HelpDialogsText::tr("Canvas: link two devices")});
    keys.push_back({HelpDialogsText::tr("Drag from a note\u2019s edge"),
                    HelpDialogsText::tr("Canvas: draw the note\u2019s arrow")});
    keys.push_back(
        {HelpDialogsText::tr("Shift + click"), HelpDialogsText::tr("Canvas: add to the selection")});
    keys.push_back({HelpDialogsText::tr("Alt + drag"), HelpDialogsText::tr("Canvas: duplicate")});
    keys.push_back(
        {HelpDialogsText::tr("Arrows"), HelpDialogsText::tr("Canvas: move by 8, with Shift by 1")});
    keys.push_back(
        {HelpDialogsText::tr("+ and \u2212"), HelpDialogsText::tr("Canvas: one device more or less")});
    keys.push_back({HelpDialogsText::tr("Tab"), HelpDialogsText::tr("Canvas: next device, link or note")});
    keys.push_back({HelpDialogsText::tr("Wheel, + and \u2212"), HelpDialogsText::tr("Timeline: zoom")});
    keys.push_back({HelpDialogsText::tr("Drag, Left and Right"), HelpDialogsText::tr("Timeline: move")});
    keys.push_back(
        {HelpDialogsText::tr("Home, End"), HelpDialogsText::tr("Timeline: one layer, the whole step")});
    keys.push_back({HelpDialogsText::tr("Up and Down, Ctrl + Left and Right"),
                    HelpDialogsText::tr("Timeline: walk through the lanes and their segments")});
    keys.push_back({HelpDialogsText::tr("Esc"),
                    HelpDialogsText::tr("Fields: back to the value from before; canvas: cancel a drag")});
    keys.push_back(
        {HelpDialogsText::tr("Up and Down"), HelpDialogsText::tr("Fields: one step in whole numbers")});
    keys.push_back(
        {HelpDialogsText::tr("Ctrl + wheel"),
         HelpDialogsText::tr("The field with the focus: step by step; without Ctrl the wheel scrolls")});
    return keys;
}

} // namespace

void showShortcuts(const CommandRegistry& commands, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(HelpDialogsText::tr("Keyboard shortcuts"));
    const auto keys = keyTable(commands);
    auto* table = new QTableWidget(static_cast<int>(keys.size()), 2, &dialog);
    table->setAccessibleName(HelpDialogsText::tr("Keyboard shortcuts"));
    table->setTabKeyNavigation(false); // Tab leads on to the button
    table->setHorizontalHeaderLabels({HelpDialogsText::tr("Keys"), HelpDialogsText::tr("What they do")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int row = 0; row < table->rowCount(); ++row) {
        const auto& key = keys[static_cast<std::size_t>(row)];
        table->setItem(row, 0, new QTableWidgetItem(key.keys));
        table->setItem(row, 1, new QTableWidgetItem(key.what));
    }
    table->resizeColumnToContents(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(table);
    column->addWidget(buttons);
    dialog.resize(560, 560);
    dialog.exec();
}

void showAbout(QWidget* parent) {
    const auto version = QString::fromUtf8(engine::kVersion);
    QMessageBox box(parent);
    box.setWindowTitle(HelpDialogsText::tr("About Heteroscape"));
    box.setIconPixmap(Theme::instance().pixmap(
        QStringLiteral("logo"), Theme::instance().color(ColorRole::Accent), 48, parent->devicePixelRatioF()));
    box.setText(HelpDialogsText::tr("Heteroscape %1").arg(version));
    box.setInformativeText(HelpDialogsText::tr(
        "Explores the hardware that serves large language models: drag devices onto a canvas, choose a model "
        "and a workload, and see how fast it is, what it costs and where the time goes.\n\n"
        "Free software under the GNU General Public License, version 3 or later. Comes without any "
        "warranty."));
    box.exec();
}

} // namespace heteroscape::widgets
