// SPDX-License-Identifier: GPL-2.0-or-later
// diff.js - the page that compares two reports

function drawDiff() {
}
