// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/file_stamp.h"

#include <QFile>

#include <sys/stat.h>

namespace heteroscape::widgets {

FileStamp FileStamp::of(const QString& path) {
    struct stat status {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return {};
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return {status.st_dev, status.st_ino, status.st_size,
            status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

} // namespace heteroscape::widgets
