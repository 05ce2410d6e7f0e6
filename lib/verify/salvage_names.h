/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * salvage_names.h - names of code for a profile that is recovered
 *
 * Names are written when an image ends; a profile whose writer was killed lacks
 * those of the images that were running.
 */
#ifndef LIB_VERIFY_SALVAGE_NAMES_H
#define LIB_VERIFY_SALVAGE_NAMES_H

#include <stdint.h>

struct pf_reader;
struct pf_writer;

/**
 * al_salvage_names() - Write names of the code of images that have no end.
 * @r: the unfinished profile.
 * @w: the new one, which has all blocks of @r but its end.
 * @missing: receives how many object files could not be read for it.
 *
 * Names are taken from the object files as they are now. Where names in @r are
 * damaged none are written, since numbers of texts and objects are not known.
 *
 * Return: 0; -ENOMEM; -errno of reading, or of writing as pf_writer_write_block().
 */
int al_salvage_names(struct pf_reader *r, struct pf_writer *w,
		     uint64_t *missing);

#endif
