// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/plot_controls.h"

#include "widgets/explore/plot_options.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/study_plot_parts.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyleOption>
#include <QStylePainter>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// A field of so many letters (0: of its longest entry) whose list is as wide as its longest entry. The list
/// is made when it drops: to ask for either width by a policy or of the view would make it at once, and a
/// tile has seven.
class ListField : public QComboBox {
public:
    ListField(int letters, QWidget* parent) : QComboBox(parent), m_letters(letters) {}

    void showPopup() override {
        view()->setMinimumWidth(view()->sizeHintForColumn(0) + 24);
        QComboBox::showPopup();
    }
    QSize sizeHint() const override {
        if (m_letters == 0)
            return QComboBox::sizeHint();
        QStyleOptionComboBox option;
        initStyleOption(&option);
        const QSize content(m_letters * fontMetrics().horizontalAdvance(u'X') + iconSize().width() + 4,
                            std::max(fontMetrics().height(), iconSize().height()) + 2);
        return style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, this);
    }
    QSize minimumSizeHint() const override {
        return m_letters == 0 ? QComboBox::minimumSizeHint() : sizeHint();
    }

protected:
    /// As the style paints it, but what does not fit ends in an ellipsis.
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const auto room =
            style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 2);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }

private:
    int m_letters;
};

QComboBox* makeCombo(const char* object, const QString& name, int letters, QWidget* parent) {
    auto* combo = new ListField(letters, parent);
    combo->setObjectName(QLatin1String(object));
    combo->setAccessibleName(name);
    combo->setToolTip(plainTip(name));
    return combo;
}

std::string key(const QComboBox* combo) {
    return combo->currentData().toString().toStdString();
}

void choose(QComboBox* combo, const std::string& wanted) {
    combo->setCurrentIndex(std::max(0, combo->findData(QString::fromStdString(wanted))));
}

/// A line between the entries of a list that cannot be chosen.
void addHeading(QComboBox* combo, const QString& text) {
    combo->insertSeparator(combo->count());
    combo->addItem(text);
    auto* item = static_cast<QStandardItemModel*>(combo->model())->item(combo->count() - 1);
    item->setFlags(Qt::NoItemFlags);
    item->setData(Theme::instance().font(TextSize::Caption, QFont::DemiBold), Qt::FontRole);
}

} // namespace

PlotControls::PlotControls(const QString& metric, QWidget* parent)
    : QWidget(parent), m_kind(makeCombo("kind", tr("Kind of plot"), 7, this)),
      m_metric(makeCombo("metric", tr("Metric"), 8, this)),
      m_upwards(makeCombo("upwards", tr("Metric upwards"), 6, this)),
      m_size(makeCombo("pointSize", tr("Size of the points"), 12, this)),
      m_across(makeCombo("across", tr("Across"), 8, this)),
      m_curves(makeCombo("curves", tr("Curves"), 8, this)),
      m_further(makeCombo("further", tr("And by"), 4, this)),
      m_against(new TextLabel(tr("against"), TextSize::Dense, ColorRole::Muted, this)),
      m_sized(new TextLabel(tr("Sized by"), TextSize::Dense, ColorRole::Muted, this)),
      m_over(new TextLabel(tr("over"), TextSize::Dense, ColorRole::Muted, this)),
      m_and(new TextLabel(tr("and"), TextSize::Dense, ColorRole::Muted, this)),
      m_by(new TextLabel(tr("by"), TextSize::Dense, ColorRole::Muted, this)), m_heldRow(new QHBoxLayout),
      m_options(new PlotOptions(this)) {
    m_wanted = metric.toStdString();
    m_plot.metrics = {m_wanted};
    m_plot.query.metric = m_wanted;
    m_plot.optimum = true;
    for (const auto& [kind, form] : plotForms())
        m_kind->addItem(PlotForm::words(form->label), static_cast<int>(kind));
    auto* choices = new QHBoxLayout;
    choices->setSpacing(6);
    choices->addWidget(m_kind, 0);
    choices->addWidget(m_upwards, 5);
    choices->addWidget(m_against);
    choices->addWidget(m_metric, 5);
    choices->addWidget(m_over);
    choices->addWidget(m_across, 4);
    choices->addWidget(m_by);
    choices->addWidget(m_curves, 4);
    choices->addWidget(m_and);
    choices->addWidget(m_further);
    m_choices = choices;
    auto* sizeRow = new QHBoxLayout; // the first row is full
    sizeRow->setSpacing(6);
    sizeRow->addWidget(m_sized);
    sizeRow->addWidget(m_size);
    sizeRow->addStretch(1);
    m_heldRow->setSpacing(6);
    auto* column = makeColumn(this, {}, 6);
    column->addLayout(choices);
    column->addLayout(sizeRow);
    column->addLayout(m_heldRow);

    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        const auto before =
            std::exchange(m_plot.kind, static_cast<engine::PlotKind>(m_kind->currentData().toInt()));
        if (plotForm(before).isOfEveryPoint()) // metrics of different units have no place on one axis
            m_plot.metrics.resize(1);
        if (plotForm(m_plot.kind).offers(&engine::StudyPlot::pareto))
            m_plot.pareto = true;
        edited();
    });
    connect(m_metric, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = key(m_metric);
        if (plotForm(m_plot.kind).isOfEveryPoint() && !m_plot.metrics.empty()) {
            std::erase(m_plot.metrics, m_wanted);
            m_plot.metrics.insert(m_plot.metrics.begin(), m_wanted);
        } else {
            m_plot.metrics = {m_wanted};
        }
        m_plot.references.clear(); // they are values of the metric before
        edited();
    });
    connect(m_upwards, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.metrics.at(1) = key(m_upwards); // the size stays
        edited();
    });
    connect(m_size, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.metrics.resize(2);
        if (!key(m_size).empty())
            m_plot.metrics.push_back(key(m_size));
        edited();
    });
    connect(m_across, &QComboBox::currentIndexChanged, this, [this] {
        if (m_plot.query.inCases(key(m_across)))
            m_plot.query.cases.clear();
        if (key(m_across) == m_plot.query.curve) // one axis cannot be both: they change places
            m_plot.query.curve = m_plot.query.x;
        m_plot.query.x = key(m_across);
        edited();
    });
    connect(m_curves, &QComboBox::currentIndexChanged, this, [this] {
        if (key(m_curves) == m_plot.query.x)
            m_plot.query.x = m_plot.query.curve; // settle() finds another when there was none
        m_plot.query.cases.clear();
        m_plot.query.curve = key(m_curves);
        edited();
    });
    connect(m_further, &QComboBox::currentIndexChanged, this, [this] {
        const auto axis = key(m_curves), other = key(m_further);
        if (other == "more") // it is chosen already when it is there
            return;
        auto& query = m_plot.query;
        query.cases.clear();
        query.curve = axis;
        if (!other.empty()) {
            std::erase(query.meanOver, other);
            query.cases = everyCase(*m_study, {axis, other});
        }
        edited();
    });
    connect(m_options, &PlotOptions::changed, this, [this] {
        if (m_options->plot().query.gain.axis != m_plot.query.gain.axis)
            m_plot.references.clear();
        auto plot = m_options->plot();
        plot.references = m_plot.references;
        m_plot = std::move(plot);
        edited();
    });
}

void PlotControls::setStudy(std::shared_ptr<const LoadedStudy> study) {
    const bool same = m_study && study && m_study->table.info.id == study->table.info.id;
    if (!same && study) {
        m_held.clear();
        m_plot.query.fixed.clear();
        m_plot.title.clear();
        m_plot.references.clear();
        const auto* before = m_study ? m_study->table.find(m_plot.query.x) : nullptr;
        const bool fits = before && study->table.find(m_plot.query.x);
        if (!fits)
            m_plot = firstPlot(study->table, m_wanted);
    }
    m_study = std::move(study);
    if (!m_study)
        return;
    if (!same) {
        makeHeld({}); // the same axis may have other values
        fillLists();  // else they stay as they are: one of them may be open
    } else {
        nameLists();
    }
    showPlot();
}

void PlotControls::setPlot(const engine::StudyPlot& plot) {
    m_plot = plot;
    m_held.clear();
    if (m_study)
        showPlot();
}

void PlotControls::edited() {
    m_plot.title.clear();
    showPlot();
    emit changed();
}

void PlotControls::fillLists() {
    const QSignalBlocker quietMetric(m_metric), quietAcross(m_across), quietCurves(m_curves),
        quietUpwards(m_upwards), quietSize(m_size);
    m_metric->clear();
    m_upwards->clear();
    m_size->clear();
    m_size->addItem(tr("nothing"), QString());
    m_across->clear();
    m_curves->clear();
    m_curves->addItem(tr("nothing else"), QString());
    bool headed = false;
    for (const auto& column : m_study->table.columns) {
        const auto label = QString::fromStdString(column.label), name = QString::fromStdString(column.name);
        if (column.isAxis) {
            m_across->addItem(label, name);
            m_curves->addItem(label, name);
        } else if (isMetric(column)) {
            if (isSimulated(column.name) && !std::exchange(headed, true))
                for (auto* combo : {m_metric, m_upwards, m_size})
                    addHeading(combo, tr("Simulated requests"));
            for (auto* combo : {m_metric, m_upwards, m_size})
                combo->addItem(label, name);
        }
    }
    m_curves->setEnabled(m_across->count() > 1);
}

void PlotControls::nameLists() {
    for (auto* combo : {m_metric, m_upwards, m_size})
        for (int i = 0; i < combo->count(); ++i)
            if (const auto* column = m_study->table.find(combo->itemData(i).toString().toStdString()))
                combo->setItemText(i, QString::fromStdString(column->label));
}

void PlotControls::showPlot() {
    settle(m_plot, m_study->table, m_held);
    const QSignalBlocker quietKind(m_kind), quietMetric(m_metric), quietAcross(m_across),
        quietCurves(m_curves), quietUpwards(m_upwards), quietSize(m_size);
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(m_plot.kind)));
    choose(m_metric, m_plot.query.metric);
    choose(m_across, m_plot.query.x);
    choose(m_upwards, m_plot.metrics.size() > 1 ? m_plot.metrics[1] : "");
    choose(m_size, m_plot.metrics.size() > 2 ? m_plot.metrics[2] : "");
    showKind();
    showCurves();
    showHeld();
}

/// Only what this kind of plot has.
void PlotControls::showKind() {
    const auto& form = plotForm(m_plot.kind);
    const bool cloud = form.isCloud(), curves = form.curves != nullptr;
    m_metric->setVisible(curves);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_upwards, m_against, m_size, m_sized})
        widget->setVisible(cloud);
    m_metric->setAccessibleName(cloud ? tr("Metric across") : tr("Metric"));
    m_metric->setToolTip(plainTip(m_metric->accessibleName()));
    const bool across = !form.isOfEveryPoint() && !form.isTimeline() && m_across->count() > 0;
    m_over->setVisible(across);
    m_across->setVisible(across);
    m_by->setVisible(curves);
    m_curves->setVisible(curves);
    if (!curves)
        return;
    m_by->setText(PlotForm::words(form.by));
    m_curves->setAccessibleName(PlotForm::words(form.curves));
    m_curves->setToolTip(plainTip(m_curves->accessibleName()));
}

/// The axis of the curves and, where the study has a third, another one: every combination is a curve then.
void PlotControls::showCurves() {
    const auto axes = caseAxes(m_plot.query);
    const auto first = axes.empty() ? m_plot.query.curve : axes.front();
    choose(m_curves, first);
    const QSignalBlocker quiet(m_further);
    m_further->clear();
    m_further->addItem(tr("none"), QString());
    if (axes.size() > 2)
        m_further->addItem(tr("%n more", nullptr, static_cast<int>(axes.size()) - 1), QStringLiteral("more"));
    for (const auto& axis : m_study->table.info.axes)
        if (axis.path != m_plot.query.x && axis.path != first &&
            !everyCase(*m_study, {first.empty() ? axis.path : first, axis.path}).empty())
            m_further->addItem(QString::fromStdString(m_study->table.find(axis.path)->label),
                               QString::fromStdString(axis.path));
    choose(m_further, axes.size() == 2 ? axes[1] : axes.size() > 2 ? "more" : "");
    m_choices->setStretchFactor(m_further, axes.size() > 1 ? 4 : 0); // little room while it says nothing
    const bool shown = !first.empty() && m_further->count() > 1 && plotForm(m_plot.kind).combines;
    m_further->setVisible(shown);
    m_and->setVisible(shown);
}

void PlotControls::showHeld() {
    std::vector<std::pair<std::string, double>> wanted;
    for (const auto& fixed : m_plot.query.fixed)
        // Of two values one is the base of the gain: nothing is left to choose.
        if (fixed.first != m_plot.query.gain.axis || m_study->axis(fixed.first)->values.size() > 2)
            wanted.push_back(fixed);
    const bool same = std::equal(wanted.begin(), wanted.end(), m_heldCombos.begin(), m_heldCombos.end(),
                                 [](const auto& a, const auto& b) { return a.first == b.first; });
    if (!same) {
        makeHeld(wanted);
        return;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const QSignalBlocker quiet(m_heldCombos[i].second);
        m_heldCombos[i].second->setCurrentIndex(m_heldCombos[i].second->findData(wanted[i].second));
    }
}

void PlotControls::makeHeld(const std::vector<std::pair<std::string, double>>& wanted) {
    while (auto* item = m_heldRow->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_heldCombos.clear();
    for (const auto& [path, held] : wanted) {
        const auto& column = *m_study->table.find(path);
        const auto label = QString::fromStdString(column.label);
        auto* combo = makeCombo("held", tr("%1 held at").arg(label), 0, this);
        combo->setMinimumContentsLength(6);
        for (const double value : axisValues(*m_study, path))
            combo->addItem(m_study->textWithUnit(column, value), value);
        combo->setCurrentIndex(std::max(0, combo->findData(held)));
        connect(combo, &QComboBox::currentIndexChanged, this, [this, combo, axis = path] {
            m_plot.query.fixed.clear(); // settle() takes what is held from m_held
            m_held[axis] = combo->currentData().toDouble();
            edited();
        });
        m_heldRow->addWidget(new TextLabel(label, TextSize::Caption, ColorRole::Muted, this));
        m_heldRow->addWidget(combo);
        m_heldCombos.emplace_back(path, combo);
    }
    if (!wanted.empty())
        m_heldRow->addStretch(1);
}

void PlotControls::openOptions(const QWidget* anchor) {
    if (m_study)
        m_options->open(m_study, m_plot, anchor);
}

} // namespace heteroscape::widgets

#include "moc_plot_controls.cpp"
