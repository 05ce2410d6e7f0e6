/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_map.c - implements data.h: data objects of all images of a profile
 */
#include <alleria/data.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "liballeria/data/lifetimes.h"
#include "liballeria/place.h"
#include "liballeria/profile.h"

/* The data objects of an image, after those of earlier images. */
struct image_data {
	struct ap_lifetimes lifetimes;
	struct ap_lifetime_index index[AP_DATA_RANKS];
	uint64_t first_id;	/* id of its first data object */
	uint32_t first_site;	/* number of its first site */
	const char **site_name; /* [n_sites] function of the innermost caller */
};

struct alleria_data_map {
	struct alleria_profile *profile;
	struct image_data *image; /* [n_images] in the order of streams */
	uint32_t n_images, images_size;
	uint64_t n_objects;
	uint32_t n_sites;
};

/* ---- reading ---- */

/* Append an image without data. Return: 0; -ENOMEM. */
static int append_image_of_stream(struct alleria_data_map *m,
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
		err = append_image_of_stream(m, e->stream);
	return err ? err
		   : ap_lifetimes_apply_event(
			     &m->image[m->n_images - 1].lifetimes, e);
}

static int build_lifetime_index_of_each_rank(struct image_data *d)
{
	int err = 0;

	for (unsigned rank = 0; !err && rank < AP_DATA_RANKS; rank++)
		err = ap_lifetime_index_build(
			&d->index[rank], d->lifetimes.of_rank[rank].lifetime,
			d->lifetimes.of_rank[rank].n);
	return err ? ALLERIA_E_MEMORY : 0;
}

/* Find the name of the code that was at @address when @site was recorded.
   Return: 0; enum alleria_error. */
static int find_name_of_code_for_site(const struct alleria_data_map *m,
				      const struct image_data *d,
				      const struct ap_data_site *site,
				      uint64_t address,
				      struct alleria_name *out)
{
	uint32_t process = d->lifetimes.stream->pub.process;
	int err = alleria_name(m->profile, process, address, site->instruction,
			       out);

	if (err == ALLERIA_E_RANGE) /* no instruction follows the event */
		err = alleria_name(m->profile, process, address, ALLERIA_NOT,
				   out);
	return err;
}

/* Find the name of the call before return address @return_address. */
static int find_name_of_caller(const struct alleria_data_map *m,
			       const struct image_data *d,
			       const struct ap_data_site *site,
			       uint64_t return_address,
			       struct alleria_name *out)
{
	return find_name_of_code_for_site(m, d, site, return_address - 1, out);
}

/* Store in d->site_name the function of the innermost caller of each site of an
   image; "???" if the site has no callers or the name cannot be found. Return:
   0; ALLERIA_E_MEMORY. */
static int
store_innermost_caller_names_of_sites(const struct alleria_data_map *m,
				      struct image_data *d)
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
			      ? find_name_of_caller(
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
					     struct image_data *d)
{
	int err;

	ap_lifetimes_free_live_ranges(&d->lifetimes);
	d->first_id = m->n_objects + 1;
	d->first_site = m->n_sites + 1;
	m->n_objects += d->lifetimes.n_objects;
	m->n_sites += d->lifetimes.n_sites;
	err = build_lifetime_index_of_each_rank(d);
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
	err = ap_call_listener_for_data_events(
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
		struct image_data *d = &m->image[i];

		for (unsigned rank = 0; rank < AP_DATA_RANKS; rank++)
			ap_lifetime_index_release(&d->index[rank]);
		ap_lifetimes_release(&d->lifetimes);
		free(d->site_name);
	}
	if (m)
		free(m->image);
	free(m);
}

/* ---- data objects ---- */

uint64_t alleria_data_count(const struct alleria_data_map *m)
{
	return m->n_objects;
}

/* Return the image of data object @id; NULL: there is none. */
static const struct image_data *
find_image_of_data_id(const struct alleria_data_map *m, uint64_t id)
{
	uint32_t low = 0, high = m->n_images; /* images from `high` on begin
						 after @id */

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

/* Return the type of variable @o of file @f from the debug information of the
   file; NULL: not known. */
static const struct an_type *find_variable_type(struct al_symbols *s,
						const struct ap_data_file *f,
						const struct ap_data_object *o)
{
	const char *path = al_symbols_intern(s, f->path);

	return o->kind == ALLERIA_DATA_TLS
		       ? al_symbols_find_thread_variable_type(s, path,
							      o->tls_offset)
		       : al_symbols_find_variable_type(s, path, f->code_start,
						       o->address);
}

/* Return the name of the type of variable @o; "": not known. */
static const char *find_variable_type_or_empty(struct alleria_profile *p,
					       const struct ap_data_file *f,
					       const struct ap_data_object *o)
{
	const struct an_type *type = NULL;

	pthread_mutex_lock(&p->lock);
	if (!p->symbols)
		p->symbols = al_symbols_new();
	if (p->symbols)
		type = find_variable_type(p->symbols, f, o);
	pthread_mutex_unlock(&p->lock);
	return type ? ap_intern(p, type->name) : "";
}

static const char *intern_stack_name_of_thread(struct alleria_profile *p,
					       uint32_t thread)
{
	char name[32];

	snprintf(name, sizeof(name), "stack of thread %u", thread);
	return ap_intern(p, name);
}

/* Set name and object of an allocator's memory to the name and the object file
   of the function that mapped it; unchanged if these are not known. */
static void set_name_and_object_of_allocator(const struct alleria_data_map *m,
					     const struct image_data *d,
					     const struct ap_data_object *o,
					     struct alleria_data *out)
{
	const struct ap_data_site *site;
	struct alleria_name name;

	if (o->site == 0)
		return;
	site = &d->lifetimes.site[o->site - 1];
	if (find_name_of_code_for_site(m, d, site, site->allocator, &name))
		return;
	out->name = name.function;
	out->object = name.object;
}

static void set_data_name_and_object_path(const struct alleria_data_map *m,
					  const struct image_data *d,
					  const struct ap_data_object *o,
					  struct alleria_data *out)
{
	struct alleria_profile *p = m->profile;

	out->name = "???";
	out->object = "";
	if (o->kind == ALLERIA_DATA_STACK) {
		out->name = intern_stack_name_of_thread(p, o->thread);
	} else if (o->file > 0) {
		const struct ap_data_file *f = &d->lifetimes.file[o->file - 1];

		out->name = ap_intern(p, o->name);
		out->object = ap_intern(p, f->path);
	} else if (o->kind == ALLERIA_DATA_ALLOCATOR) {
		set_name_and_object_of_allocator(m, d, o, out);
	} else if (o->kind != ALLERIA_DATA_HEAP &&
		   o->kind != ALLERIA_DATA_POOL) {
		out->name = o->name[0] ? ap_intern(p, o->name) : "[anon]";
	} else if (o->site > 0) {
		out->name = d->site_name[o->site - 1];
	}
}

int alleria_data_get(const struct alleria_data_map *m, uint64_t id,
		     struct alleria_data *out)
{
	const struct image_data *d = find_image_of_data_id(m, id);
	const struct ap_data_object *o;

	if (!d)
		return ALLERIA_E_RANGE;
	o = &d->lifetimes.object[id - d->first_id];
	*out = (struct alleria_data){
		.id = id,
		.address = o->address,
		.size = o->size,
		.born_instruction = o->born_instruction,
		.died_instruction = o->died_instruction,
		.born_access = o->born_access,
		.died_access = o->died_access,
		.kind = o->kind,
		.process = d->lifetimes.stream->pub.process,
		.image = d->lifetimes.stream->pub.number,
		.thread = o->thread,
		.site = o->site ? d->first_site + o->site - 1 : 0,
	};
	set_data_name_and_object_path(m, d, o, out);
	return 0;
}

const char *alleria_data_type(const struct alleria_data_map *m, uint64_t id)
{
	const struct image_data *d = find_image_of_data_id(m, id);
	const struct ap_data_object *o;

	if (!d)
		return "";
	o = &d->lifetimes.object[id - d->first_id];
	return o->file ? find_variable_type_or_empty(
				 m->profile, &d->lifetimes.file[o->file - 1], o)
		       : "";
}

/* Return the data objects of a stream; NULL: it has none. */
static const struct image_data *
find_image_of_stream(const struct alleria_data_map *m,
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

/* Return the data objects of the image that makes access @access; NULL: the
   image has none. @exists: receives whether there is such an access. */
static const struct image_data *
find_image_of_access(const struct alleria_data_map *m, uint64_t access,
		     bool *exists)
{
	struct ap_chunk_position place;

	*exists = access < m->profile->run.counts.accesses &&
		  ap_find_chunk_or_end_by_access(m->profile, access, &place);
	return *exists ? find_image_of_stream(m, place.stream) : NULL;
}

int alleria_data_at(const struct alleria_data_map *m, uint64_t address,
		    uint64_t access, uint64_t *id, uint64_t *offset)
{
	bool exists;
	const struct image_data *d = find_image_of_access(m, access, &exists);
	const struct ap_lifetime *l = NULL;

	*id = *offset = 0;
	for (unsigned rank = 0; d && !l && rank < AP_DATA_RANKS; rank++)
		l = ap_lifetime_index_find(&d->index[rank], address, access);
	if (!l)
		return exists ? 0 : ALLERIA_E_RANGE;
	*id = d->first_id + l->object;
	*offset = address - d->lifetimes.object[l->object].address;
	return 1;
}

/* ---- sites ---- */

uint32_t alleria_site_count(const struct alleria_data_map *m)
{
	return m->n_sites;
}

/* Return the image of site @site; NULL: there is none. */
static const struct image_data *
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
	const struct image_data *d = find_image_of_site(m, site);
	const struct ap_data_site *s;
	int err = 0;

	if (!d)
		return ALLERIA_E_RANGE;
	s = &d->lifetimes.site[site - d->first_site];
	for (uint32_t i = 0; !err && i < s->n_callers && i < max; i++)
		err = find_name_of_caller(
			m, d, s, d->lifetimes.caller[s->first_caller + i],
			&frame[i]);
	return err ? err : (long)s->n_callers;
}
