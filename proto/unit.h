/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - the units that fill a chunk of the ring
 *
 * A chunk is a sequence of units, aligned to 4 bytes. A unit has a header of 32
 * bits. One byte of it is the unit's length in 4 bytes, so a reader finds the
 * next unit, and skips unknown kinds, without a table:
 *
 *   31                     8 7      0
 *   rrrrrrrrrrrrrrrrrrrrrrrr llllllll       block unit:   the length is odd
 *   kkkkkkkkkkkkkkkkkkkkkkkk llllllll       control unit: the length is even
 *
 *   l  length of the unit [4 bytes], header included
 *   r  route: a block together with the exit that was taken; see struct
 *      pt_log_block
 *   k  enum pt_kind
 *
 * A block unit is one execution of a block: its header, then 8 bytes for each
 * slot that the block needs up to the exit, in order of first use. Its
 * length is 4 + 8 * slots. An access happened at slot value + its delta.
 *
 * A control unit, except PT_CUT, is its header, 32 bits of id, and words of 8
 * bytes. Its length is 8 + 8 * words. No header is 0.
 */
#ifndef PROTO_UNIT_H
#define PROTO_UNIT_H

#include <stdbool.h>
#include <stdint.h>

enum pt_kind {
	PT_CHUNK = 1,  /* first unit of a chunk; id: low 32 bits of its number;
			  one word: [bytes] of the chunk that are committed,
			  this unit included */
	PT_CUT = 2,    /* a block stopped by a fault: header, slots, 32 bits of
			  block id, then a word: see
			  pt_encode_block_cut_position() */
	PT_THREAD = 3, /* id: number of the thread that runs from here on */
	PT_THREAD_START = 4, /* id: number of the new thread, from 1 */
	PT_THREAD_END = 5,   /* id: number of the thread that ended */
	PT_SIGNAL = 6,	     /* id: signal delivered to the running thread, or
				that ends the process */
	PT_CHILD_EXIT = 7,   /* id: process waited for; a word: wait status */
	PT_WINDOW_OPEN = 8,  /* id: window of the plan (window.h) that opened */
	PT_WINDOW_CLOSE = 9, /* id: window that closed */
	/* id: processor that the program runs on from here on; sampled when
	   generated code is entered */
	PT_CORE = 10,
	/* memory was written, but not by an access of the program; id: enum
	   pt_writer; words: address, size [bytes] */
	PT_WRITTEN = 11,
	/* a named mark of any kind (enum pt_named), set by the program or from
	   outside; id: number of its name, which is in the log (struct
	   pt_log_named) */
	PT_MARK = 12,
	/* a window with a warm-up (instructions simulated before it records)
	   begins to record here: it opens, or a sample or interval of it
	   begins; id: the window; a word: number of instructions that the
	   process has executed */
	PT_WINDOW_RECORDS = 13,
	/*
	 * Events with words. An analysis receives all kinds from here on, those
	 * of later versions too, with their words (struct an_stream_event).
	 *
	 * PT_SITE: call stack of allocations; id: its number, from 1; words:
	 * [bytes] of the log that precede the unit, address of the allocator's
	 * function, or of the instruction after a client request or after a
	 * system call that maps memory, then return addresses, the innermost
	 * first.
	 */
	PT_SITE = 14,
	/* a heap block was allocated; id: number of its PT_SITE, or 0; words:
	   address, size [bytes]; for calloc() and its like also [bytes] of an
	   element */
	PT_BORN = 15,
	PT_DIED = 16, /* a heap block was freed; id: 0; word: address */
	/* a heap block was resized; id: number of a PT_SITE, or 0; words: old
	   address, new address, new [bytes] */
	PT_RESIZED = 17,
	/* id: thread; words: lowest address and [bytes] that its stack can
	   have; 0 bytes: the stack ends */
	PT_STACK = 18,
	/* an object file was mapped; id: its number; words: start and [bytes]
	   of its code, then its path, with zeros up to the end of a word */
	PT_MAPPED = 19,
	PT_UNMAPPED = 20, /* an object file was unmapped, which ends its
			     variables; id: number of its PT_MAPPED */
	/* a variable of an object file; id: number of the PT_MAPPED; words:
	   address, size [bytes], then the variable's name, with zeros up to the
	   end of a word */
	PT_VARIABLE = 21,
	/* memory was mapped, in place of all that was mapped there; id: number
	   of the PT_SITE that caused it, or 0; words: address, size [bytes],
	   enum pt_memory, address in the mapping that it extends or 0, then the
	   path of its file, "[heap]" if brk() added it, or nothing */
	PT_MEMORY = 22,
	PT_MEMORY_UNMAPPED = 23, /* id: 0; words: address, size [bytes] */
	/* mapped memory was moved, as one mapping; id: 0; words: old address,
	   new address, size [bytes] */
	PT_MEMORY_MOVED = 24,
	/* an object file has functions that allocate or free heap blocks; id:
	   number of the PT_MAPPED; word: number of these functions; 0 if
	   --allocators=none omits the standard ones and it has no others */
	PT_ALLOCATORS = 25,
	/* an element was allocated: a block of an allocator that the user names
	   (allocator.h), or of a pool that the program announces by client
	   requests of Valgrind. It can lie in a heap block, and ends with this
	   one, or when its memory is unmapped. id: number of its PT_SITE, or 0;
	   words: address, size [bytes], size of each part [bytes] if it is an
	   array, else 0, then 1 if it is of a pool, else 0 */
	PT_ELEMENT_BORN = 26,
	/* an element was freed or, if no element begins at the address, the
	   heap block there; id: 0; word: address */
	PT_ELEMENT_DIED = 27,
	/* an element was resized, or a heap block; as PT_RESIZED */
	PT_ELEMENT_RESIZED = 28,
	/* a thread-local variable of an object file; id: number of the
	   PT_MAPPED; words: address, size [bytes], thread, offset [bytes] in
	   the file's thread-local segment (PT_TLS), then the variable's name,
	   with zeros up to the end of a word. It ends when its memory is
	   unmapped, when the heap block that contains it begins or ends, or
	   when another thread-local variable begins there. */
	PT_THREAD_VARIABLE = 29,
	/* a thread ended, which ends its thread-local variables; id: the
	   thread; words: lowest address of these variables, [bytes] */
	PT_THREAD_VARIABLES_END = 30,
	/* an allocator function that the user names (allocator.h); id: its
	   number, from 1; words: 1 if an object file that was mapped has it,
	   else 0, then its name, and " [image]" if only that object file is
	   searched, as the path of PT_MAPPED. A later unit with the same number
	   replaces it. */
	PT_NAMED_ALLOCATOR = 31,
	/* the program named memory by ALLERIA_REGION(), in place of the parts
	   of other regions there; id: 0; words: address, size [bytes] or 0: the
	   region, or unbroken part of one, that contains the address ended,
	   then the name, with zeros up to the end of a word. Memory also leaves
	   a region when it is mapped or unmapped, or when a heap block that
	   contains it begins or ends. */
	PT_REGION = 32,
	PT_KINDS
};

/* Properties of mapped memory. */
enum pt_memory {
	PT_MEMORY_READABLE = 1u << 0,
	PT_MEMORY_WRITABLE = 1u << 1,
	PT_MEMORY_EXECUTABLE = 1u << 2,
	PT_MEMORY_OF_ALLOCATOR = 1u << 3, /* an allocator function has mapped
					     the memory; the PT_MEMORY unit's id
					     is the site of the call of that
					     function */
	PT_MEMORY_OF_BRK = 1u << 4,	  /* brk() added the memory */
};

/* Causes of memory writes that are not accesses of the program. */
enum pt_writer {
	PT_BY_SYSTEM_CALL = 1,
	PT_BY_SIGNAL = 2,  /* the kernel wrote the stack frame of a signal
			      handler */
	PT_BY_MAPPING = 3, /* memory was mapped at the address, or moved
			      there */
	PT_BY_VALGRIND = 4,
};

enum {
	PT_MAX_INSTRS = 1 << 10, /* greatest number of instructions of a
				    block */
	PT_MAX_ACCESSES = 1 << 10,
	PT_MAX_EXITS = 1 << 10,
	PT_MAX_SLOTS = 120,
	PT_MAX_UNIT = 1 << 10, /* [bytes] longest unit */
	PT_MAX_ROUTES = 1 << 24,
	PT_CHUNK_HEAD = 16,	  /* size of the PT_CHUNK unit [bytes] */
	PT_FIRST_EVENT = PT_SITE, /* first kind of the events with words */
	PT_LENGTH = 0xff,	  /* mask of the length [4 bytes] in a unit's
				     header */
};

/* Slot value of a guarded access that did not happen. */
#define PT_NOT_DONE UINT64_MAX

/* Return the length of a block unit with @slot_count slots. [bytes] */
static inline unsigned pt_block_unit_bytes(unsigned slot_count)
{
	return 4 + 8 * slot_count;
}

static inline uint32_t pt_encode_block_unit_header(uint32_t route,
						   unsigned unit_bytes)
{
	return route << 8 | unit_bytes / 4;
}

static inline uint32_t pt_encode_control_unit_header(enum pt_kind kind,
						     unsigned unit_bytes)
{
	return (uint32_t)kind << 8 | unit_bytes / 4;
}

/* Return the first 8 bytes of a control unit as one word: the header in the low
   32 bits, @id in the high 32 bits. @unit_bytes: length of the unit. */
static inline uint64_t
pt_control_unit_first_word(enum pt_kind kind, uint32_t id, unsigned unit_bytes)
{
	return (uint64_t)id << 32 |
	       pt_encode_control_unit_header(kind, unit_bytes);
}

/* Return the length of a unit. [4 bytes] */
static inline unsigned pt_unit_length_in_u32s(uint32_t unit_header)
{
	return unit_header & PT_LENGTH;
}

/* Return the length of a unit. [bytes] */
static inline unsigned pt_unit_length_in_bytes(uint32_t unit_header)
{
	return 4 * pt_unit_length_in_u32s(unit_header);
}

static inline bool pt_unit_is_block(uint32_t unit_header)
{
	return unit_header & 1;
}

static inline uint32_t pt_block_unit_route(uint32_t unit_header)
{
	return unit_header >> 8;
}

/* Return the enum pt_kind of a control unit. */
static inline unsigned pt_control_unit_kind(uint32_t unit_header)
{
	return unit_header >> 8;
}

/*
 * Return the last word of a PT_CUT unit, which encodes how far the block was
 * executed. @accesses_done: number of accesses that were made. @instrs_begun:
 * number of instructions that were begun. @is_modify_load_done: the next access
 * is a modify whose load was made, but not its store.
 */
static inline uint64_t pt_encode_block_cut_position(unsigned accesses_done,
						    unsigned instrs_begun,
						    bool is_modify_load_done)
{
	return (uint64_t)is_modify_load_done << 63 |
	       (uint64_t)instrs_begun << 32 | accesses_done;
}

static inline uint32_t pt_decode_cut_accesses_done(uint64_t position_word)
{
	return (uint32_t)position_word;
}

static inline uint32_t pt_decode_cut_instrs_begun(uint64_t position_word)
{
	return (uint32_t)(position_word >> 32) & 0x7fffffff;
}

static inline bool pt_decode_cut_modify_load_done(uint64_t position_word)
{
	return position_word >> 63;
}

#endif
