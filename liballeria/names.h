/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - names of code as they were recorded
 *
 * Threads: the profile's lock is held.
 */
#ifndef LIBALLERIA_NAMES_H
#define LIBALLERIA_NAMES_H

#include "liballeria/profile.h"

/* The file of executed code that lies in no object, as was told last; NULL:
   none. 0; -ENOMEM. */
int ap_loose_path(struct ap_stream *, uint64_t address, const char **path);

/* Read all names, unless they were read. Return: 0; -ENOMEM; -errno. */
int ap_names_read(struct alleria_profile *);

/* Read only the names that the file holds, which is enough for
   ap_names_build_id(). Return: 0; -ENOMEM; -errno. */
int ap_names_read_recorded(struct alleria_profile *);

/* Append names of code that no block of the file names: code of images without
   an end or, if a block of names is damaged, of all images. Return: 0; -ENOMEM;
   -errno of reading. unwritten_code.c. */
int ap_names_find_unwritten(struct alleria_profile *, struct ap_names *);

/* As before they were read. */
void ap_names_forget(struct ap_names *);

/* The name of what lies at @value in an object; NULL: it has none. @path:
   interned. */
const struct ap_name *ap_names_find(const struct ap_names *, const char *path,
				    uint64_t value);

/* Of an object; "" when it has none, or is not known. @path: interned. */
const char *ap_names_build_id(const struct ap_names *, const char *path);

/* Of an instruction that was described. 0; -ENOMEM; -errno. */
int ap_name_described(struct ap_stream *, const struct al_desc *,
		      unsigned index, struct alleria_name *out);

#endif
