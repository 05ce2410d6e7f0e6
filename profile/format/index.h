/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - reads the index, so that the blocks need not be searched for
 */
#ifndef PROFILE_FORMAT_INDEX_H
#define PROFILE_FORMAT_INDEX_H

#include "profile/format/reader.h"

/**
 * pf_index_read_entries() - Add all entries of all indexes to the reader.
 *
 * The indexes are valid only if the blocks that they list, the indexes
 * themselves and the tail cover every byte of the file.
 *
 * Return: 0; -EBADMSG: the indexes are missing or invalid, and the reader has
 *         no entries; -ENOMEM; -errno of a read.
 */
int pf_index_read_entries(struct pf_reader *);

/* Read and check the tail of the file. *@index_offset: receives the offset of
   the last index. Return: 0; -EBADMSG; -errno of a read. */
int pf_tail_read_index_offset(const struct pf_reader *, uint64_t *index_offset);

#endif
