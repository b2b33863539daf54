// SPDX-License-Identifier: GPL-3.0-or-later
// What most tests of the window include, for HETEROSCAPE_PCH.
#pragma once

#include "widgets/precompiled.h"

#include <QTest>
