/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - which windows are open
 */
#ifndef VGTOOL_WINDOW_WINDOWS_H
#define VGTOOL_WINDOW_WINDOWS_H

#include "vgtool/core/prelude.h"

/* Starts anew with the plan that is given. */
void vt_windows_begin(void);

/* From outside. */
void vt_windows_order(UInt window, Bool open);

/* The same for a window by its name; closes those, too, that wait for a request
   with that name. Return: how many have that name, or wait for it. */
UInt vt_windows_call(const HChar *name, Bool open);

/* While they are, nothing is recorded, with or without windows. */
void vt_windows_pause(Bool paused);
Bool vt_windows_are_paused(void);

/* How a window stands: one word, and how often it was opened. */
const HChar *vt_windows_state(UInt window, ULong *openings);

/*
 * Opens and closes windows by what has happened, and tells the daemon.
 *
 * Context: no code is running.
 * Return: whether other lanes are wanted now.
 */
Bool vt_windows_settle(void);

/* Whether some closed window may open, or record what comes, later. */
Bool vt_windows_may_open(void);

/* A bit for each lane that is wanted: those of open windows. */
ULong vt_windows_lanes(void);

/* Those of them that a thread belongs to. */
ULong vt_windows_lanes_of(UInt thread);

/* How far it is to the next count that somebody waits for: lessens left
   [VT_METERED]; returns a bit for each kind that counts. */
UInt vt_windows_left(UInt thread, ULong *left);

#endif
