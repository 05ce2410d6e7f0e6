/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - decides which records a cursor returns
 */
#ifndef LIBALLERIA_CURSOR_FILTER_H
#define LIBALLERIA_CURSOR_FILTER_H

#include "liballeria/profile.h"

/* Half-open ranges [from, to) of the numbers of accesses and instructions. */
struct ap_bounds {
	uint64_t access_from;
	uint64_t access_to;
	uint64_t instruction_from;
	uint64_t instruction_to;
	bool sought_access; /* access_from was set by alleria_seek_access():
			       records before access 0 do not pass even if
			       access_from is 0 */
};

/* A user's filter, checked and copied, with what is derived from it. */
struct ap_filter {
	/* copy of the user's filter; its arrays and strings are copies, too */
	struct alleria_filter user;
	/* mask of the threads that pass, see
	   pf_thread_mask_bit_64_and_above_shared(); 0: all */
	uint64_t threads;
	/* has conditions on object, function or code address */
	bool on_code;
	/* has conditions on kind or data address of accesses */
	bool on_data;
	bool on_time; /* the filter has a lower or upper bound of time */
};

/* Check a user's filter, and copy it with its arrays and strings. @user: NULL:
   all records pass. Return: 0; ALLERIA_E_MEMORY, _ARGUMENT, _RANGE. Call
   ap_filter_release() in any case. */
int ap_filter_check_and_copy(struct ap_filter *, const struct alleria_profile *,
			     const struct alleria_filter *user);
void ap_filter_release(struct ap_filter *);

/* Whether records of a process, or of a thread, pass the filter's conditions on
   processes, or on threads. All pass if the filter lists none. */
bool ap_filter_passes_process(const struct ap_filter *, uint32_t process_index);
bool ap_filter_passes_thread(const struct ap_filter *, uint32_t thread_number);

/* Whether instruction @instr_index of a block passes the filter's conditions on
   code: address, object and function. Context: the profile's lock is not held.
   */
bool ap_filter_passes_instr(const struct ap_filter *, struct alleria_profile *,
			    const struct ap_block *, unsigned instr_index);

/* Whether instruction @instr_index of a described block passes the filter's
   conditions on code; the block need not have been executed. Context: the
   profile's lock is held. */
bool ap_filter_passes_desc_instr(const struct ap_filter *, struct ap_stream *,
				 const struct al_desc *, unsigned instr_index);

/* Whether an access passes the filter's conditions on its kind and on data
   addresses; one byte in the range is enough. */
static inline bool
ap_filter_passes_kind_and_address(const struct ap_filter *f,
				  const struct alleria_access *a)
{
	const struct alleria_filter *u = &f->user;

	return (u->kinds == 0 || u->kinds >> a->kind & 1) &&
	       a->address + (a->size - 1u) >= u->data_from &&
	       (u->data_to == 0 ||
		(a->address < u->data_to && u->data_from < u->data_to));
}

#endif
