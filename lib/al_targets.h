/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_targets.h - where results are to go
 *
 * Room:    lib, not for others.
 * Used by: al_options.c.
 */
#ifndef AL_TARGETS_H
#define AL_TARGETS_H

#include "lib/al_settings.h"

/**
 * al_targets_check() - Whether all results can be written: better said now than
 * after the run.
 *
 * Each file's directory can be written, and no two results go to one file. A
 * terminal, a pipe or a device may take several.
 *
 * Return: 0; -EINVAL with @message [AL_MESSAGE].
 */
int al_targets_check(const struct al_settings *, char *message);

#endif
