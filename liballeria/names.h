/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - finds the recorded function, file and line of code
 *
 * Threads: the profile's lock is held.
 */
#ifndef LIBALLERIA_NAMES_H
#define LIBALLERIA_NAMES_H

#include "liballeria/profile.h"

/* Find the file of executed code that lies in no known object. If several
   blocks contain @address, the one described last counts. @path: receives the
   file, interned; NULL: unknown. Return: 0; -ENOMEM; -errno. Defined in
   unmapped_code.c. */
int ap_find_path_outside_known_objects(struct ap_stream *, uint64_t address,
				       const char **path);

/* Read all names from the file, and look up in the object files those of code
   whose names were not written. Later calls do nothing. Return: 0; -ENOMEM;
   -errno. */
int ap_names_read_complete_once(struct alleria_profile *);

/* Read only the names that are in the file, which is enough for
   ap_names_build_id_or_empty(). Return: 0; -ENOMEM; -errno. */
int ap_names_read_recorded_once(struct alleria_profile *);

/* Append names of code that are in no block of the file: code of images without
   an end or, if a block of names is damaged, of all images. Return: 0; -ENOMEM;
   -errno of reading. Defined in unwritten_code.c. */
int ap_names_add_from_object_files(struct alleria_profile *, struct ap_names *);

/* Free all names and reset the structure to "not read". */
void ap_names_clear(struct ap_names *);

/* Return the name with the highest value that is at most @elf_address in object
   @interned_path; NULL: there is none. @interned_path: interned. */
const struct ap_name *ap_names_find_at_or_before(const struct ap_names *,
						 const char *interned_path,
						 uint64_t elf_address);

/* Return the build id of object @interned_path in hex; "" if it has none or the
   object is unknown. @interned_path: interned. */
const char *ap_names_build_id_or_empty(const struct ap_names *,
				       const char *interned_path);

/* Find the name of instruction @index of a block descriptor, whether it was
   executed or not. Return: 0; -ENOMEM; -errno. */
int ap_find_name_of_desc_instr(struct ap_stream *, const struct al_desc *,
			       unsigned index, struct alleria_name *out);

#endif
