/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_object.c - describes data objects, and finds that of an access: a part
 * of include/alleria/data.h
 */
#include <stdio.h>
#include <string.h>

#include "liballeria/data/heap_types.h"
#include "liballeria/place.h"

/* ---- description ---- */

/* Return the name of a thread's stack, interned; question marks if memory is
   short. */
static const char *intern_thread_stack_name(struct alleria_profile *p,
					    uint32_t thread_number)
{
	char name[32];

	snprintf(name, sizeof(name), "stack of thread %u", thread_number);
	return ap_intern_or_question_marks(p, name);
}

/* Set name and object of memory that an allocator mapped to the name and the
   object file of the function that mapped it, or "???"; unchanged if the site
   is unknown or reading fails. */
static void set_name_and_object_to_mmap_caller(const struct alleria_data_map *m,
					       const struct ap_image_data *d,
					       const struct ap_data_object *o,
					       struct alleria_data *out)
{
	const struct ap_data_site *site;
	struct alleria_name name;

	if (o->site == 0)
		return;
	site = &d->lifetimes.site[o->site - 1];
	if (ap_site_find_name_of_code(m, d, site, site->allocator, &name))
		return;
	out->name = name.function;
	if (strcmp(name.object, "???") != 0)
		out->object = name.object;
}

static void set_name_and_object_path_of_any_data(
	const struct alleria_data_map *m, const struct ap_image_data *d,
	const struct ap_data_object *o, struct alleria_data *out)
{
	struct alleria_profile *p = m->profile;

	out->name = "???";
	out->object = "";
	if (o->kind == ALLERIA_DATA_STACK) {
		out->name = intern_thread_stack_name(p, o->thread);
	} else if (o->file > 0) {
		const struct ap_data_file *f = &d->lifetimes.file[o->file - 1];

		out->name = ap_intern_or_question_marks(p, o->name);
		out->object = ap_intern_or_question_marks(p, f->path);
	} else if (o->kind == ALLERIA_DATA_ALLOCATOR) {
		set_name_and_object_to_mmap_caller(m, d, o, out);
	} else if (o->kind != ALLERIA_DATA_HEAP &&
		   o->kind != ALLERIA_DATA_POOL) {
		out->name = o->name[0] ? ap_intern_or_question_marks(p, o->name)
				       : "[anon]";
	} else if (o->site > 0) {
		out->name = d->site_name[o->site - 1];
	}
}

int alleria_data_get(const struct alleria_data_map *m, uint64_t id,
		     struct alleria_data *out)
{
	const struct ap_image_data *d = ap_data_map_find_image_of_object(m, id);
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
	set_name_and_object_path_of_any_data(m, d, o, out);
	return 0;
}

/* ---- type ---- */

/* Return the type of variable @o of file @f from the debug information of the
   file; NULL: not known. */
static const struct an_type *find_variable_type(struct al_symbols *s,
						const struct ap_data_file *f,
						const struct ap_data_object *o)
{
	const char *path = al_symbols_intern_or_question_marks(s, f->path);

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
	return type ? ap_intern_or_question_marks(p, type->name) : "";
}

const char *alleria_data_type(const struct alleria_data_map *m, uint64_t id)
{
	const struct ap_image_data *d = ap_data_map_find_image_of_object(m, id);
	const struct ap_data_object *o;

	if (!d)
		return "";
	o = &d->lifetimes.object[id - d->first_id];
	if (o->file)
		return find_variable_type_or_empty(
			m->profile, &d->lifetimes.file[o->file - 1], o);
	return o->kind == ALLERIA_DATA_HEAP || o->kind == ALLERIA_DATA_POOL
		       ? ap_heap_types_find_or_empty(m->heap_types, m, d, o)
		       : "";
}

/* ---- owner of an access ---- */

/* Return the data objects of the image that makes access @access; NULL: the
   image has none. @exists: receives whether there is such an access. */
static const struct ap_image_data *
find_image_of_access(const struct alleria_data_map *m, uint64_t access,
		     bool *exists)
{
	struct ap_chunk_position place;

	*exists = access < m->profile->run.counts.accesses &&
		  ap_find_chunk_by_access(m->profile, access, &place);
	return *exists ? ap_data_map_find_image_of_stream(m, place.stream)
		       : NULL;
}

int alleria_data_at(const struct alleria_data_map *m, uint64_t address,
		    uint64_t access, uint64_t *id, uint64_t *offset)
{
	bool exists;
	const struct ap_image_data *d =
		find_image_of_access(m, access, &exists);
	const struct ap_lifetime *l =
		d ? ap_image_data_find_live_lifetime(d, address, access) : NULL;

	*id = *offset = 0;
	if (!l)
		return exists ? 0 : ALLERIA_E_RANGE;
	*id = d->first_id + l->object;
	*offset = address - d->lifetimes.object[l->object].address;
	return 1;
}
