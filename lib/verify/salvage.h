/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * salvage.h - copies the undamaged blocks of a profile into a new one
 */
#ifndef LIB_VERIFY_SALVAGE_H
#define LIB_VERIFY_SALVAGE_H

#include "base/text/message.h"

/**
 * al_salvage() - Copy the undamaged blocks of a profile.
 * @path: path of the profile, damaged or not.
 * @out: path of the new profile, which does not exist yet.
 * @message: [AL_MESSAGE] receives one line: the numbers of blocks copied and
 *           missing, or the error.
 *
 * Return: 0; -errno, and @out is not there.
 */
int al_salvage(const char *path, const char *out, char *message);

#endif
