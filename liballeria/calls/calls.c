/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - iterates over intercepted calls; see calls.h
 */
#include "liballeria/calls/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/plan/plan.h"
#include "liballeria/profile.h"

struct alleria_calls {
	struct alleria_profile *profile;
	struct ap_process *process;
	char *function; /* name of the function whose calls are returned; NULL:
			   calls of all functions */
	struct pf_unpacker *unpacker;
	struct ap_intercepts *intercepts; /* [process->pub.images] initialised
					     when the image is opened */
	uint32_t image;			  /* number of the next image to open */
	struct ap_stream *stream; /* stream of the open image, or NULL */
	struct ap_call_log log;
	uint32_t block; /* index of the next block of the image's log */
	/* number of log blocks before the first damaged one, which may be
	   readable in part */
	uint32_t n_undamaged;
	int damage; /* -errno of the damage in log block n_undamaged; 0: there
		       is none */
	struct ap_call call;
};

/* ---- functions of the window file ---- */

/* Return the name of the function whose calls interceptor number @interceptor,
   from 1, of the recording plan records; "" if there is none. The parser of
   window files assigns at most one function to each. */
static const char *
function_name_of_interceptor_or_empty(const struct al_windows *w,
				      uint32_t interceptor)
{
	for (uint32_t i = 0; i < w->n[AL_FUNCTIONS]; i++)
		if (w->function[i].intercept == interceptor)
			return w->string + w->function[i].name;
	return "";
}

static const char *type_name_or_empty(const struct al_windows *w,
				      uint32_t type_number)
{
	return type_number == PT_NO_TYPE
		       ? ""
		       : w->string + w->type[type_number].name;
}

static int
fill_function_and_parameters_from_plan(struct ap_intercepts *intercepts,
				       uint32_t interceptor_index)
{
	const struct al_windows *w = &intercepts->view;
	const struct pt_intercept *x = &w->intercept[interceptor_index];
	struct alleria_parameter *p = calloc(x->n_parameters + 1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	for (uint32_t k = 0; k < x->n_parameters; k++) {
		const struct pt_parameter *q =
			&w->parameter[x->first_parameter + k];

		p[k].name = w->string + q->name;
		p[k].type = type_name_or_empty(w, q->type);
		p[k].index = q->index;
	}
	intercepts->function[interceptor_index].plan = x;
	intercepts->function[interceptor_index].pub =
		(struct alleria_intercepted){
			.function = function_name_of_interceptor_or_empty(
				w, interceptor_index + 1),
			.parameter = p,
			.n_parameters = x->n_parameters,
			.pure = x->flags & PT_INTERCEPT_PURE ? 1 : 0,
			.result = type_name_or_empty(w, x->result),
		};
	return 0;
}

int ap_intercepts_init_from_plan(struct ap_intercepts *intercepts,
				 const void *plan)
{
	int err = 0;

	al_plan_view_as_windows(plan, &intercepts->view);
	intercepts->function = calloc(intercepts->view.n[AL_INTERCEPTS] + 1,
				      sizeof(*intercepts->function));
	if (!intercepts->function)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < intercepts->view.n[AL_INTERCEPTS]; i++)
		err = fill_function_and_parameters_from_plan(intercepts, i);
	if (err)
		ap_intercepts_release(intercepts);
	return err;
}

void ap_intercepts_release(struct ap_intercepts *intercepts)
{
	for (uint32_t i = 0;
	     intercepts->function && i < intercepts->view.n[AL_INTERCEPTS]; i++)
		free((void *)intercepts->function[i].pub.parameter);
	free(intercepts->function);
	*intercepts = (struct ap_intercepts){.function = NULL};
}

/* ---- opening ---- */

int alleria_calls_open(struct alleria_profile *p, uint32_t process,
		       const char *function, struct alleria_calls **out)
{
	struct ap_process *a = ap_find_process(p, process);
	struct alleria_calls *c;

	*out = NULL;
	if (!a)
		return ALLERIA_E_RANGE;
	c = calloc(1, sizeof(*c));
	if (!c)
		return ALLERIA_E_MEMORY;
	c->profile = p;
	c->process = a;
	c->function = function ? strdup(function) : NULL;
	c->unpacker = pf_unpacker_new();
	c->intercepts =
		calloc(c->process->pub.images + 1, sizeof(*c->intercepts));
	if (c->intercepts && c->unpacker && !c->function == !function) {
		*out = c;
		return 0;
	}
	alleria_calls_close(c);
	return ALLERIA_E_MEMORY;
}

void alleria_calls_close(struct alleria_calls *c)
{
	if (!c)
		return;
	ap_call_log_release(&c->log);
	for (uint32_t i = 0; c->intercepts && i < c->process->pub.images; i++)
		ap_intercepts_release(&c->intercepts[i]);
	free(c->intercepts);
	pf_unpacker_free(c->unpacker);
	free(c->function);
	free(c);
}

/* ---- images ---- */
static int load_image_log_block(struct alleria_calls *c, uint32_t block_index,
				const void **log, size_t *bytes)
{
	size_t n;
	const struct pf_entry *e = &pf_reader_entries(
		c->profile->reader, &n)[c->stream->logs.entry[block_index]];

	*bytes = e->head.bytes;
	*log = NULL;
	return *bytes > 0 ? pf_reader_load_block(c->profile->reader,
						 c->unpacker, e, log)
			  : 0;
}

static bool is_errno_of_damage(int negative_errno)
{
	return negative_errno == -EBADMSG || negative_errno == -EPROTO;
}

/* Run the first pass over the image's log, up to the first damage. Set
   c->n_undamaged to the number of log blocks before the damaged one, and
   c->damage. Return: 0, also for damage; -errno of another error. */
static int pair_image_calls_until_damage(struct alleria_calls *c)
{
	const struct ap_stream *s = c->stream;
	const void *log;
	size_t bytes;
	int err = 0;

	for (c->n_undamaged = 0; !err && c->n_undamaged < s->logs.n;
	     c->n_undamaged += !err) {
		err = load_image_log_block(c, c->n_undamaged, &log, &bytes);
		if (!err)
			err = ap_call_log_pair_calls_in_first_pass(&c->log, log,
								   bytes);
	}
	c->damage = is_errno_of_damage(err) ? err : 0;
	ap_call_log_end_first_pass_sort_returns(&c->log);
	return c->damage ? 0 : err;
}

/* Open the next image of the process and run the first pass over its log. An
   image whose recording plan intercepts no function has no calls: it is passed
   over and not opened. Return: 0; -errno. */
static int open_next_image_and_pair_its_calls(struct alleria_calls *c)
{
	struct ap_stream *s = c->process->image[c->image];
	struct ap_intercepts *intercepts = &c->intercepts[c->image];
	int err = 0;

	if (s->plan && s->plan->intercepts.n > 0) {
		err = intercepts->function ? 0
					   : ap_intercepts_init_from_plan(
						     intercepts, s->plan);
		if (err)
			return err;
		ap_call_log_init(&c->log, intercepts, s->pid);
		c->stream = s;
		c->block = 0;
		err = pair_image_calls_until_damage(c);
		if (err) {
			ap_call_log_release(&c->log);
			c->stream = NULL;
			return err;
		}
	}
	c->image++;
	return 0;
}

static void close_image_log(struct alleria_calls *c)
{
	ap_call_log_release(&c->log);
	c->stream = NULL;
	c->damage = 0;
}

/* ---- calls ---- */

/* Open the next block of the image's log, up to and including the first damaged
   block. Return: 1; 0: no more blocks; -errno. */
static int open_next_log_block_until_damage_if_any(struct alleria_calls *c)
{
	const void *log;
	size_t bytes;
	int err;

	if (c->block >= c->stream->logs.n || c->block > c->n_undamaged)
		return 0;
	err = load_image_log_block(c, c->block, &log, &bytes);
	if (!err)
		err = ap_call_log_open_block_and_list_returns(&c->log, log,
							      bytes);
	if (!err || is_errno_of_damage(err))
		c->block++;
	return err ? err : 1;
}

/* Read the next intercepted call of a function in the image. Return: 1; 0: no
   more calls; -errno. Damage is reported after all calls before it. */
static int read_next_call_of_image_if_any(struct alleria_calls *c)
{
	int more = ap_call_log_read_next_call_if_any(&c->log, &c->call);

	while (more == 0) {
		more = open_next_log_block_until_damage_if_any(c);
		if (more <= 0)
			break;
		more = ap_call_log_read_next_call_if_any(&c->log, &c->call);
	}
	return more == 0 && c->damage ? c->damage : more;
}

/* Whether the current call is of the function that was requested. */
static bool is_current_call_of_requested_function(const struct alleria_calls *c)
{
	return !c->function ||
	       strcmp(c->function, c->call.pub.of->function) == 0;
}

int alleria_next_call(struct alleria_calls *c, const struct alleria_call **out)
{
	int more;

	*out = NULL;
	while (c->stream || c->image < c->process->pub.images) {
		if (!c->stream) {
			more = open_next_image_and_pair_its_calls(c);
		} else {
			more = read_next_call_of_image_if_any(c);
			if (more > 0 &&
			    is_current_call_of_requested_function(c))
				break;
			if (more == 0 || is_errno_of_damage(more))
				close_image_log(c);
		}
		if (more < 0)
			return ap_alleria_error_of_negative_errno(more);
	}
	if (!c->stream)
		return 0;
	c->call.pub.process = c->process->pub.index;
	c->call.pub.image = c->stream->pub.number;
	*out = &c->call.pub;
	return 1;
}
