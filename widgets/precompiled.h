// SPDX-License-Identifier: GPL-3.0-or-later
// What most files of the window include, for HETEROSCAPE_PCH. No file may rely on it: builds without it are
// the ones that are developed in.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/claims/figure_study.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/edit.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QString>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>
