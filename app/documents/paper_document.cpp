// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/paper_document.h"

#include "app/documents/catalog_document.h"
#include "app/documents/comparison_document.h"
#include "app/study_text.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/claims/expression.h"
#include "engine/claims/figure_study.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/exporters/guide.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

namespace fs = std::filesystem;

using Row = std::vector<std::string>;

/// A cell, or a heading, that shows a text as it stands.
std::string oneLine(const std::string& text) {
    auto out = markdownText(text);
    std::replace_if(
        out.begin(), out.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return out;
}

std::string rowText(const Row& cells) {
    std::string text = "|";
    for (const auto& cell : cells)
        text += " " + oneLine(cell) + " |";
    return text + "\n";
}

std::string tableText(const Row& header, const std::vector<Row>& rows) {
    auto text = rowText(header) + "|";
    for (std::size_t i = 0; i < header.size(); ++i)
        text += "---|";
    text += "\n";
    for (const auto& row : rows)
        text += rowText(row);
    return text + "\n";
}

std::string withUnit(const std::string& number, std::string_view unit) {
    return unit.empty() ? number : number + " " + std::string(unit);
}

/// Puts the numbers of a paper's words in.
class LiveWords {
public:
    LiveWords(const Catalog& catalog, const PaperComparison& comparison, std::string file)
        : m_catalog(catalog), m_comparison(comparison), m_evaluator(catalog), m_file(std::move(file)) {}

    std::string of(const std::string& markdown) {
        std::istringstream lines(markdown);
        std::string text;
        bool fenced = false;
        for (std::string line; std::getline(lines, line);) {
            ++m_line;
            fenced ^= line.starts_with("```");
            text += (fenced ? line : lineOf(line)) + "\n";
        }
        return text;
    }

private:
    const Catalog& m_catalog;
    const PaperComparison& m_comparison;
    ExpressionEvaluator m_evaluator;
    std::string m_file;
    int m_line = 0;

    static constexpr const char* kForms =
        "Write {{DESIGN METRIC}}, {{DESIGN METRIC path=value}} or {{claim ID}}";

    std::string lineOf(const std::string& line) {
        std::string text;
        std::size_t from = 0;
        for (auto at = line.find("{{"); at != std::string::npos; at = line.find("{{", from)) {
            const auto end = line.find("}}", at);
            if (end == std::string::npos)
                throwInvalid(place(), "{{ has no }} in its line", kForms);
            text += line.substr(from, at - from) + figureOf(line.substr(at + 2, end - at - 2));
            from = end + 2;
        }
        return text + line.substr(from);
    }

    std::string place() const { return m_file + ":" + std::to_string(m_line); }

    std::string figureOf(const std::string& told) {
        const auto where = place() + ": {{" + told.substr(0, 200) + "}}";
        std::istringstream words(told);
        std::string first, second;
        words >> first >> second;
        if (second.empty())
            throwInvalid(where, "names no figure", kForms);
        try {
            return markdownText(first == "claim" ? claimFigure(second, words)
                                                 : metricFigure(first, second, words));
        } catch (const Error& error) {
            throw Error(error.code(), where, error.message(), error.remedy());
        }
    }

    std::string claimFigure(const std::string& id, std::istringstream& rest) const {
        std::vector<std::string> ids;
        if (std::string more; rest >> more)
            throwInvalid({}, "says more than a claim's id", kForms);
        for (const auto& result : m_comparison.results) {
            if (result.claim.id == id)
                return result.problem.empty()
                           ? withUnit(computedText(result.claim, result.model), result.claim.unit)
                           : markText(result);
            ids.push_back(result.claim.id);
        }
        throw Error(ErrorCode::NotFound, {}, "unknown claim \"" + id.substr(0, 80) + "\"",
                    allowedText(ids, id));
    }

    std::string metricFigure(std::string design, const std::string& metric, std::istringstream& settings) {
        if (design.find('/') == std::string::npos)
            design = m_comparison.paper.id + "/" + design;
        Json expression = {{"scenario", design}, {"metric", metric}, {"set", Json::object()}};
        for (std::string setting; settings >> setting;) {
            const auto equals = setting.find('=');
            if (equals == std::string::npos || equals == 0)
                throwInvalid({}, "\"" + setting.substr(0, 80) + "\" is not a setting", kForms);
            const auto text = setting.substr(equals + 1);
            const auto number = parseNumber(text);
            expression["set"][setting.substr(0, equals)] = number ? Json(*number) : Json(text);
        }
        const double value = m_evaluator.value(expression, metric);
        const auto unit = shownUnit(metricUnit(currentPath(metric)), value);
        return withUnit(shortText(value * unit.factor, 4), unit.name);
    }
};

std::string wordsOf(const Catalog& catalog, const PaperComparison& comparison, const std::string& folder) {
    const auto file = (fs::path(folder) / "paper.md").string();
    if (!fs::exists(file))
        return oneLine(comparison.paper.about) + "\n";
    return LiveWords(catalog, comparison, file).of(readFile(file));
}

std::string designsTable(const Catalog& catalog, const Paper& paper) {
    constexpr std::array kShown{Metric::Throughput, Metric::TimeToFirstToken, Metric::TimePerToken,
                                Metric::Price, Metric::Power};
    Row header{"design", "name", "model", "tokens in, out", "devices"};
    for (const auto metric : kShown)
        header.push_back(withUnit(std::string(metricSpec(metric).label) + ",", metricSpec(metric).unit));
    header.emplace_back("runs");
    std::vector<Row> rows;
    for (const auto& id : paper.scenarios) {
        const auto scenario = loadPreset(catalog, id, id);
        const auto evaluation = evaluate(scenario);
        std::string devices;
        for (const auto& node : scenario.nodes)
            devices += (devices.empty() ? "" : ", ") + exactText(node.count.value) + " × " + node.device.name;
        Row row{id, scenario.name, scenario.model.name,
                exactText(scenario.workload.promptTokens.value) + ", " +
                    exactText(scenario.workload.outputTokens.value),
                devices};
        for (const auto metric : kShown)
            row.push_back(shortText(evaluation.metric(metric) / metricSpec(metric).scale, 4));
        row.push_back(evaluation.feasible ? "yes" : "no: " + evaluation.reason);
        rows.push_back(std::move(row));
    }
    return rows.empty() ? "The folder has no design of its own.\n\n" : tableText(header, rows);
}

std::string claimsTable(const PaperComparison& comparison) {
    std::vector<Row> rows;
    for (const auto& result : comparison.results) {
        const auto& claim = result.claim;
        rows.push_back({claim.quantity, claim.condition, statedText(claim), computedText(claim, result.model),
                        claim.unit, deviationText(result), std::string(claimKindName(claim.kind)),
                        markText(result), claim.where, result.problem.empty() ? claim.note : result.problem});
        for (std::size_t i = 0; i < claim.parts.size(); ++i)
            rows.push_back({"– " + claim.parts[i].label, "", "", shortText(result.parts[i], 5),
                            claim.parts[i].unit, "", "", "", "", ""});
    }
    if (rows.empty())
        return "The paper claims nothing yet.\n\n";
    return tableText({"claim", "condition", "stated", "computed", "unit", "deviation", "kind", "", "source",
                      "note"},
                     rows) +
           std::to_string(comparison.results.size()) + " claims, " + std::to_string(comparison.misfits) +
           " misfits. " + summaryText(summarise(comparison.results)) + "\n\n";
}

/// What its plots show; where they name no metric, what any design has.
std::vector<std::string> metricsOf(const FigureStudy& figure) {
    std::vector<std::string> metrics;
    for (const auto& plot : figure.plots)
        for (const auto* some : {&plot.metrics, &plot.rightMetrics})
            metrics.insert(metrics.end(), some->begin(), some->end());
    if (metrics.empty())
        for (const auto metric : {Metric::Throughput, Metric::TimeToFirstToken, Metric::TimePerToken})
            metrics.emplace_back(metricSpec(metric).key);
    return metrics;
}

std::string studyText(const FigureStudy& figure) {
    const auto table = evaluateStudy(figure.study);
    const auto columns = shownColumns(table, metricsOf(figure));
    Row header;
    for (const auto* column : columns)
        header.push_back(column->label + (column->unit.empty() ? "" : ", " + column->unit));
    std::vector<Row> rows;
    for (std::size_t i = 0; i < std::min(table.rows(), kPrintedRows); ++i) {
        rows.emplace_back();
        for (const auto* column : columns)
            rows.back().push_back(cellText(*column, i));
    }
    auto text =
        "### " + oneLine(figure.name) + "\n\n" + oneLine(figure.about) + "\n\n" + tableText(header, rows);
    if (table.rows() > rows.size())
        text += std::to_string(table.rows() - rows.size()) + " more points are not shown.\n\n";
    return text;
}

/// The entries of a kind that the folder brings.
std::string partsText(const Catalog& catalog, const std::string& folder) {
    std::string text;
    for (const auto& kind : entryKinds()) {
        const auto of = folder + "/" + kind + "s";
        if (!fs::exists(of))
            continue;
        for (const auto& file : listFiles(of, ".json")) {
            const auto id = fs::path(file).stem().string();
            const auto entry = entryWords(catalog, kind, id);
            std::vector<Row> rows;
            for (const auto& [key, value, unit, source] : entry.figures)
                if (!value.empty())
                    rows.push_back({key, value, unit, source});
            text += "### " + oneLine(entry.name) + "\n\n" + kind + " `" + id + "`. " + oneLine(entry.about) +
                    "\n\n" + tableText({"figure", "value", "unit", "source"}, rows);
            for (const auto& note : entry.notes)
                text += "- " + oneLine(note) + "\n";
            text += "\n";
        }
    }
    return text;
}

} // namespace

std::string paperMarkdown(const Catalog& catalog, const PaperComparison& comparison) {
    const auto& paper = comparison.paper;
    const auto& folder = catalog.paper(paper.id, "paper").path;
    auto text = "# " + oneLine(paper.title) + "\n\n" + wordsOf(catalog, comparison, folder) +
                "\n## Designs\n\n" + designsTable(catalog, paper) + "## Claims\n\n" + claimsTable(comparison);
    std::string studies;
    for (const auto& id : listStudies(catalog))
        if (id.starts_with(paper.id + "/"))
            studies += studyText(loadStudy(catalog, id, id));
    if (!studies.empty())
        text += "## Studies\n\n" + studies;
    if (const auto parts = partsText(catalog, folder); !parts.empty())
        text += "## Parts\n\n" + parts;
    return text;
}

} // namespace heteroscape::cli
