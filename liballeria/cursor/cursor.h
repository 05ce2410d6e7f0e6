/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - declares a cursor and the steps by which it produces records
 *
 *   alleria_accesses() ... > ap_cursor_fill_record_batches_0_at_end() >
 *   ap_cursor_decode_open_chunk() > ap_emit_...()
 *
 * ap_cursor_fill_record_batches_0_at_end() goes from chunk to chunk,
 * ap_cursor_decode_open_chunk() decodes the units (executions
 * of blocks, and events) of one chunk, ap_emit_...() append the records of a
 * unit that pass the filter.
 */
#ifndef LIBALLERIA_CURSOR_CURSOR_H
#define LIBALLERIA_CURSOR_CURSOR_H

#include "liballeria/cursor/data_event.h"
#include "liballeria/cursor/filter.h"
#include "liballeria/profile.h"
#include "profile/codec/codec.h"
#include "proto/shared/atomic.h"
#include "proto/unit.h"

enum {
	AP_BATCH = 1024, /* records in a batch; the last unit may add
			    ALLERIA_MAX_ACCESSES more */
	AP_KINDS = ALLERIA_EVENTS + 1,
};

/* Records of one kind; the first `returned` were returned to the caller. */
struct ap_batch {
	void *record;
	size_t n;
	size_t returned;
};

/* Position of a thread: the instruction that it executed last, by whose branch
   the next one was reached. */
struct ap_thread_position {
	const struct ap_block *block; /* NULL: the position is unknown, or the
					 thread has executed nothing yet
					 (is_new) */
	uint64_t number;	      /* number, in the whole profile, of the
					 instruction executed last */
	uint64_t next;		      /* address of the byte after that
					 instruction */
	uint16_t index;		      /* index of that instruction in `block` */
	uint8_t kind;		      /* enum alleria_branch_kind of the exit by
					 which the block was left */
	bool is_new;		      /* the thread has started and executed
					 nothing yet */
	bool in_signal;		      /* a signal is being delivered to the
					 thread */
};

/* Positions of all threads in the program's code, from which the records of
   executed branches (jumps, calls, returns) are made. Masks of threads are
   those of pf_thread_mask_bit_64_and_above_shared(). */
struct ap_thread_positions {
	struct ap_thread_position *position; /* [n] by thread number */
	uint32_t n;
	/* written in place of the positions of threads that are not in
	   `recomputed`; no record is made from it */
	struct ap_thread_position ignored;
	uint64_t unknown; /* mask of threads whose position is unknown
				  because chunks were skipped */
	/* valid if `unknown` has bit 63, which threads from 64 on share: index
	   of the first chunk that was not read for these threads */
	uint32_t shared_read_to;
	/* mask of the threads whose positions are being recomputed by decoding
	   skipped chunks; only these are updated. 0: all are updated */
	uint64_t recomputed;
};

/* Result of the filter's conditions on code for a block: the instructions that
   pass. */
struct ap_code_filter_result {
	uint8_t *instr; /* [n_code] whether an instruction passes; NULL: not
			   evaluated yet */
	bool any;
};

/* Pages of the code that passes the filter, in the blocks described so far. */
struct ap_passing_page_numbers {
	uint32_t *page; /* numbers of pages of 4 KiB, ascending */
	uint32_t n;
	uint32_t size;
	uint32_t *evaluated; /* [n_evaluated] by index of the stream: number of
				its blocks that were evaluated */
	uint32_t n_evaluated;
};

struct alleria_cursor {
	struct alleria_profile *profile;
	/* kinds of records that the cursor returns: OR of 1 << enum
	   alleria_what */
	unsigned kinds;
	struct ap_filter filter;
	char message[ALLERIA_MESSAGE];

	/* The next members are the position in the profile. */
	struct ap_stream *stream; /* NULL: before the first stream */
	bool emitted_begin; /* ALLERIA_IMAGE_BEGIN was emitted or skipped */
	bool emitted_end;   /* ALLERIA_IMAGE_END was emitted or skipped */
	/* ALLERIA_E_DAMAGED was returned because an image is missing */
	bool reported_loss;
	bool has_gap;	   /* records before the cursor are missing */
	uint64_t gap_size; /* [instructions] missing; 0: unknown */
	/* index of the next chunk to open, in stream->units */
	uint32_t chunk;
	/* position of chunk `chunk` in the stream if no chunk is missing before
	   it */
	uint64_t expected;
	struct ap_bounds seek; /* set by seeking: records before these
				     numbers do not pass */
	/* enum alleria_error that ap_cursor_fill_record_batches_0_at_end()
	   returns next; 0: none */
	int error;

	/* The next members belong to the open chunk. */
	struct pf_unpacker *unpacker;
	struct pf_coder *coder;
	uint64_t *words;   /* decoded units of the open chunk */
	size_t words_size; /* [bytes] allocated size of `words` */
	const struct pf_head *head;
	const uint32_t *base;
	size_t next_unit; /* [4 bytes] offset of the next unit from `base` */
	size_t end;
	uint64_t instruction; /* number, in the whole profile, of the next
				 instruction */
	uint64_t access;      /* number, in the whole profile, of the next
				 access */
	uint32_t thread;
	bool thread_passes;
	bool has_fault; /* an ALLERIA_FAULT event precedes the
				    next unit */
	/* address of the instruction that faulted; valid if has_fault */
	uint64_t fault_address;
	/* ranges of sequence numbers: an access or instruction of the open
	   chunk passes only if its number lies in them */
	struct ap_bounds bounds;
	bool is_within_bounds; /* the whole chunk lies within `bounds` */

	/* [bytes] length of the stream's log (descriptors of blocks and
	   mappings) that determines the mappings of the batch: the greatest
	   length at which a block was described that was executed since the
	   start of the image or the last seek */
	uint64_t log_offset;
	/* [bytes] length of the stream's log at the first change of the
	   mappings above log_offset; UINT64_MAX: none */
	uint64_t mappings_change;

	/* By route (a block and one of its exits): exits of the stream's
	   blocks, for the class of the current thread: threads with the same
	   thread filters (lib/recover/thread_filter.h). */
	const struct ap_exit **exit;
	uint32_t n_exits;
	unsigned class;
	struct ap_routes {
		const struct ap_exit **exit;
		uint32_t n_exits;
	} * class_routes; /* [thread_filters.n] by class of threads: its exits;
			     unused for the current class, whose exits are
			     `exit`. NULL: only one class was executed */
	/* [n_passes] result of the filter by block number; all zero: not
	   evaluated yet */
	struct ap_code_filter_result *passes;
	uint32_t n_passes;

	/* to skip chunks that execute nothing on these pages; used if the
	   filter has a condition on the object or the function */
	struct ap_passing_page_numbers pages;

	struct ap_thread_positions positions;

	struct ap_batch batch[AP_KINDS];
	struct alleria_access
		*instr_access; /* accesses to which records of instructions
				  point */
	size_t n_instr_accesses;
	ap_data_event_fn *data_listener; /* called for each event about data
					    objects; NULL: none */
	void *data_listener_arg;
	/* [4 bytes] by index in the batch of executions: offset of the
	   execution's slots (its recorded 8-byte values) from `base` */
	uint32_t *slots_offset;
};

/* One execution of a block, decoded from a unit. */
struct ap_execution {
	const struct ap_exit *exit;
	const uint32_t *slots;
	/* number of accesses that were performed: those whose guard was false
	   are not counted */
	unsigned n_accesses;
	const uint8_t *passes; /* [exit->n_instrs] whether an instruction
				  passes; NULL: all pass */
};

/* Whether the cursor returns records of kind @what. */
static inline bool ap_cursor_returns_kind(const struct alleria_cursor *c,
					  enum alleria_what what)
{
	return c->kinds & 1u << what;
}

/* Whether some batch, or the array of accesses of instructions, has AP_BATCH
   elements or more, so that decoding must stop until the records are
   returned. */
static inline bool ap_cursor_has_any_full_batch(const struct alleria_cursor *c)
{
	bool full = false;

	for (unsigned i = ALLERIA_ACCESSES; i <= ALLERIA_EVENTS; i++)
		full |= c->batch[i].n >= AP_BATCH;
	return full || c->n_instr_accesses >= AP_BATCH;
}

/* Whether any batch has records. */
static inline bool
ap_cursor_has_records_in_any_batch(const struct alleria_cursor *c)
{
	bool any = false;

	for (unsigned i = ALLERIA_ACCESSES; i <= ALLERIA_EVENTS; i++)
		any |= c->batch[i].n > 0;
	return any;
}

/* Open a cursor that returns several kinds of records. @kinds: OR of 1 << enum
   alleria_what. *@out: NULL on error. Return: as alleria_cursor_open(). Defined
   in cursor.c. */
int ap_cursor_open_for_kinds(struct alleria_profile *, unsigned kinds,
			     const struct alleria_filter *,
			     struct alleria_cursor **out);

/* Empty all batches and fill them with the next records, at least one. Return:
   1; 0 at the end of the profile; enum alleria_error. Defined in chunks.c. */
int ap_cursor_fill_record_batches_0_at_end(struct alleria_cursor *);

/* Load and decode the chunk with index @valid_chunk_index in the stream, after
   the descriptors before it, and make it the open chunk. Return: 0; -EBADMSG,
   -EPROTO: the chunk or its descriptors are damaged; -ENOMEM; another -errno of
   reading. */
int ap_cursor_load_decode_and_open_chunk(struct alleria_cursor *,
					 uint32_t valid_chunk_index);

/* Move the cursor before chunk @chunk_index of a stream, without reading;
   units.n means after the last chunk. The positions of threads become unknown.
   */
void ap_cursor_move_to_chunk(struct alleria_cursor *, struct ap_stream *,
			     uint32_t chunk_index);

/* Free what is cached for the blocks of the current stream: their exits (struct
   ap_exit), for all classes of threads (lib/recover/thread_filter.h), and the
   results of the filter. Defined in routes.c. */
void ap_routes_free_current_stream_caches(struct alleria_cursor *);

/* Free the exits of all thread classes that are cached for the blocks of the
   current stream; the results of the filter stay. Defined in routes.c. */
void ap_routes_free_current_stream_exits(struct alleria_cursor *);

/* Set c->class and c->exit to those of the current thread's class (threads that
   the same thread filters of windows record); the exits of the old class stay
   cached. Return: 0; -ENOMEM. */
int ap_exits_switch_to_thread_class(struct alleria_cursor *);

/* Store @text as the message that alleria_cursor_error() returns. Return:
   @error. */
int ap_cursor_set_message_return_error(struct alleria_cursor *, int error,
				       const char *text);

/* Decode units of the open chunk into the batches until the chunk ends, a batch
   is full, or the records so far must be returned before the next unit: at a
   thread switch, a change of the mappings or an event. Return: 0; -EPROTO: a
   unit contradicts its descriptor; another -errno. Defined in decode.c. */
int ap_cursor_decode_open_chunk(struct alleria_cursor *);

/* Append to their batch the records of an execution, or an event at the
   cursor's position, that pass the filter. Defined in emit.c. */
void ap_emit_passing_accesses(struct alleria_cursor *,
			      const struct ap_execution *);
void ap_emit_passing_instructions(struct alleria_cursor *,
				  const struct ap_execution *);
void ap_emit_execution_to_batch_if_passing(struct alleria_cursor *,
					   const struct ap_execution *);
void ap_emit_event_if_passing(struct alleria_cursor *, unsigned kind,
			      uint64_t value, uint64_t detail);

/* Emit the public events, if any, of a unit about data objects, and pass its
   content to the cursor's listener. @kind: at least PT_FIRST_EVENT. @words: its
   @n_words words of 8 bytes, as halves. Return: 0; -ENOMEM. Defined in
   data_event.c. */
int ap_cursor_emit_data_event(struct alleria_cursor *, unsigned kind,
			      uint32_t id, const uint32_t *words,
			      unsigned n_words);

/* Whether one of the accesses @first_access to @first_access + @access_count -
   1 is in the bounds. If @access_count is 0, the access before @first_access is
   checked instead. If @first_access is 0, too, access 0 is checked, but after a
   seek to an access the result is false. */
static inline bool ap_bounds_overlap_accesses(const struct ap_bounds *b,
					      uint64_t first_access,
					      unsigned access_count)
{
	uint64_t first = access_count == 0 && first_access > 0
				 ? first_access - 1
				 : first_access;

	if (access_count == 0 && first_access == 0 && b->sought_access)
		return false;
	return first < b->access_to &&
	       first + (access_count ? access_count : 1) > b->access_from;
}

/* Make records of those accesses of an execution that were performed.
   @first_access, @first_instruction: numbers of the execution's first access
   and instruction. @out: [exit->n_accesses] receives the records. Return:
   number of records. */
unsigned ap_fill_performed_accesses(const struct alleria_cursor *,
				    const struct ap_execution *,
				    uint64_t first_access,
				    uint64_t first_instruction,
				    struct alleria_access *out);

/* Return a pointer to the value in slot @slot of @slots; NULL if @slot is
   PT_NO_SLOT, or if @condition_slot is not PT_NO_SLOT and its slot holds 0. A
   slot has 8 bytes. */
static inline const uint8_t *ap_find_recorded_value(const uint32_t *slots,
						    unsigned slot,
						    unsigned condition_slot)
{
	if (slot == PT_NO_SLOT ||
	    (condition_slot != PT_NO_SLOT &&
	     !pt_read_shared_unaligned_u64_once(slots + 2 * condition_slot)))
		return NULL;
	return (const uint8_t *)(slots + 2 * slot);
}

/* If values were recorded for access @m, set the pointers of @a to those that
   it read and wrote. */
static inline void
ap_set_read_and_written_value_pointers(struct alleria_access *a,
				       const struct ap_static_access *m,
				       const uint32_t *slots)
{
	if (!(m->flags & ALLERIA_VALUE))
		return;
	if (m->kind != PT_STORE)
		a->read = ap_find_recorded_value(slots, m->value.read,
						 m->value.read_if);
	if (m->kind != PT_LOAD)
		a->written = ap_find_recorded_value(slots, m->value.written,
						    m->value.written_if);
}

/* Return how many accesses of an execution that left by this exit were
   performed, without those whose guard was false. @slots: slots of the
   execution, its recorded 8-byte values. */
unsigned ap_count_performed_accesses(const struct ap_exit *,
				     const uint32_t *slots);

/* Append the branches to and within an execution that pass the filter, and set
   the position of the current thread to the end of the execution. Return: 0;
   -ENOMEM; -EPROTO: thread number out of range. Defined in branches.c. */
int ap_emit_branches_update_position(struct alleria_cursor *,
				     const struct ap_execution *);

/* Set *@out to the position of a thread, or to `ignored` if positions of other
   threads are being recomputed. Return: 0; -ENOMEM; -EPROTO: thread number out
   of range. ap_position_mark_thread_as_just_started(), which sets that the
   thread has just started, and ap_position_mark_thread_as_in_signal(), which
   sets that a signal is delivered to it, return the same. Defined in
   thread_position.c. */
int ap_position_find_or_add_or_dummy(struct alleria_cursor *,
				     uint32_t thread_number,
				     struct ap_thread_position **out);
int ap_position_mark_thread_as_just_started(struct alleria_cursor *,
					    uint32_t thread_number);
int ap_position_mark_thread_as_in_signal(struct alleria_cursor *,
					 uint32_t thread_number);

/* Set the positions of all threads to unknown, because records are missing or
   the cursor moves to another chunk or stream. */
void ap_position_forget_all_threads(struct alleria_cursor *);

/* Set the positions of all threads that run in a chunk to unknown, because the
   chunk is skipped by its pages. These positions are then not recomputed. Only
   for threads from 64 on, ap_position_recompute_unknown_of_threads() may still
   do that. */
void ap_position_forget_chunk_threads(struct alleria_cursor *,
				      const struct pf_head *);

/* Record that the chunk with this head is skipped (NULL: all chunks before the
   cursor's next one), so that the positions of the threads that run in it are
   unknown and must be recomputed before they are used. */
void ap_position_set_unknown_in_skipped_chunk(struct alleria_cursor *,
					      const struct pf_head *);

/* For a cursor that returns branches, recompute the unknown positions of the
   threads that run in the next chunk, by decoding skipped chunks. After damage
   they stay unknown. Return: 0; -ENOMEM; another -errno of reading. */
int ap_position_recompute_unknown_of_threads(struct alleria_cursor *);
void ap_position_release(struct alleria_cursor *);

#endif
