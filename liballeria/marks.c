/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.c - lists the marks of an image: points of its run to which the program
 * or the user gave a name
 */
#include <errno.h>
#include <stdlib.h>

#include "liballeria/descriptors.h"

/* Append to s->mark a public copy of a mark (a named point of the run) that the
   log describes. Return: 0; -ENOMEM. */
static int append_public_copy_of_mark(struct ap_stream *s, uint32_t mark_number)
{
	const struct al_mark *m = al_marks_find(&s->blocks.marks, mark_number);
	struct alleria_mark *mark = malloc(sizeof(*mark));

	if (!mark)
		return -ENOMEM;
	*mark = (struct alleria_mark){
		.name = m->name,
		.start = m->start,
		.size = m->size,
		.kind = m->kind,
		.number = mark_number,
		.process = s->pub.process,
		.image = s->pub.number,
	};
	s->mark[s->n_marks++] = mark;
	return 0;
}

/* Read the whole log of a stream, and append to s->mark the marks (named points
   of the run) in the log that it does not have yet. If the log is damaged, only
   the marks before the damage are appended, and the result is 0. Return: 0;
   -errno. */
static int read_log_and_append_new_marks(struct ap_stream *s)
{
	int err = ap_stream_read_log_before_entry(s, UINT32_MAX);
	void *bigger;

	if (err && err != -EBADMSG)
		return err;
	if (s->n_marks == s->blocks.marks.n)
		return 0;
	bigger = reallocarray(s->mark, s->blocks.marks.n,
			      sizeof(struct alleria_mark *));
	if (!bigger)
		return -ENOMEM;
	s->mark = bigger;
	err = 0;
	while (!err && s->n_marks < s->blocks.marks.n)
		err = append_public_copy_of_mark(s, s->n_marks + 1);
	return err;
}

long alleria_marks(struct alleria_profile *p, uint32_t process, uint32_t image,
		   const struct alleria_mark *const **out)
{
	struct ap_process *a = ap_find_process(p, process);
	struct ap_stream *s;
	int err;

	*out = NULL;
	if (!a || image >= a->pub.images)
		return ALLERIA_E_RANGE;
	s = a->image[image];
	pthread_mutex_lock(&p->lock);
	err = read_log_and_append_new_marks(s);
	pthread_mutex_unlock(&p->lock);
	if (err)
		return ap_alleria_error_of_negative_errno(err);
	*out = (const struct alleria_mark *const *)s->mark;
	return (long)s->n_marks;
}
