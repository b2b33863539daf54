// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/figure_study.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric.h"
#include "engine/evaluation/metric_path.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 11> kPlotKindNames{"lines",   "bars",     "heat_map",  "timeline",
                                                          "scatter", "parallel", "breakdown", "roofline",
                                                          "stacked", "best_at",  "on_front"};

std::string studiesFolder(const Catalog& catalog, const std::string& paper) {
    return catalog.paper(paper, "paper").path + "/studies";
}

/// A study's file: <paper's folder>/studies/<id>.json.
std::string pathOf(const Catalog& catalog, const std::string& id) {
    const auto slash = id.find('/');
    return studiesFolder(catalog, id.substr(0, slash)) + id.substr(slash) + ".json";
}

class StudyReader {
public:
    StudyReader(const Catalog& catalog, FigureStudy& out) : m_catalog(catalog), m_out(out) {}

    void read(JsonObject& object) {
        m_out.name = object.text("name");
        m_out.about = object.text("about", "");
        m_out.preset = object.text("scenario");
        m_out.study.name = m_out.name;
        m_out.study.base = loadPreset(m_catalog, m_out.preset, object.place("scenario"));
        if (object.has("set"))
            readSettings(object.require("set"), object.place("set"));
        const auto axes = readTexts(object, "axes");
        for (const auto& axis : axes)
            m_out.study.axes.push_back(parseAxis(m_out.study.base, m_catalog, axis));
        checkStudy(m_out.study);
        for (const auto& limit : readTexts(object, "limits"))
            m_out.study.limits.push_back(parseLimit(limit));
        const auto& plots = object.array("plots");
        for (std::size_t i = 0; i < plots.size(); ++i)
            m_out.plots.push_back(readPlot(plots[i], object.place("plots[" + std::to_string(i) + "]")));
        object.finish();
    }

private:
    const Catalog& m_catalog;
    FigureStudy& m_out;

    static std::string textOf(const Json& value, const std::string& where) {
        if (value.is_number())
            return exactText(value.get<double>());
        if (value.is_boolean())
            return value.get<bool>() ? "true" : "false";
        if (value.is_string())
            return value.get<std::string>();
        throwInvalid(where, "expected a number, a string, true or false");
    }

    void readSettings(const Json& settings, const std::string& where) {
        if (!settings.is_object())
            throwInvalid(where, "expected an object of parameter paths and values");
        m_out.study.base.change([&](Scenario& base) {
            for (const auto& [path, value] : settings.items())
                applyEdit(base, setEdit(base, m_catalog, path, textOf(value, where + "." + path)));
        });
    }

    const Axis& axisOf(const std::string& path, const std::string& where) const {
        std::vector<std::string> paths;
        for (const auto& axis : m_out.study.axes) {
            if (axis.path == path)
                return axis;
            paths.push_back(axis.path);
        }
        throwInvalid(where, "\"" + path.substr(0, 80) + "\" is no axis of this study",
                     "Axes: " + joined(paths));
    }

    /// A metric, or a figure of a node, which the study then keeps.
    std::string metricOf(const std::string& told, const std::string& where) {
        const auto key = currentPath(told);
        if (findMetric(key))
            return key;
        if (!key.starts_with("nodes."))
            throwInvalid(where, "no metric is called \"" + key.substr(0, 80) + "\"");
        if (!sweepsSystems(m_out.study.axes))
            findMetric(m_out.study.base, evaluate(m_out.study.base), key); // throws, saying what there is
        auto& nodeMetrics = m_out.study.nodeMetrics;
        if (std::find(nodeMetrics.begin(), nodeMetrics.end(), key) == nodeMetrics.end())
            nodeMetrics.push_back(key);
        return key;
    }

    double valueOf(const std::string& path, const Json& value, const std::string& where) const {
        const auto& axis = axisOf(path, where);
        const auto text = textOf(value, where);
        for (std::size_t i = 0; i < axis.values.size(); ++i)
            if (axis.text(i) == text)
                return axis.values[i];
        throwInvalid(where, "\"" + text.substr(0, 80) + "\" is not on the axis " + path);
    }

    /// Of the key "without": a technique that changes a step's schedule.
    static std::string techniqueOf(JsonObject& object) {
        auto id = object.text("without", "");
        std::vector<std::string> known;
        for (const auto* kind : techniqueKinds().all())
            if (kind->changesSteps())
                known.emplace_back(kind->id());
        if (!id.empty() && std::find(known.begin(), known.end(), id) == known.end())
            throwInvalid(object.place("without"),
                         "no technique of a step is called \"" + id.substr(0, 80) + "\"",
                         "Allowed: " + joined(known));
        return id;
    }

    void readTimeline(StudyPlot& plot, JsonObject& object) const {
        plot.without = techniqueOf(object);
        plot.requests = object.boolean("requests", false);
        if (plot.requests && !m_out.study.base->serving.isSimulated())
            throwInvalid(object.place("requests"), "no request is simulated with such arrivals",
                         "Set serving.arrivals to " + simulatedArrivalsText());
    }

    StudyPlot readPlot(const Json& json, const std::string& where) {
        JsonObject object(json, where);
        StudyPlot plot;
        plot.title = object.text("title");
        plot.kind = static_cast<PlotKind>(readName(object, "kind", kPlotKindNames));
        if (plot.kind == PlotKind::Timeline)
            readTimeline(plot, object);
        else if (plot.kind == PlotKind::Roofline && !object.has("x"))
            holdTheRest(plot.query);
        else
            readCut(plot, object);
        plot.optimum = object.boolean("optimum", false);
        if (const auto* within = object.find("optimum_within")) {
            plot.optimumWithin = within->is_number() ? within->get<double>() : -1.0;
            if (!(plot.optimumWithin >= 0.0 && plot.optimumWithin < 1.0))
                throwInvalid(object.place("optimum_within"), "expected a share from 0 to 1, such as 0.001");
        }
        plot.logValues = object.boolean("log", false);
        readMarks(plot, object);
        if (object.has("references")) {
            const auto& references = object.array("references");
            for (std::size_t i = 0; i < references.size(); ++i) {
                JsonObject one(references[i], object.place("references[" + std::to_string(i) + "]"));
                PlotReference reference;
                reference.label = one.text("label");
                const auto& value = one.require("value");
                if (!value.is_number())
                    throwInvalid(one.place("value"), "expected a number");
                reference.value = value.get<double>();
                reference.source = one.text("source");
                one.finish();
                plot.references.push_back(std::move(reference));
            }
        }
        object.finish();
        return plot;
    }

    /// What only some kinds of plot have.
    static void readMarks(StudyPlot& plot, JsonObject& object) {
        const auto only = [&](const char* key, PlotKind kind) {
            if (object.has(key) && plot.kind != kind)
                throwInvalid(object.place(key),
                             "only for plots of the kind \"" +
                                 std::string(kPlotKindNames[static_cast<std::size_t>(kind)]) + "\"");
        };
        only("pareto", PlotKind::Scatter);
        only("log_across", PlotKind::Scatter);
        only("contours", PlotKind::HeatMap);
        only("bands", PlotKind::Lines);
        plot.pareto = object.boolean("pareto", false);
        plot.logAcross = object.boolean("log_across", false);
        plot.contours = object.boolean("contours", false);
        plot.bands = object.boolean("bands", false);
        only("shares", PlotKind::Bars);
        only("values", PlotKind::Bars);
        only("crossover", PlotKind::Lines);
        only("knee", PlotKind::Lines);
        plot.knee = object.boolean("knee", false);
        plot.shares = object.boolean("shares", false);
        plot.values = object.boolean("values", false);
        if (plot.shares && plot.logValues)
            throwInvalid(object.place("shares"), "shares of a whole have no logarithmic axis");
        only("crossover_with", PlotKind::Lines);
        if (object.has("crossover_with"))
            plot.crossoverWith =
                static_cast<CrossoverWith>(readName(object, "crossover_with", crossoverWithNames()));
        if (object.has("crossover"))
            plot.crossover = static_cast<CrossoverKind>(readName(object, "crossover", crossoverKindNames()));
    }

    std::vector<HeldAxis> readHeld(const Json& json, const std::string& where) const {
        if (!json.is_object() || json.empty())
            throwInvalid(where, "expected an object of axes and one of the values of each");
        std::vector<HeldAxis> held;
        for (const auto& [path, value] : json.items())
            held.emplace_back(path, valueOf(path, value, where));
        return held;
    }

    void readCases(SeriesQuery& query, JsonObject& object) const {
        if (!query.curve.empty())
            throwInvalid(object.place("cases"), "the curves are those of \"curve\" already");
        const auto& cases = object.array("cases");
        for (std::size_t i = 0; i < cases.size(); ++i) {
            JsonObject one(cases[i], object.place("cases[" + std::to_string(i) + "]"));
            SeriesCase made{one.text("name"), readHeld(one.require("at"), one.place("at"))};
            one.finish();
            const auto same = [&query](const HeldAxis& held) { return query.inCases(held.first); };
            if (i > 0 && (made.at.size() != query.cases.front().at.size() ||
                          !std::all_of(made.at.begin(), made.at.end(), same)))
                throwInvalid(one.place("at"), "names other axes than the first case");
            for (const auto& [path, value] : made.at)
                if (path == query.x)
                    throwInvalid(one.place("at"), "\"" + path + "\" is the axis x");
            query.cases.push_back(std::move(made));
        }
    }

    void readCut(StudyPlot& plot, JsonObject& object) {
        auto& query = plot.query;
        // Points of the whole study, whatever their place; all others have an axis across.
        const bool ofFronts = plot.kind == PlotKind::Scatter || plot.kind == PlotKind::BestAt;
        const bool everyPoint = ofFronts || plot.kind == PlotKind::Parallel;
        const bool evaluates = plot.kind == PlotKind::Breakdown || plot.kind == PlotKind::Roofline;
        if (!everyPoint)
            query.x = axisOf(object.text("x"), object.place("x")).path;
        if (object.has("curve"))
            query.curve = axisOf(object.text("curve"), object.place("curve")).path;
        if (object.has("cases") && plot.kind != PlotKind::HeatMap)
            readCases(query, object);
        else if (plot.kind == PlotKind::HeatMap && query.curve.empty())
            throwInvalid(object.place("curve"), "missing", "A heat map has an axis upwards");
        for (const auto& key : readTexts(object, "metrics"))
            plot.metrics.push_back(metricOf(key, object.place("metrics")));
        const std::size_t least = evaluates ? 0 : ofFronts || plot.kind == PlotKind::OnFront ? 2 : 1;
        if (plot.metrics.size() < least)
            throwInvalid(object.place("metrics"), "missing",
                         least == 2 ? "A scatter plot has a metric across and one upwards"
                                    : "List at least one metric");
        if (!plot.metrics.empty())
            query.metric = plot.metrics.front();
        for (const auto& key : readTexts(object, "right"))
            plot.rightMetrics.push_back(metricOf(key, object.place("right")));
        if (object.has("gain_over")) {
            const auto base = readHeld(object.require("gain_over"), object.place("gain_over"));
            query.gain = {base.front().first, base.front().second, {base.begin() + 1, base.end()}};
        }
        for (const auto& path : readTexts(object, "mean_over"))
            query.meanOver.push_back(axisOf(path, object.place("mean_over")).path);
        if (object.has("mean"))
            query.mean = static_cast<MeanKind>(readName(object, "mean", meanKindNames()));
        if (object.has("hold"))
            for (const auto& [path, value] : object.require("hold").items())
                query.fixed.emplace_back(path, valueOf(path, value, object.place("hold")));
        if (everyPoint)
            query.fixed.clear();
        else
            holdTheRest(query);
    }

    /// An axis that nothing speaks of stands at its first value; one that a gain is taken over at its last.
    void holdTheRest(SeriesQuery& query) const {
        for (const auto& axis : m_out.study.axes) {
            const bool held = std::any_of(query.fixed.begin(), query.fixed.end(),
                                          [&](const auto& fixed) { return fixed.first == axis.path; });
            const bool averaged =
                std::find(query.meanOver.begin(), query.meanOver.end(), axis.path) != query.meanOver.end();
            if (axis.path == query.x || axis.path == query.curve || query.inCases(axis.path) || averaged ||
                held)
                continue;
            query.fixed.emplace_back(axis.path,
                                     query.gain.names(axis.path) ? axis.values.back() : axis.values.front());
        }
    }
};

std::string paperOf(const std::string& id) {
    return id.substr(0, id.find('/'));
}

FigureStudy readStudy(const Catalog& catalog, const std::string& id, const std::string& paper) {
    const auto path = pathOf(catalog, id);
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    FigureStudy study;
    study.id = id;
    study.paper = paper;
    StudyReader(catalog, study).read(object);
    return study;
}

} // namespace

std::span<const std::string_view> crossoverWithNames() {
    static constexpr std::array<std::string_view, 3> names{"all", "curves", "references"};
    return names;
}

std::vector<std::string> listStudies(const Catalog& catalog) {
    std::vector<std::string> ids;
    for (const auto& paper : listPapers(catalog)) {
        const auto folder = studiesFolder(catalog, paper);
        if (!fs::exists(folder))
            continue;
        for (const auto& path : listFiles(folder, ".json"))
            ids.push_back(paper + "/" + fs::path(path).stem().string());
    }
    return ids;
}

FigureStudy loadStudy(const Catalog& catalog, const std::string& id, const std::string& where) {
    const auto ids = listStudies(catalog);
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
        throw Error(ErrorCode::NotFound, where, "unknown study \"" + id.substr(0, 80) + "\"",
                    "Allowed: " + joined(ids));
    return readStudy(catalog, id, loadPaper(catalog, paperOf(id)).name);
}

std::vector<FigureStudy> loadStudies(const Catalog& catalog, std::vector<std::string>& problems) {
    std::vector<FigureStudy> studies;
    const auto attempt = [&problems](const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            problems.emplace_back(error.what());
        }
    };
    std::vector<std::string> ids;
    std::map<std::string, std::string> papers; // id to name: each is read once
    attempt([&] { ids = listStudies(catalog); });
    for (const auto& id : ids)
        attempt([&] {
            auto& paper = papers[paperOf(id)];
            if (paper.empty())
                paper = loadPaper(catalog, paperOf(id)).name;
            studies.push_back(readStudy(catalog, id, paper));
        });
    return studies;
}

} // namespace heteroscape::engine
