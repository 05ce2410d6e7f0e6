/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_log.c - reads the calls of intercepted functions from the log of an
 * image; see calls.h
 *
 * The log of a forked process may begin with records of its parent, which have
 * another pid and are skipped.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "liballeria/calls/calls.h"

void ap_call_log_init(struct ap_call_log *l,
		      const struct ap_intercepts *intercepts, uint32_t pid)
{
	*l = (struct ap_call_log){.intercepts = intercepts, .pid = pid};
}

void ap_call_log_release(struct ap_call_log *l)
{
	struct ap_body *next;

	for (size_t i = 0; i < l->later_returns.n; i++)
		free((void *)l->later_returns.call[i].end);
	free(l->open_calls.call);
	free(l->later_returns.call);
	free(l->block_returns.call);
	for (; l->body; l->body = next) {
		next = l->body->next;
		free(l->body);
	}
	*l = (struct ap_call_log){.intercepts = NULL};
}

/* ---- lists of calls and returns ---- */

static int compare_by_serial_then_interceptor(const void *a, const void *b)
{
	const struct ap_pending_call *x = a, *y = b;

	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return (x->interceptor > y->interceptor) -
	       (x->interceptor < y->interceptor);
}

static void sort_pending_calls_by_serial(struct ap_pending_calls *m)
{
	if (m->n > 0)
		qsort(m->call, m->n, sizeof(*m->call),
		      compare_by_serial_then_interceptor);
}

/* Find the entry of the call of record @call_or_return_record in a sorted list.
   Calls differ by serial number or interceptor: a call with several
   interceptors has one serial number, and a record for each. Return NULL if
   there is none. */
static struct ap_pending_call *
find_pending_call(const struct ap_pending_calls *m,
		  const struct pt_log_call *call_or_return_record)
{
	struct ap_pending_call key = {
		.serial = call_or_return_record->serial,
		.interceptor = call_or_return_record->interceptor};

	return m->n > 0 ? bsearch(&key, m->call, m->n, sizeof(key),
				  compare_by_serial_then_interceptor)
			: NULL;
}

/* Append a copy of @pending. Return: 0; -ENOMEM. */
static int append_copy_of_pending_call(struct ap_pending_calls *m,
				       const struct ap_pending_call *pending)
{
	int err = al_array_reserve(m->call, m->size, m->n + 1);

	if (!err)
		m->call[m->n++] = *pending;
	return err;
}

static void remove_pending_call(struct ap_pending_calls *m,
				struct ap_pending_call *pending)
{
	size_t n_after = (size_t)(m->call + m->n - pending) - 1;

	memmove(pending, pending + 1, n_after * sizeof(*pending));
	m->n--;
}

/* ---- records ---- */

/* Return the next record of the log block, and advance @l past it. NULL at the
   end of the block, or with -EBADMSG in *@err if the record is malformed. */
static const struct pt_log_head *
read_next_record_of_log_block_or_null(struct ap_call_log *l, int *err)
{
	const struct pt_log_head *r = (const void *)l->pos;
	size_t n_left = (size_t)(l->end - l->pos);

	if (n_left == 0)
		return NULL;
	if (n_left < sizeof(*r) || r->bytes < sizeof(*r) || r->bytes % 8 ||
	    r->bytes > n_left) {
		*err = -EBADMSG;
		return NULL;
	}
	l->pos += r->bytes;
	return r;
}

/* Add the machine code of an intercepted function to @l. It is skipped if it is
   of another process, empty, or recorded only in part. Return: 0; -EBADMSG:
   malformed record; -ENOMEM. */
static int store_machine_code_if_complete(struct ap_call_log *l,
					  const struct pt_log_body *r)
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

/* Return the next record of a call or a return in the image's process; NULL at
   the end of the log block, or with -errno in *@err. @store_bodies: also add to
   @l the machine code of intercepted functions in the records before it. */
static const struct pt_log_call *
read_next_call_or_return_record(struct ap_call_log *l, bool store_bodies,
				int *err)
{
	const struct pt_log_head *h;
	const struct pt_log_call *r;

	while (!*err &&
	       (h = read_next_record_of_log_block_or_null(l, err)) != NULL) {
		if (h->kind == PT_LOG_BODY && store_bodies)
			*err = store_machine_code_if_complete(l,
							      (const void *)h);
		if (h->kind != PT_LOG_CALL && h->kind != PT_LOG_RETURN)
			continue;
		r = (const void *)h;
		if (h->bytes < sizeof(*r) ||
		    (r->pid == l->pid &&
		     (r->interceptor == 0 ||
		      r->interceptor > l->intercepts->view.n[AL_INTERCEPTS])))
			*err = -EBADMSG;
		else if (r->pid == l->pid)
			return r;
	}
	return NULL;
}

/* ---- first pass ---- */

/* Insert a call into the sorted list of open calls. Return: 0; -EBADMSG: its
   serial number is lower than the last one, or the call is in the list already;
   -ENOMEM. */
static int insert_open_call_sorted(struct ap_call_log *l,
				   const struct pt_log_call *r)
{
	const struct ap_pending_call m = {.serial = r->serial,
					  .interceptor = r->interceptor,
					  .block = l->block};
	int err;

	if (r->serial < l->serial || find_pending_call(&l->open_calls, r))
		return -EBADMSG;
	l->serial = r->serial;
	err = append_copy_of_pending_call(&l->open_calls, &m);
	for (size_t i = l->open_calls.n - 1;
	     !err && i > 0 &&
	     compare_by_serial_then_interceptor(&l->open_calls.call[i - 1],
						&m) > 0;
	     i--) {
		l->open_calls.call[i] = l->open_calls.call[i - 1];
		l->open_calls.call[i - 1] = m;
	}
	return err;
}

/* Remove the call to which return @return_record belongs from the open
   calls. If the call began in an earlier block, add a copy of @return_record
   to l->later_returns. Return: 0; -EBADMSG: no such call is open; -ENOMEM. */
static int
end_call_copy_return_across_blocks(struct ap_call_log *l,
				   const struct pt_log_call *return_record)
{
	struct ap_pending_call *open = find_pending_call(&l->open_calls,
							 return_record),
			       ended;
	void *copy;

	if (!open)
		return -EBADMSG;
	ended = *open;
	remove_pending_call(&l->open_calls, open);
	if (ended.block == l->block)
		return 0;
	copy = malloc(return_record->head.bytes);
	if (!copy)
		return -ENOMEM;
	ended.end = memcpy(copy, return_record, return_record->head.bytes);
	if (!append_copy_of_pending_call(&l->later_returns, &ended))
		return 0;
	free(copy);
	return -ENOMEM;
}

int ap_call_log_pair_calls_in_first_pass(struct ap_call_log *l,
					 const void *block, size_t bytes)
{
	const struct pt_log_call *r;
	int err = 0;

	l->pos = block;
	l->end = l->pos + bytes;
	l->block++;
	while (!err &&
	       (r = read_next_call_or_return_record(l, false, &err)) != NULL)
		err = r->head.kind == PT_LOG_CALL
			      ? insert_open_call_sorted(l, r)
			      : end_call_copy_return_across_blocks(l, r);
	return err;
}

void ap_call_log_end_first_pass_sort_returns(struct ap_call_log *l)
{
	l->pos = l->end = NULL;
	l->open_calls.n = 0;
	l->serial = 0;
	sort_pending_calls_by_serial(&l->later_returns);
}

/* ---- second pass ---- */

int ap_call_log_open_block_and_list_returns(struct ap_call_log *l,
					    const void *block, size_t bytes)
{
	const struct pt_log_call *r;
	int err = 0, damage = 0;

	l->pos = block;
	l->end = l->pos + bytes;
	l->block_returns.n = 0;
	while (!err &&
	       (r = read_next_call_or_return_record(l, false, &damage)) != NULL)
		if (r->head.kind == PT_LOG_RETURN)
			err = append_copy_of_pending_call(
				&l->block_returns,
				&(struct ap_pending_call){
					r->serial, r->interceptor, 0, r});
	l->pos = block;
	sort_pending_calls_by_serial(&l->block_returns);
	return err;
}

/* Set @out to the call with the record @call_record, with the record of its
   return if there is one, and the machine code of the intercepted function if
   the log has it before the call. */
static void
fill_call_with_return_and_function_code(const struct ap_call_log *l,
					const struct pt_log_call *call_record,
					struct ap_call *out)
{
	const struct ap_pending_call *m =
		find_pending_call(&l->block_returns, call_record);

	m = m ? m : find_pending_call(&l->later_returns, call_record);
	*out = (struct ap_call){
		.intercepts = l->intercepts,
		.call = call_record,
		.end = m ? m->end : NULL,
	};
	out->pub = (struct alleria_call){
		.of = &l->intercepts->function[call_record->interceptor - 1]
			       .pub,
		.serial = call_record->serial,
		.entry = call_record->entry,
		.back = call_record->back,
		.thread = call_record->thread,
	};
	if (m)
		out->pub.flags = m->end->flags & PT_CALL_LEFT
					 ? ALLERIA_CALL_LEFT
					 : ALLERIA_CALL_RETURNED;
	for (const struct ap_body *b = l->body; b; b = b->next)
		if (b->entry == call_record->entry &&
		    b->interceptor == call_record->interceptor) {
			out->pub.body = b->code;
			out->pub.n_body = b->bytes;
			break;
		}
}

int ap_call_log_read_next_call_if_any(struct ap_call_log *l,
				      struct ap_call *out)
{
	const struct pt_log_call *r;
	int err = 0;

	while ((r = read_next_call_or_return_record(l, true, &err)) != NULL) {
		if (r->head.kind != PT_LOG_CALL)
			continue;
		fill_call_with_return_and_function_code(l, r, out);
		return 1;
	}
	return err;
}
