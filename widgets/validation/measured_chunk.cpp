// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/measured_chunk.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/base/file.h"

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

extern const MeasuredReader kernelReader;
extern const MeasuredReader metricReader;
extern const MeasuredReader servingReader;

namespace {

const std::array<const MeasuredReader*, 3> kReaders{&kernelReader, &servingReader, &metricReader};

} // namespace

void LabelColumn::add(const std::string& name) {
    auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
        at = names.insert(names.end(), name);
    of.push_back(static_cast<std::uint32_t>(at - names.begin()));
}

void readMeasuredFile(const QString& path, const QString& source, const MeasuredReader::Found& found,
                      const std::stop_token& stop) {
    const auto* reader = kReaders.front();
    if (kReaders.size() > 1) {
        engine::InputFile in(path.toStdString());
        engine::CsvReader csv(in, path.toStdString());
        for (const auto* one : kReaders)
            if (one->accepts({csv.header().begin(), csv.header().end()})) {
                reader = one;
                break;
            }
    }
    reader->read(path, source, found, stop);
}

} // namespace heteroscape::widgets
