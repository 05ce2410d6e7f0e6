/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ap_calls.c - calls of functions that were intercepted; see ap_calls.h
 *
 * Room:    api.
 *
 * The log of a process may begin with what it inherited from its parent: that
 * is told by the pid.
 */
#include "api/ap_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_plan.h"

static struct ap_call *call_at(const struct ap_calls *c, size_t i)
{
	return (struct ap_call *)c->call[i];
}

void ap_calls_free(struct ap_calls *c)
{
	struct ap_body *next;

	if (!c)
		return;
	for (uint32_t i = 0; c->of && i < c->view.n[AL_INTERCEPTS]; i++)
		free((void *)c->of[i].pub.parameter);
	for (size_t i = 0; i < c->n; i++) {
		free(call_at(c, i)->call);
		free(call_at(c, i)->end);
		free(call_at(c, i));
	}
	for (; c->body; c->body = next) {
		next = c->body->next;
		free(c->body);
	}
	free(c->call);
	free(c->of);
	free(c);
}

/* ---- what the window file says ---- */

/* The function that has the interceptor: the parser gives each its own. */
static const char *function_of(const struct al_windows *w, uint32_t interceptor)
{
	for (uint32_t i = 0; i < w->n[AL_FUNCTIONS]; i++)
		if (w->function[i].intercept == interceptor)
			return w->string + w->function[i].name;
	return "";
}

static const char *type_name(const struct al_windows *w, uint32_t type)
{
	return type == PT_NO_TYPE ? "" : w->string + w->type[type].name;
}

static int describe(struct ap_calls *c, uint32_t i)
{
	const struct al_windows *w = &c->view;
	const struct pt_intercept *x = &w->intercept[i];
	struct alleria_parameter *p = calloc(x->n_parameters + 1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	for (uint32_t k = 0; k < x->n_parameters; k++) {
		const struct pt_parameter *q =
			&w->parameter[x->first_parameter + k];

		p[k].name = w->string + q->name;
		p[k].type = type_name(w, q->type);
		p[k].index = q->index;
	}
	c->of[i].plan = x;
	c->of[i].pub = (struct alleria_intercepted){
		.function = function_of(w, i + 1),
		.parameter = p,
		.n_parameters = x->n_parameters,
		.pure = x->flags & PT_INTERCEPT_PURE ? 1 : 0,
		.result = type_name(w, x->result),
	};
	return 0;
}

static int take_plan(struct ap_calls *c, const struct pt_plan *plan)
{
	int err = 0;

	al_plan_view(plan, &c->view);
	c->of = calloc(c->view.n[AL_INTERCEPTS] + 1, sizeof(*c->of));
	if (!c->of)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < c->view.n[AL_INTERCEPTS]; i++)
		err = describe(c, i);
	return err;
}

/* ---- the log ---- */

static int make_room(struct ap_calls *c)
{
	size_t size = c->size ? 2 * c->size : 64;
	void *bigger;

	if (c->n < c->size)
		return 0;
	bigger = reallocarray(c->call, size, sizeof(*c->call));
	if (!bigger)
		return -ENOMEM;
	c->call = bigger;
	c->size = size;
	return 0;
}

/* Interceptors of one call have the same serial, and a record each. */
static struct ap_call *find(const struct ap_calls *c, uint64_t serial,
			    uint32_t interceptor)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (call_at(c, middle)->call->serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < c->n && call_at(c, low)->call->serial == serial; low++)
		if (call_at(c, low)->call->interceptor == interceptor)
			return call_at(c, low);
	return NULL;
}

static int take_call(struct ap_stream *s, struct ap_calls *c,
		     struct pt_log_call *r)
{
	struct ap_call *new;

	if (c->n > 0 && r->serial < call_at(c, c->n - 1)->call->serial)
		return -EBADMSG;
	if (make_room(c))
		return -ENOMEM;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->pub = (struct alleria_call){
		.of = &c->of[r->interceptor - 1].pub,
		.serial = r->serial,
		.entry = r->entry,
		.back = r->back,
		.process = s->pub.process,
		.image = s->pub.number,
		.thread = r->thread,
	};
	new->in = c;
	new->call = r;
	for (const struct ap_body *b = c->body; b; b = b->next)
		if (b->entry == r->entry && b->interceptor == r->interceptor) {
			new->pub.body = b->code;
			new->pub.n_body = b->bytes;
		}
	c->call[c->n++] = &new->pub;
	return 0;
}

static int take_end(struct ap_calls *c, struct pt_log_call *r)
{
	struct ap_call *call = find(c, r->serial, r->interceptor);

	if (!call || call->end)
		return -EBADMSG;
	call->end = r;
	call->pub.flags = r->flags & PT_CALL_LEFT ? ALLERIA_CALL_LEFT
						  : ALLERIA_CALL_RETURNED;
	return 0;
}

static int take_event(struct ap_stream *s, struct ap_calls *c,
		      const struct pt_log_call *r)
{
	struct pt_log_call *copy;
	int err;

	if (r->head.bytes < sizeof(*r))
		return -EBADMSG;
	if (r->pid != s->pid)
		return 0;
	if (r->interceptor == 0 || r->interceptor > c->view.n[AL_INTERCEPTS])
		return -EBADMSG;
	copy = malloc(r->head.bytes);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, r, r->head.bytes);
	err = r->head.kind == PT_LOG_CALL ? take_call(s, c, copy)
					  : take_end(c, copy);
	if (err)
		free(copy);
	return err;
}

/* Code that was too long is of no use. */
static int take_body(struct ap_stream *s, struct ap_calls *c,
		     const struct pt_log_body *r)
{
	struct ap_body *b;

	if (r->head.bytes < sizeof(*r) || r->bytes > r->head.bytes - sizeof(*r))
		return -EBADMSG;
	if (r->pid != s->pid || r->bytes < r->size)
		return 0;
	b = malloc(sizeof(*b) + r->bytes);
	if (!b)
		return -ENOMEM;
	*b = (struct ap_body){c->body, r->entry, r->interceptor, r->bytes};
	memcpy(b->code, r + 1, r->bytes);
	c->body = b;
	return 0;
}

static int take_log(struct ap_stream *s, struct ap_calls *c, const char *at,
		    size_t bytes)
{
	const char *end = at + bytes;
	int err = 0;

	for (; !err && at < end;
	     at += ((const struct pt_log_head *)at)->bytes) {
		const struct pt_log_head *r = (const void *)at;

		if ((size_t)(end - at) < sizeof(*r) || r->bytes < sizeof(*r) ||
		    r->bytes % 8 || r->bytes > (size_t)(end - at))
			return -EBADMSG;
		if (r->kind == PT_LOG_CALL || r->kind == PT_LOG_RETURN)
			err = take_event(s, c, (const void *)r);
		else if (r->kind == PT_LOG_BODY)
			err = take_body(s, c, (const void *)r);
	}
	return err;
}

/* Of a damaged file, those before the damage. */
static int read_calls(struct ap_stream *s, struct ap_calls *c)
{
	int err = s->plan ? take_plan(c, s->plan) : 0;

	for (uint32_t i = 0; !err && s->plan && i < s->logs.n; i++) {
		const struct pf_head *h = ap_head(s->profile, s->logs.entry[i]);
		const void *log;

		if (h->bytes == 0)
			continue;
		err = ap_load(s->profile, s->logs.entry[i], &log);
		if (!err && c->view.n[AL_INTERCEPTS] > 0)
			err = take_log(s, c, log, h->bytes);
	}
	return err == -EBADMSG && c->n > 0 ? 0 : err;
}

/* ---- all of a process ---- */

static int ready(struct ap_stream *s)
{
	struct ap_calls *c;
	int err;

	if (s->calls)
		return 0;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	err = read_calls(s, c);
	if (err)
		ap_calls_free(c);
	else
		s->calls = c;
	return err;
}

static int list(struct ap_process *a)
{
	size_t n = 0;
	int err = 0;

	for (uint32_t i = 0; !err && i < a->pub.images; i++) {
		err = ready(a->image[i]);
		n += err ? 0 : a->image[i]->calls->n;
	}
	if (!err)
		a->call = calloc(n + 1, sizeof(*a->call));
	if (err || !a->call)
		return err ? err : -ENOMEM;
	for (uint32_t i = 0; i < a->pub.images; i++) {
		const struct ap_calls *c = a->image[i]->calls;

		if (c->n)
			memcpy(a->call + a->n_calls, c->call,
			       c->n * sizeof(*c->call));
		a->n_calls += c->n;
	}
	return 0;
}

long alleria_calls(struct alleria_profile *p, uint32_t process,
		   const struct alleria_call *const **out)
{
	struct ap_process *a;
	int err = 0;

	*out = NULL;
	if (process >= p->n_processes)
		return ALLERIA_E_RANGE;
	a = p->process[process];
	pthread_mutex_lock(&p->lock);
	if (!a->call)
		err = list(a);
	pthread_mutex_unlock(&p->lock);
	if (err)
		return ap_error(err);
	*out = a->call;
	return (long)a->n_calls;
}
