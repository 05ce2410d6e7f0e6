/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects.c - lists the object files that processes had mapped
 */
#include <errno.h>
#include <stdlib.h>

#include "liballeria/descriptors.h"
#include "liballeria/names.h"

/* Return the first chunk after the log block in which the stream's log reached
   the length @log_offset; NULL if none follows. @log_offset: > 0. */
static const struct pf_head *
find_chunk_after_log_reached_offset(const struct ap_stream *s,
				    uint64_t log_offset)
{
	uint32_t entry = UINT32_MAX;

	for (uint32_t i = 0; i < s->logs.n && entry == UINT32_MAX; i++) {
		const struct pf_head *h =
			ap_entry_head(s->profile, s->logs.entry[i]);

		if (log_offset <= h->position + h->bytes)
			entry = s->logs.entry[i];
	}
	for (uint32_t i = 0; i < s->units.n; i++)
		if (s->units.entry[i] > entry)
			return ap_chunk_head(s, i);
	return NULL;
}

/* Return the time at which @m was mapped [ns since the run began]: the begin of
   the first chunk after the log record of the mapping; if @m was mapped from
   the start, the begin of the image; if no chunk follows, the end of the
   image. */
static uint64_t find_begin_ns_of_mapping(const struct ap_stream *s,
					 const struct al_mapping *m)
{
	const struct pf_head *h =
		m->log_start
			? find_chunk_after_log_reached_offset(s, m->log_start)
			: NULL;

	return !m->log_start ? s->pub.begin_ns
	       : h	     ? h->begin_ns
			     : s->pub.end_ns;
}

/* Return the time at which @m was unmapped [ns since the run began]: the end of
   the first chunk after the log record of the unmapping or, if no chunk
   follows, of the image; ALLERIA_NOT: @m was not unmapped. */
static uint64_t find_end_ns_of_mapping(const struct ap_stream *s,
				       const struct al_mapping *m)
{
	const struct pf_head *h;

	if (m->log_end == UINT64_MAX)
		return ALLERIA_NOT;
	h = find_chunk_after_log_reached_offset(s, m->log_end);
	return h ? h->end_ns : s->pub.end_ns;
}

static void fill_public_object_from_mapping(const struct ap_stream *s,
					    const struct al_mapping *m,
					    struct alleria_object *o)
{
	*o = (struct alleria_object){
		.path = m->path,
		.build_id =
			ap_names_build_id_or_empty(&s->profile->names, m->path),
		.start = m->start,
		.size = m->size,
		.bias = m->bias,
		.begin_ns = find_begin_ns_of_mapping(s, m),
		.end_ns = find_end_ns_of_mapping(s, m),
		.process = s->pub.process,
		.image = s->pub.number,
		.number = m->number,
	};
}

static int alloc_and_fill_public_object_files(struct ap_stream *s)
{
	const struct al_mappings *all = &s->blocks.mappings;
	void *bigger = reallocarray(s->object, all->n + 1, sizeof(*s->object));

	if (!bigger)
		return -ENOMEM;
	s->object = bigger;
	while (s->n_objects < all->n) {
		s->object[s->n_objects] = malloc(sizeof(**s->object));
		if (!s->object[s->n_objects])
			return -ENOMEM;
		s->n_objects++;
	}
	for (size_t i = 0; i < all->n; i++)
		fill_public_object_from_mapping(s, all->mapping[i],
						s->object[i]);
	return 0;
}

/* Read the whole log of a stream, and fill in an alleria_object for each
   mapping of an object file in the log; if the log is damaged, for each mapping
   before the damage. Existing ones keep their addresses. Return: 0; -errno. */
static int read_log_and_fill_public_object_files(struct ap_stream *s)
{
	int err = ap_stream_read_log_before_entry(s, UINT32_MAX);

	if (!err || err == -EBADMSG)
		err = alloc_and_fill_public_object_files(s);
	return err;
}

/* Read the logs of all images of a process, and list the object files that they
   mapped. Return: 0; -errno. */
static int read_logs_and_list_object_files(struct ap_process *a)
{
	size_t n = 0;
	int err = 0;

	for (uint32_t i = 0; !err && i < a->pub.images; i++) {
		err = read_log_and_fill_public_object_files(a->image[i]);
		n += a->image[i]->n_objects;
	}
	if (!err)
		a->object = calloc(n + 1, sizeof(*a->object));
	if (err || !a->object)
		return err ? err : -ENOMEM;
	n = 0;
	for (uint32_t i = 0; i < a->pub.images; i++)
		for (size_t k = 0; k < a->image[i]->n_objects; k++)
			a->object[n++] = a->image[i]->object[k];
	return 0;
}

long alleria_objects(struct alleria_profile *p, uint32_t process,
		     const struct alleria_object *const **out)
{
	struct ap_process *a = ap_find_process(p, process);
	long n = 0;
	int err;

	*out = NULL;
	if (!a)
		return ALLERIA_E_RANGE;
	pthread_mutex_lock(&p->lock);
	err = ap_names_read_recorded_once(p);
	if (!err && !a->object)
		err = read_logs_and_list_object_files(a);
	pthread_mutex_unlock(&p->lock);
	if (err)
		return ap_alleria_error_of_negative_errno(err);
	for (uint32_t i = 0; i < a->pub.images; i++)
		n += (long)a->image[i]->n_objects;
	*out = a->object;
	return n;
}
