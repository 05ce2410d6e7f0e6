/* SPDX-License-Identifier: GPL-2.0-or-later */
/* analysis_host.c - calls one analysis of an exec image; see analysis_host.h */

#include "lib/pipeline/analysis_host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/config/analyze_option.h"
#include "lib/recover/code_file.h"
#include "lib/symbols/perf_map.h"
#include "lib/symbols/symbols.h"

enum {
	STATE_ALIGN = 64, /* alignment of the state of an analysis [bytes] */
	PARTITIONS_FROM_WORKERS = 4, /* least number of workers for which
					partitions are faster, unless
					divides_from_two_workers */
	PARTITIONS_PER_WORKER = 2, /* partitions per worker, so that their load
				      is even */
};

static const char *find_option_value_or_null(void *host, const char *key)
{
	return al_analysis_option_value_or_null(
		((struct al_analysis_host *)host)->spec, key);
}

static int open_option_file_or_stdout(struct al_analysis_host *a)
{
	char label[AL_LABEL];

	snprintf(label, sizeof(label), "%u", a->spec->cache + 1);
	return al_output_open(&a->output, find_option_value_or_null(a, "file"),
			      *a->context->label ? a->context->label : label,
			      a->context->window);
}

static int write_output_open_if_needed(void *host, const void *data, size_t len)
{
	struct al_analysis_host *a = host;
	int err = al_output_is_open(&a->output) ? 0
						: open_option_file_or_stdout(a);

	if (!err)
		err = al_output_write(&a->output, data, len);
	a->is_unwritten |= err != 0;
	return err;
}

/* Set the object of @out to AL_GENERATED_OBJECT, and its function to the newest
   name that the process wrote to a perf map or a jitdump file for its code at
   @addr, if any. */
static void set_symbol_of_runtime_code(const struct al_consumer_context *h,
				       uint64_t addr, struct an_symbol *out)
{
	const char *function = al_perfmap_find_newest_name(h->jit_names, addr);

	al_symbols_init_symbol_with_object_name(h->symbols, NULL, out);
	out->object = al_symbols_intern_or_question_marks(h->symbols,
							  AL_GENERATED_OBJECT);
	if (function != NULL)
		out->function = function;
}

static void set_symbol_of_instr_address(const struct al_consumer_context *h,
					const struct al_desc *d, uint64_t addr,
					struct an_symbol *out)
{
	const struct al_mapping *m = d->mapping;

	if (m != NULL && addr - m->start < m->size)
		al_symbols_fill_symbol_at_address(h->symbols, m->path,
						  addr - m->bias, out);
	else if (d->path != NULL || h->symbols == NULL)
		al_symbols_init_symbol_with_object_name(h->symbols, d->path,
							out);
	else
		set_symbol_of_runtime_code(h, addr, out);
}

static void find_symbol_of_instr(void *host, const struct an_block *block,
				 unsigned instr_index, struct an_symbol *out)
{
	set_symbol_of_instr_address(((struct al_analysis_host *)host)->context,
				    ((const struct al_block *)block)->desc,
				    block->instr[instr_index].addr, out);
}

/* Set @file to the object file that contained the code at @addr when the log
   had @log_bytes bytes. Return: false if it is not known. */
static bool find_object_file_of_code(struct al_recovery *r, uint64_t addr,
				     uint64_t log_bytes,
				     struct al_code_file *file)
{
	bool is_known;

	pthread_mutex_lock(&r->lock);
	is_known = al_code_file_find_path_and_bias(&r->blocks, addr, log_bytes,
						   file);
	pthread_mutex_unlock(&r->lock);
	return is_known;
}

/* Set @out to the name of code of the object file @path, or if function and
   line are not known, to its address. @addr: as in the file's symbol table. */
static void set_symbol_or_address_of_code(const struct al_consumer_context *h,
					  const char *path, uint64_t addr,
					  struct an_symbol *out)
{
	al_symbols_fill_symbol_at_address(h->symbols, path, addr, out);
	if (strcmp(out->function, "???") == 0 && out->line == 0)
		out->unnamed_address = addr;
}

static bool find_symbol_at_address_is_in_text(void *host, uint64_t addr,
					      uint64_t log_bytes,
					      struct an_symbol *out)
{
	const struct al_consumer_context *h =
		((struct al_analysis_host *)host)->context;
	struct al_code_file file;

	if (!find_object_file_of_code(h->recovery, addr, log_bytes, &file)) {
		set_symbol_of_runtime_code(h, addr, out);
		return false;
	}
	if (file.is_bias_known)
		set_symbol_or_address_of_code(h, file.path, addr - file.bias,
					      out);
	else
		al_symbols_init_symbol_with_object_name(h->symbols, file.path,
							out);
	return file.is_in_text;
}

static const struct an_type *
find_variable_type_in_debug_info(void *host, const char *object_path,
				 uint64_t object_text_addr,
				 uint64_t variable_addr)
{
	struct al_symbols *s =
		((struct al_analysis_host *)host)->context->symbols;

	return s ? al_symbols_find_variable_type(
			   s,
			   al_symbols_intern_or_question_marks(s, object_path),
			   object_text_addr, variable_addr)
		 : NULL;
}

static const struct an_type *
find_thread_variable_type(void *host, const char *object_path, uint64_t offset)
{
	struct al_symbols *s =
		((struct al_analysis_host *)host)->context->symbols;

	return s ? al_symbols_find_thread_variable_type(
			   s,
			   al_symbols_intern_or_question_marks(s, object_path),
			   offset)
		 : NULL;
}

static const struct an_type *
find_structure_accessed_by_instr(void *host, const struct an_block *block,
				 unsigned instr_index)
{
	struct al_symbols *s =
		((struct al_analysis_host *)host)->context->symbols;
	const struct al_mapping *m =
		((const struct al_block *)block)->desc->mapping;
	uint64_t addr = block->instr[instr_index].addr;

	return s == NULL || m == NULL || addr - m->start >= m->size
		       ? NULL
		       : al_symbols_find_accessed_structure(s, m->path,
							    addr - m->bias);
}

/* Return the host of the first analysis of the consumer of @a. A consumer has
   an array of hosts, one for each analysis, in the order of the settings. */
static struct al_analysis_host *
first_host_of_consumer(struct al_analysis_host *a)
{
	return a - a->index;
}

/* Return the index of the first analysis of the run that simulates the caches
   of @a and whose class reports misses to an observer, which another analysis
   offers (observable_simulation); the number of analyses if there is none. */
static size_t
find_observable_analysis_of_same_caches(const struct al_analysis_host *a)
{
	const struct al_settings *s = a->context->settings;
	size_t i = 0;

	while (i < s->n_analyses &&
	       (!s->analysis[i].class->observable_simulation ||
		s->analysis[i].cache != a->spec->cache))
		i++;
	return i;
}

static bool offer_observer_to_simulation(void *host, const void *observer)
{
	struct al_analysis_host *a = host;

	a->offered_observer = observer;
	return find_observable_analysis_of_same_caches(a) <
	       a->context->settings->n_analyses;
}

static const void *find_observer_of_own_simulation_or_null(void *host)
{
	struct al_analysis_host *a = host, *all = first_host_of_consumer(a);

	if (find_observable_analysis_of_same_caches(a) != a->index)
		return NULL;
	for (size_t i = 0; i < a->context->settings->n_analyses; i++)
		if (all[i].offered_observer &&
		    all[i].spec->cache == a->spec->cache)
			return all[i].offered_observer;
	return NULL;
}

static void *alloc_executable_memory_once(void *host, size_t bytes)
{
	struct al_analysis_host *a = host;
	void *p;

	if (a->code != NULL)
		return NULL;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	a->code = p;
	a->code_bytes = bytes;
	return p;
}

int al_analysis_host_init_and_open(struct al_analysis_host *a,
				   const struct al_consumer_context *host,
				   size_t analysis_index)
{
	const struct al_analysis *spec =
		&host->settings->analysis[analysis_index];
	size_t size = (spec->class->state_size + STATE_ALIGN) &
		      ~(size_t)(STATE_ALIGN - 1);

	*a = (struct al_analysis_host){
		.context = host,
		.spec = spec,
		.index = analysis_index,
		.env =
			{
				.host = a,
				.geometry = &host->settings->cache[spec->cache]
						     .geometry,
				.option = find_option_value_or_null,
				.write = write_output_open_if_needed,
				.symbol = find_symbol_of_instr,
				.symbol_in_site =
					find_symbol_at_address_is_in_text,
				.variable_type =
					find_variable_type_in_debug_info,
				.thread_variable_type =
					find_thread_variable_type,
				.accessed_type =
					find_structure_accessed_by_instr,
				.offer_observer = offer_observer_to_simulation,
				.offered_observer =
					find_observer_of_own_simulation_or_null,
				.alloc_code = alloc_executable_memory_once,
			},
	};
	a->state = aligned_alloc(STATE_ALIGN, size);
	if (a->state == NULL)
		return -ENOMEM;
	memset(a->state, 0, size);
	if (spec->class->open)
		a->error = a->prepare_error =
			spec->class->open(a->state, &a->env);
	return 0;
}

/* Return the greatest number of partitions of an analysis: as set, or by the
   number of workers that there may be; 1 if those are too few. */
static unsigned
max_partitions_by_settings_or_workers(const struct al_settings *t,
				      const struct an_class *class)
{
	unsigned workers =
		t->adaptive.enabled ? t->adaptive.workers : t->workers;
	unsigned max = 1;

	if (t->partitions > 0)
		max = t->partitions;
	else if (class->divides_from_two_workers)
		max = workers;
	else if (workers >= PARTITIONS_FROM_WORKERS)
		max = PARTITIONS_PER_WORKER * workers;
	return max < AN_MAX_PARTITIONS ? max : AN_MAX_PARTITIONS;
}

void al_analysis_host_init_partitions(struct al_analysis_host *a)
{
	unsigned max = max_partitions_by_settings_or_workers(
		a->context->settings, a->spec->class);

	if (!a->error && max > 1 && a->spec->class->init_partitions)
		a->n_partitions =
			a->spec->class->init_partitions(a->state, max);
}

/* Pass each block that is new in the chunk to block() of the analysis, until it
   fails. Call this in the first stage that the analysis has. Return: 0; -errno
   of the analysis. */
static int pass_new_blocks_to_analysis(struct al_analysis_host *a,
				       const struct al_consumer_chunk *s)
{
	const struct an_class *c = a->spec->class;
	const struct al_block *b = s->block;
	int err = 0;

	for (uint32_t i = 0; i < s->n_blocks && c->block && !err; i++) {
		err = c->block(a->state, &b->pub);
		/* Another thread may be writing the last block's `next`. */
		if (i + 1 < s->n_blocks)
			b = b->next;
	}
	return err;
}

/* Call @stage, a function of the analysis, for each batch of the chunk, in
   order, until a call fails. Warm batches, which only warm the caches, are left
   out if the analysis does not accept them. Return: 0; -errno of the call. */
static int
call_stage_for_accepted_batches(struct al_analysis_host *a,
				const struct al_consumer_chunk *s,
				int (*stage)(void *, const struct an_batch *))
{
	struct al_batch_position position = {0};
	struct an_batch batch;
	int err = 0;

	while (!err && al_consumer_chunk_next_batch_from(s, &position, &batch))
		if (!batch.warm || a->spec->class->accepts_warmup)
			err = stage(a->state, &batch);
	return err;
}

/* Whether block() and prepare() of the analysis are called in stage prepare. */
static bool has_analysis_prepare_stage(const struct al_analysis_host *a)
{
	return a->spec->class->prepare || a->n_partitions > 1;
}

/* Pass the chunk's new blocks to the analysis, then do stage prepare. Return:
   the mode that the analysis demands. */
static enum an_chunk_mode
prepare_chunk_for_analysis(struct al_analysis_host *a,
			   struct al_consumer_chunk *s)
{
	const struct an_class *c = a->spec->class;
	struct an_batch all = al_consumer_chunk_as_batch(s);
	enum an_chunk_mode mode = AN_CHUNK_CONTINUE;

	a->prepare_error = pass_new_blocks_to_analysis(a, s);
	if (!a->prepare_error && a->n_partitions > 1 && c->begin_chunk)
		mode = c->begin_chunk(a->state, &all);
	if (!a->prepare_error && c->prepare)
		a->prepare_error =
			call_stage_for_accepted_batches(a, s, c->prepare);
	return mode;
}

enum an_chunk_mode al_analysis_host_prepare_chunk(struct al_analysis_host *a,
						  struct al_consumer_chunk *s)
{
	enum an_chunk_mode mode = AN_CHUNK_CONTINUE;

	if (!a->prepare_error)
		a->prepare_error = s->error[a->index];
	if (!a->prepare_error && has_analysis_prepare_stage(a))
		mode = prepare_chunk_for_analysis(a, s);
	s->error[a->index] = a->prepare_error;
	s->partition_error[a->index] = 0;
	return mode;
}

void al_analysis_host_scatter_if_partitioned(struct al_analysis_host *a,
					     struct al_consumer_chunk *s)
{
	int *err = &s->error[a->index];

	if (!*err && a->n_partitions > 1 && a->spec->class->scatter)
		*err = call_stage_for_accepted_batches(a, s,
						       a->spec->class->scatter);
}

int al_analysis_host_run_partition(struct al_analysis_host *a,
				   const struct al_consumer_chunk *s,
				   unsigned partition_index)
{
	struct an_batch all = al_consumer_chunk_as_batch(s);

	if (s->error[a->index] || partition_index >= a->n_partitions ||
	    a->n_partitions < 2)
		return 0;
	return a->spec->class->run_partition(a->state, &all, partition_index);
}

void al_analysis_host_gather_if_partitioned(struct al_analysis_host *a,
					    struct al_consumer_chunk *s)
{
	struct an_batch all = al_consumer_chunk_as_batch(s);

	if (!a->error)
		a->error = s->partition_error[a->index];
	if (!a->error && a->n_partitions > 1 && !s->is_serial &&
	    a->spec->class->gather)
		a->error = a->spec->class->gather(a->state, &all);
}

void al_analysis_host_pass_new_blocks(struct al_analysis_host *a,
				      const struct al_consumer_chunk *s)
{
	if (!a->error)
		a->error = s->error[a->index];
	if (!a->error && !has_analysis_prepare_stage(a))
		a->error = pass_new_blocks_to_analysis(a, s);
}

void al_analysis_host_pass_batch_if_accepted(
	struct al_analysis_host *a,
	const struct al_consumer_chunk *chunk_of_batch,
	const struct an_batch *batch)
{
	bool accepted = (a->n_partitions < 2 || chunk_of_batch->is_serial) &&
			(!batch->warm || a->spec->class->accepts_warmup);

	if (!a->error && accepted && a->spec->class->batch)
		a->error = a->spec->class->batch(a->state, batch);
}

void al_analysis_host_run_tail_stage(struct al_analysis_host *a,
				     struct al_consumer_chunk *s)
{
	struct an_batch all = al_consumer_chunk_as_batch(s);
	int *err = &s->error[a->index];

	if (!*err && !a->tail_error && a->spec->class->tail)
		a->tail_error = a->spec->class->tail(a->state, &all);
	if (!*err)
		*err = a->tail_error;
}

static void unmap_machine_code(struct al_analysis_host *a)
{
	if (a->code != NULL)
		munmap(a->code, a->code_bytes);
	a->code = NULL;
}

void al_analysis_host_finish_analysis(struct al_analysis_host *a)
{
	int err;

	if (!a->error)
		a->error = a->tail_error;
	if (!a->error && a->spec->class->finish)
		a->error = a->spec->class->finish(a->state);
	/* The analysis's state holds the results and remains allocated; they
	   need no machine code. */
	unmap_machine_code(a);
	err = al_output_close_commit_or_remove(&a->output);
	a->is_unwritten |= err != 0;
	if (!a->error)
		a->error = err;
}

struct al_model *
al_analysis_host_get_or_build_result(struct al_analysis_host *analysis,
				     bool *is_built_now)
{
	*is_built_now = analysis->result == NULL;
	if (analysis->result == NULL) {
		analysis->result = malloc(sizeof(*analysis->result));
		if (analysis->result == NULL)
			return NULL;
		al_model_init(analysis->result);
		if (analysis->spec->class->result)
			analysis->spec->class->result(analysis->state,
						      analysis->result);
	}
	return analysis->result;
}

static void free_result(struct al_analysis_host *a)
{
	if (a->result != NULL)
		al_model_release(a->result);
	free(a->result);
	a->result = NULL;
}

void al_analysis_host_merge_results(struct al_analysis_host *a,
				    const struct al_analysis_host *from)
{
	free_result(a);
	a->is_unwritten |= from->is_unwritten;
	if (!a->error)
		a->error = from->error;
	if (!a->error && a->spec->class->merge)
		a->error = a->spec->class->merge(a->state, from->state);
}

void al_analysis_host_save_and_commit_output(struct al_analysis_host *a)
{
	int close_error;

	if (a->error || !a->spec->class->save)
		return;
	a->error = a->spec->class->save(a->state);
	close_error = al_output_close_commit_or_remove(&a->output);
	if (!a->error)
		a->error = close_error;
	a->is_unwritten |= a->error != 0;
}

static int ignore_output_and_return_0(void *host, const void *data, size_t len)
{
	(void)host;
	(void)data;
	(void)len;
	return 0;
}

void al_analysis_host_drop_and_ignore_output(struct al_analysis_host *a)
{
	a->env.write = ignore_output_and_return_0;
	a->output = (struct al_output){0};
}

void al_analysis_host_release(struct al_analysis_host *a)
{
	free_result(a);
	if (a->state != NULL && a->spec->class->close)
		a->spec->class->close(a->state);
	free(a->state);
	a->state = NULL;
	unmap_machine_code(a);
	al_output_close_commit_or_remove(&a->output);
}
