// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <QStringList>

namespace heteroscape::app {

/// `heteroscape export <what> [--plot id]... --out F`, without a display. What: a .hscape file or a preset
/// (its pictures, or a whole report), a study of a paper's figure (run in the user's store, its plots or
/// points), a paper or "all" (every study, into a folder). Prints what was written. Needs a QApplication.
/// Returns the exit code: 0 done, 2 usage. Throws Error.
int exportCommand(const QStringList& arguments, const engine::Catalog& catalog);

} // namespace heteroscape::app
