/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_site.c - finds function, file and line of each frame of the call stacks
 * that allocated data objects: a part of include/alleria/data.h
 */
#include <errno.h>

#include "liballeria/data/data_map.h"
#include "liballeria/descriptors.h"
#include "liballeria/names.h"

int ap_site_find_name_of_code(const struct alleria_data_map *m,
			      const struct ap_image_data *d,
			      const struct ap_data_site *site, uint64_t address,
			      struct alleria_name *out)
{
	struct ap_stream *s = m->profile->stream[d->lifetimes.stream->index];
	int err;

	pthread_mutex_lock(&m->profile->lock);
	err = ap_stream_read_log_before_entry(s, UINT32_MAX);
	if (!err || err == -EBADMSG)
		err = ap_find_name_at_log_offset_or_unknown(
			s, address, site->log_offset, out);
	pthread_mutex_unlock(&m->profile->lock);
	return ap_alleria_error_of_negative_errno(err);
}

uint32_t ap_site_inline_call_line_of_name_or_0(const struct alleria_data_map *m,
					       const struct alleria_name *name)
{
	const struct ap_name *n;
	uint32_t line;

	pthread_mutex_lock(&m->profile->lock);
	n = ap_names_find_instr(&m->profile->names, name->object, name->value);
	line = n ? n->call_line : 0;
	pthread_mutex_unlock(&m->profile->lock);
	return line;
}

int ap_site_find_name_of_caller(const struct alleria_data_map *m,
				const struct ap_image_data *d,
				const struct ap_data_site *site,
				uint64_t return_address,
				struct alleria_name *out)
{
	return ap_site_find_name_of_code(m, d, site, return_address - 1, out);
}

uint32_t alleria_site_count(const struct alleria_data_map *m)
{
	return m->n_sites;
}

/* Return the image that recorded site @site, a call stack of an allocation;
   NULL: there is none. */
static const struct ap_image_data *
find_image_of_site(const struct alleria_data_map *m, uint32_t site)
{
	for (uint32_t i = 0; i < m->n_images; i++)
		if (site - m->image[i].first_site <
		    m->image[i].lifetimes.n_sites)
			return &m->image[i];
	return NULL;
}

long alleria_site_frames(const struct alleria_data_map *m, uint32_t site,
			 uint32_t max, struct alleria_name *frame)
{
	const struct ap_image_data *d = find_image_of_site(m, site);
	const struct ap_data_site *s;
	int err = 0;

	if (!d)
		return ALLERIA_E_RANGE;
	s = &d->lifetimes.site[site - d->first_site];
	for (uint32_t i = 0; !err && i < s->n_callers && i < max; i++)
		err = ap_site_find_name_of_caller(
			m, d, s, d->lifetimes.caller[s->first_caller + i],
			&frame[i]);
	return err ? err : (long)s->n_callers;
}
