/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - finds the recorded function, file and line of code
 *
 * Threads: the profile's lock is held, or no other thread uses the profile.
 */
#ifndef LIBALLERIA_NAMES_H
#define LIBALLERIA_NAMES_H

#include "liballeria/profile.h"

/* Find the path of the file that the executed code at @address belongs to, for
   code that lies in no known mapping of an object. Of the blocks that contain
   @address, use the last that was described in the first @log_offset bytes of
   the stream's log or, if there is none, the first that was described after
   them. *@path: receives the path, interned; NULL: unknown. Return: 0; -ENOMEM.
   Defined in unmapped_code.c. */
int ap_find_path_of_code_outside_mappings(struct ap_stream *, uint64_t address,
					  uint64_t log_offset,
					  const char **path);

/* Read all names from the profile, find the names that are missing there in the
   object files, and build the lists of functions and lines. No-op if this was
   done already. Return: 0; -ENOMEM; -errno. */
int ap_names_read_with_object_files_once(struct alleria_profile *);

/* Read only the names and build ids that are in the profile, which is enough
   for ap_names_build_id_or_empty(). No-op if they were read already. Return: 0;
   -ENOMEM. */
int ap_names_read_recorded_once(struct alleria_profile *);

/* Append the names, found in the object files, of code that has no name in the
   list yet: code described by the logs of images that have no end or, if a
   block of names is damaged, of all images. The list is not sorted again.
   Return: 0; -ENOMEM; -errno of reading. Defined in unwritten_code.c. */
int ap_names_add_missing_from_object_files(struct alleria_profile *,
					   struct ap_names *);

/* Free all names and reset the structure to "not read". */
void ap_names_clear(struct ap_names *);

/* Return the name with the highest `value` (address in the file) that is at
   most @elf_address in object @interned_path; NULL: there is none.
   @interned_path: interned. */
const struct ap_name *ap_names_find_at_or_before(const struct ap_names *,
						 const char *interned_path,
						 uint64_t elf_address);

/* Return the name of the instruction that contains @elf_address in object
   @interned_path, taken to be the last one with a name that begins there or at
   most AL_MAX_INSTR_BYTES - 1 bytes before; NULL: none. @interned_path:
   interned. */
const struct ap_name *ap_names_find_instr(const struct ap_names *,
					  const char *interned_path,
					  uint64_t elf_address);

/* Return the build id of object @interned_path in hex; "" if it has none or the
   object is unknown. @interned_path: interned. */
const char *ap_names_build_id_or_empty(const struct ap_names *,
				       const char *interned_path);

/* Find the name of instruction @instr_index of a block descriptor, whether it
   was executed or not. Return: 0; -ENOMEM; -errno. */
int ap_find_name_of_desc_instr_or_unknown(struct ap_stream *,
					  const struct al_desc *,
					  unsigned instr_index,
					  struct alleria_name *out);

/* Return the length [bytes] of the stream's log up to the end of a block
   descriptor; this length selects the mappings that were in effect for the
   block's code. 0 if the block was inherited at a fork. */
uint64_t ap_log_offset_after_desc(const struct ap_stream *,
				  const struct al_desc *);

/* Find the name of @address in the objects that are mapped when the first
   @log_offset bytes of the stream's log, which must have been read, have taken
   effect. Return: 0; -ENOMEM; -errno. */
int ap_find_name_at_log_offset_or_unknown(struct ap_stream *, uint64_t address,
					  uint64_t log_offset,
					  struct alleria_name *out);

#endif
