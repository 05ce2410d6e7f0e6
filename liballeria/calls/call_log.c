/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_log.c - calls in the log of an image; see calls.h
 *
 * The log of a process may begin with what it inherited from its parent: that
 * is told by the pid.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "liballeria/calls/calls.h"

void ap_calllog_init(struct ap_calllog *l, const struct ap_intercepts *by,
		     uint32_t pid)
{
	*l = (struct ap_calllog){.by = by, .pid = pid};
}

void ap_calllog_release(struct ap_calllog *l)
{
	struct ap_body *next;

	for (size_t i = 0; i < l->far.n; i++)
		free((void *)l->far.mark[i].end);
	free(l->open.mark);
	free(l->far.mark);
	free(l->near.mark);
	for (; l->body; l->body = next) {
		next = l->body->next;
		free(l->body);
	}
	*l = (struct ap_calllog){.by = NULL};
}

/* ---- marks ---- */

static int compare(const void *a, const void *b)
{
	const struct ap_callmark *x = a, *y = b;

	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return (x->interceptor > y->interceptor) -
	       (x->interceptor < y->interceptor);
}

static void sort(struct ap_callmarks *m)
{
	if (m->n > 0)
		qsort(m->mark, m->n, sizeof(*m->mark), compare);
}

/* Interceptors of one call have the same serial, and a record each. */
static struct ap_callmark *find(const struct ap_callmarks *m,
				const struct pt_log_call *r)
{
	struct ap_callmark wanted = {.serial = r->serial,
				     .interceptor = r->interceptor};

	return m->n > 0 ? bsearch(&wanted, m->mark, m->n, sizeof(wanted),
				  compare)
			: NULL;
}

static int add(struct ap_callmarks *m, const struct ap_callmark *mark)
{
	size_t size = m->size ? 2 * m->size : 64;
	void *bigger;

	if (m->n == m->size) {
		bigger = reallocarray(m->mark, size, sizeof(*m->mark));
		if (!bigger)
			return -ENOMEM;
		m->mark = bigger;
		m->size = size;
	}
	m->mark[m->n++] = *mark;
	return 0;
}

static void drop(struct ap_callmarks *m, struct ap_callmark *mark)
{
	size_t behind = (size_t)(m->mark + m->n - mark) - 1;

	memmove(mark, mark + 1, behind * sizeof(*mark));
	m->n--;
}

/* ---- records ---- */

/* The next record, or NULL; -EBADMSG in @err. */
static const struct pt_log_head *next_record(struct ap_calllog *l, int *err)
{
	const struct pt_log_head *r = (const void *)l->at;
	size_t left = (size_t)(l->to - l->at);

	if (left == 0)
		return NULL;
	if (left < sizeof(*r) || r->bytes < sizeof(*r) || r->bytes % 8 ||
	    r->bytes > left) {
		*err = -EBADMSG;
		return NULL;
	}
	l->at += r->bytes;
	return r;
}

/* Code that was too long is of no use; nor is none. */
static int take_body(struct ap_calllog *l, const struct pt_log_body *r)
{
	struct ap_body *b;

	if (r->head.bytes < sizeof(*r) || r->bytes > r->head.bytes - sizeof(*r))
		return -EBADMSG;
	if (r->pid != l->pid || r->bytes == 0 || r->bytes < r->size)
		return 0;
	b = malloc(sizeof(*b) + r->bytes);
	if (!b)
		return -ENOMEM;
	*b = (struct ap_body){l->body, r->entry, r->interceptor, r->bytes};
	memcpy(b->code, r + 1, r->bytes);
	l->body = b;
	return 0;
}

/* The next record of a call or of its end, that is ours, or NULL; code on the
   way to it, if it is wanted, is kept. */
static const struct pt_log_call *next_event(struct ap_calllog *l, bool bodies,
					    int *err)
{
	const struct pt_log_head *h;
	const struct pt_log_call *r;

	while (!*err && (h = next_record(l, err)) != NULL) {
		if (h->kind == PT_LOG_BODY && bodies)
			*err = take_body(l, (const void *)h);
		if (h->kind != PT_LOG_CALL && h->kind != PT_LOG_RETURN)
			continue;
		r = (const void *)h;
		if (h->bytes < sizeof(*r) ||
		    (r->pid == l->pid &&
		     (r->interceptor == 0 ||
		      r->interceptor > l->by->view.n[AL_INTERCEPTS])))
			*err = -EBADMSG;
		else if (r->pid == l->pid)
			return r;
	}
	return NULL;
}

/* ---- the first time ---- */

static int begin_call(struct ap_calllog *l, const struct pt_log_call *r)
{
	const struct ap_callmark m = {.serial = r->serial,
				      .interceptor = r->interceptor,
				      .block = l->block};
	int err;

	if (r->serial < l->serial || find(&l->open, r))
		return -EBADMSG;
	l->serial = r->serial;
	err = add(&l->open, &m);
	for (size_t i = l->open.n - 1;
	     !err && i > 0 && compare(&l->open.mark[i - 1], &m) > 0; i--) {
		l->open.mark[i] = l->open.mark[i - 1];
		l->open.mark[i - 1] = m;
	}
	return err;
}

static int end_call(struct ap_calllog *l, const struct pt_log_call *r)
{
	struct ap_callmark *open = find(&l->open, r), far;
	void *copy;

	if (!open)
		return -EBADMSG;
	far = *open;
	drop(&l->open, open);
	if (far.block == l->block)
		return 0;
	copy = malloc(r->head.bytes);
	if (!copy)
		return -ENOMEM;
	far.end = memcpy(copy, r, r->head.bytes);
	if (!add(&l->far, &far))
		return 0;
	free(copy);
	return -ENOMEM;
}

int ap_calllog_scan(struct ap_calllog *l, const void *block, size_t bytes)
{
	const struct pt_log_call *r;
	int err = 0;

	l->at = block;
	l->to = l->at + bytes;
	l->block++;
	while (!err && (r = next_event(l, false, &err)) != NULL)
		err = r->head.kind == PT_LOG_CALL ? begin_call(l, r)
						  : end_call(l, r);
	return err;
}

void ap_calllog_rewind(struct ap_calllog *l)
{
	l->at = l->to = NULL;
	l->open.n = 0;
	l->serial = 0;
	sort(&l->far);
}

/* ---- the second time ---- */

int ap_calllog_take(struct ap_calllog *l, const void *block, size_t bytes)
{
	const struct pt_log_call *r;
	int err = 0, damage = 0;

	l->at = block;
	l->to = l->at + bytes;
	l->near.n = 0;
	while (!err && (r = next_event(l, false, &damage)) != NULL)
		if (r->head.kind == PT_LOG_RETURN)
			err = add(&l->near,
				  &(struct ap_callmark){r->serial,
							r->interceptor, 0, r});
	l->at = block;
	sort(&l->near);
	return err;
}

static void fill(const struct ap_calllog *l, const struct pt_log_call *r,
		 struct ap_call *out)
{
	const struct ap_callmark *m = find(&l->near, r);

	m = m ? m : find(&l->far, r);
	*out = (struct ap_call){
		.by = l->by,
		.call = r,
		.end = m ? m->end : NULL,
	};
	out->pub = (struct alleria_call){
		.of = &l->by->of[r->interceptor - 1].pub,
		.serial = r->serial,
		.entry = r->entry,
		.back = r->back,
		.thread = r->thread,
	};
	if (m)
		out->pub.flags = m->end->flags & PT_CALL_LEFT
					 ? ALLERIA_CALL_LEFT
					 : ALLERIA_CALL_RETURNED;
	for (const struct ap_body *b = l->body; b; b = b->next)
		if (b->entry == r->entry && b->interceptor == r->interceptor) {
			out->pub.body = b->code;
			out->pub.n_body = b->bytes;
			break;
		}
}

int ap_calllog_next(struct ap_calllog *l, struct ap_call *out)
{
	const struct pt_log_call *r;
	int err = 0;

	while ((r = next_event(l, true, &err)) != NULL) {
		if (r->head.kind != PT_LOG_CALL)
			continue;
		fill(l, r, out);
		return 1;
	}
	return err;
}
