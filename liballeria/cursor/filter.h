/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter.h - which records a cursor gives
 */
#ifndef LIBALLERIA_CURSOR_FILTER_H
#define LIBALLERIA_CURSOR_FILTER_H

#include "liballeria/profile.h"

/* Numbers from, included, to, not included. */
struct ap_bounds {
	uint64_t access_from;
	uint64_t access_to;
	uint64_t instruction_from;
	uint64_t instruction_to;
	bool sought_access; /* access_from was set by alleria_seek_access():
			       records before access 0 do not pass even if it is
			       0 */
};

struct ap_filter {
	struct alleria_filter user; /* arrays and strings are copies */
	uint64_t threads;	    /* mask as in struct pf_head */
	bool on_code;		    /* has conditions on instructions */
	bool on_data;		    /* has conditions on accesses */
	bool on_time;
};

/* 0; ALLERIA_E_MEMORY, _ARGUMENT, _RANGE. @user: or NULL. */
int ap_filter_copy(struct ap_filter *, const struct alleria_profile *,
		   const struct alleria_filter *user);
void ap_filter_release(struct ap_filter *);

bool ap_filter_process(const struct ap_filter *, uint32_t process);
bool ap_filter_thread(const struct ap_filter *, uint32_t thread);

/* Of an instruction. Context: the profile's lock is not held. */
bool ap_filter_code(const struct ap_filter *, struct alleria_profile *,
		    const struct ap_block *, unsigned index);

/* The same of one that was described, executed or not. Context: the lock is
   held. */
bool ap_filter_described(const struct ap_filter *, struct ap_stream *,
			 const struct al_desc *, unsigned index);

static inline bool ap_filter_data(const struct ap_filter *f,
				  const struct alleria_access *a)
{
	const struct alleria_filter *u = &f->user;

	return (u->kinds == 0 || u->kinds >> a->kind & 1) &&
	       a->address + (a->size - 1u) >= u->data_from &&
	       (u->data_to == 0 || a->address < u->data_to);
}

#endif
