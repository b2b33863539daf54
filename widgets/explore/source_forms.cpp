// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/source_forms.h"

#include "widgets/explore/page_switch.h"
#include "widgets/explore/run_row.h"

#include <algorithm>

namespace heteroscape::widgets {

SourceForms::SourceForms(PageSwitch* control, QWidget* page, QObject* parent)
    : QObject(parent), m_control(control), m_page(page) {
    connect(control, &PageSwitch::pageChanged, this, [this] {
        const auto entry = std::ranges::find(m_entries, m_control->number(), &Entry::number);
        if (entry == m_entries.end() || entry->form == shown())
            return;
        shown()->hide();
        m_shown = static_cast<std::size_t>(entry - m_entries.begin());
        shown()->show();
        emit shownChanged();
    });
}

void SourceForms::add(SourceForm* form, const QString& name, QWidget* tools) {
    m_entries.push_back({form, m_control->addPage(name, m_page, tools), {}});
    form->setVisible(form == shown());
    if (!m_running)
        m_running = form;
    const auto pass = [this, form](auto signal) {
        return [this, form, signal] {
            if (form == shown())
                emit(this->*signal)();
        };
    };
    connect(form->runRow(), &RunRow::runRequested, this, &SourceForms::runRequested);
    connect(form->runRow(), &RunRow::cancelRequested, this, &SourceForms::cancelRequested);
    connect(form->runRow(), &RunRow::pauseRequested, this, &SourceForms::pauseRequested);
    connect(form, &SourceForm::changed, this, pass(&SourceForms::changed));
    connect(form, &SourceForm::wanted, this, pass(&SourceForms::wanted));
    connect(form, &SourceForm::limitsChanged, this, pass(&SourceForms::limitsChanged));
    connect(form, &SourceForm::plotsChanged, this, pass(&SourceForms::plotsChanged));
    connect(form, &SourceForm::refused, this, &SourceForms::refused);
}

SourceForm* SourceForms::of(const engine::Study& study) const {
    const auto entry =
        std::ranges::find_if(m_entries, [&](const auto& one) { return one.form->makes(study); });
    return entry == m_entries.end() ? m_entries.front().form : entry->form;
}

void SourceForms::show(SourceForm* form) {
    m_control->setPage(entryOf(form).number);
}

void SourceForms::await(SourceForm* form) {
    form->awaitStudy();
    show(form);
}

void SourceForms::setRunning(SourceForm* form) {
    if (m_running != form)
        m_running->setRunning(false);
    m_running = form;
    m_running->setRunning(true);
}

void SourceForms::keepLast(const Loaded& study) {
    entryOf(of(study->definition)).last = study;
}

void SourceForms::forgetLast(qint64 id) {
    for (auto& entry : m_entries)
        if (entry.last && entry.last->table.info.id == id)
            entry.last = nullptr;
}

SourceForms::Entry& SourceForms::entryOf(const SourceForm* form) {
    return *std::ranges::find(m_entries, form, &Entry::form);
}

} // namespace heteroscape::widgets

#include "moc_source_forms.cpp"
