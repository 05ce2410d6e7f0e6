/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_map.c - builds the map of data objects of all images of a profile; see
 * data_map.h
 */
#include "liballeria/data/data_map.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "liballeria/data/heap_types.h"

/* Append an image without data. Return: 0; -ENOMEM. */
static int append_empty_image_of_stream(struct alleria_data_map *m,
					const struct ap_stream *s)
{
	if (al_array_reserve_zeroed(m->image, m->images_size, m->n_images + 1))
		return -ENOMEM;
	m->image[m->n_images++].lifetimes.stream = s;
	return 0;
}

static int apply_event_to_last_or_new_image(void *map,
					    const struct ap_data_event *e)
{
	struct alleria_data_map *m = map;
	int err = 0;

	if (m->n_images == 0 ||
	    m->image[m->n_images - 1].lifetimes.stream != e->stream)
		err = append_empty_image_of_stream(m, e->stream);
	return err ? err
		   : ap_lifetimes_apply_event(
			     &m->image[m->n_images - 1].lifetimes, e);
}

static int build_lifetime_index_of_each_data_rank(struct ap_image_data *d)
{
	int err = 0;

	for (unsigned rank = 0; !err && rank < AP_DATA_RANKS; rank++)
		err = ap_lifetime_index_build(
			&d->index[rank], d->lifetimes.of_rank[rank].lifetime,
			d->lifetimes.of_rank[rank].n);
	return err ? ALLERIA_E_MEMORY : 0;
}

/* Store in d->site_name the function of the innermost caller of each site of an
   image; "???" if the site has no callers or the name cannot be found. Return:
   0; ALLERIA_E_MEMORY. */
static int
store_innermost_caller_names_of_sites(const struct alleria_data_map *m,
				      struct ap_image_data *d)
{
	const struct ap_lifetimes *l = &d->lifetimes;
	struct alleria_name name;
	int err = 0;

	d->site_name = calloc(l->n_sites + 1, sizeof(*d->site_name));
	if (!d->site_name)
		return ALLERIA_E_MEMORY;
	for (uint32_t i = 0; err != ALLERIA_E_MEMORY && i < l->n_sites; i++) {
		const struct ap_data_site *site = &l->site[i];

		err = site->n_callers
			      ? ap_site_find_name_of_caller(
					m, d, site,
					l->caller[site->first_caller], &name)
			      : ALLERIA_E_RANGE;
		d->site_name[i] = err ? "???" : name.function;
	}
	return err == ALLERIA_E_MEMORY ? err : 0;
}

/* Number the data objects and sites of an image after those of earlier images,
   build its indices, and store the names of its sites. Return: 0; enum
   alleria_error. */
static int assign_ids_build_index_name_sites(struct alleria_data_map *m,
					     struct ap_image_data *d)
{
	int err;

	ap_lifetimes_free_live_ranges(&d->lifetimes);
	d->first_id = m->n_objects + 1;
	d->first_site = m->n_sites + 1;
	m->n_objects += d->lifetimes.n_objects;
	m->n_sites += d->lifetimes.n_sites;
	err = build_lifetime_index_of_each_data_rank(d);
	return err ? err : store_innermost_caller_names_of_sites(m, d);
}

int alleria_data_open(struct alleria_profile *p, struct alleria_data_map **out)
{
	struct alleria_data_map *m;
	int err;

	*out = NULL;
	if (!(p->run.has & ALLERIA_HAS_DATA))
		return ALLERIA_E_UNRECORDED;
	m = calloc(1, sizeof(*m));
	if (!m)
		return ALLERIA_E_MEMORY;
	m->profile = p;
	m->heap_types = ap_heap_types_new();
	err = !m->heap_types ? ALLERIA_E_MEMORY
			     : ap_call_listener_for_data_events(
				       p, apply_event_to_last_or_new_image, m);
	for (uint32_t i = 0; !err && i < m->n_images; i++)
		err = assign_ids_build_index_name_sites(m, &m->image[i]);
	if (err)
		alleria_data_close(m);
	else
		*out = m;
	return err;
}

void alleria_data_close(struct alleria_data_map *m)
{
	for (uint32_t i = 0; m && i < m->n_images; i++) {
		struct ap_image_data *d = &m->image[i];

		for (unsigned rank = 0; rank < AP_DATA_RANKS; rank++)
			ap_lifetime_index_release(&d->index[rank]);
		ap_lifetimes_release(&d->lifetimes);
		free(d->site_name);
	}
	if (m) {
		ap_heap_types_free(m->heap_types);
		free(m->image);
	}
	free(m);
}

uint64_t alleria_data_count(const struct alleria_data_map *m)
{
	return m->n_objects;
}

const struct ap_image_data *
ap_data_map_find_image_of_object(const struct alleria_data_map *m, uint64_t id)
{
	uint32_t low = 0, high = m->n_images; /* images from `high` on have only
						 data objects with ids above
						 @id */

	if (id == 0 || id > m->n_objects)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (m->image[middle].first_id <= id)
			low = middle;
		else
			high = middle;
	}
	return &m->image[low];
}

const struct ap_image_data *
ap_data_map_find_image_of_stream(const struct alleria_data_map *m,
				 const struct ap_stream *s)
{
	uint32_t low = 0, high = m->n_images;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (m->image[middle].lifetimes.stream->rank < s->rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->n_images && m->image[low].lifetimes.stream == s
		       ? &m->image[low]
		       : NULL;
}

const struct ap_lifetime *
ap_image_data_find_live_lifetime(const struct ap_image_data *d,
				 uint64_t address, uint64_t access)
{
	const struct ap_lifetime *l = NULL;

	for (unsigned rank = 0; !l && rank < AP_DATA_RANKS; rank++)
		l = ap_lifetime_index_find_live_lifetime(&d->index[rank],
							 address, access);
	return l;
}
