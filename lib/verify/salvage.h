/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * salvage.h - what is whole in a profile, into a new one, in one line
 */
#ifndef LIB_VERIFY_SALVAGE_H
#define LIB_VERIFY_SALVAGE_H

#include "base/text/message.h"

/**
 * al_rescue() - Copy what is whole.
 * @path: of the profile, damaged or not.
 * @out: of the new one, which is not there yet.
 * @message: [AL_MESSAGE] receives what was kept and what is missing, or what is
 *           wrong.
 *
 * Return: 0; -errno, and @out is not there.
 */
int al_rescue(const char *path, const char *out, char *message);

#endif
