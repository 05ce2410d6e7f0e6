/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.h - adds sentences for people to a result */
#ifndef ANALYZERS_NOTES_H
#define ANALYZERS_NOTES_H

#include "base/result/model.h"

/* Add a copy of @note as a line of its own, after the views that the model has.
   Return the copy. */
const char *an_note_add_line(struct al_model *, const char *note);

#endif
