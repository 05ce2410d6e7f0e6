/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - the index: what a file has, so that it need not be walked
 */
#ifndef PROFILE_FORMAT_INDEX_H
#define PROFILE_FORMAT_INDEX_H

#include "profile/format/reader.h"

/**
 * pf_index_read() - Take all entries from the end of the file.
 *
 * It is believed when every byte of the file is then accounted for.
 * Return: 0; -EBADMSG when there is none to believe, and nothing was taken;
 *         -ENOMEM; -errno of reading.
 */
int pf_index_read(struct pf_reader *);

/* The tail of the file, checked: where the last index is. 0; -EBADMSG; -errno
   of reading. */
int pf_tail_read(const struct pf_reader *, uint64_t *index);

#endif
