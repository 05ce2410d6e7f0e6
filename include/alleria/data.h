/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data.h - lists the data objects of a run, and finds that of an access
 *
 * A data object is a heap block, a variable of an object file, a thread's copy
 * of a thread-local variable, the stack of a thread, memory that was mapped, or
 * memory that the program names (a region). `alleria run --record=data` records
 * data objects. A program that prints the data object of each access:
 *
 *	struct alleria_data_map *map;
 *	struct alleria_data data;
 *	uint64_t id, offset;
 *	int err = alleria_data_open(profile, &map);
 *
 *	... for each access a:
 *	if (alleria_data_at(map, a->address, a->number, &id, &offset) > 0 &&
 *	    alleria_data_get(map, id, &data) == 0)
 *		printf("%s + %llu\n", data.name, (unsigned long long)offset);
 *
 *	alleria_data_close(map);
 *
 * The owner of an access is the data object that contains its first byte. If
 * several contain it, the owner is the first of: region, element (a block of a
 * pool, or of an allocator that --allocators names), thread-local variable,
 * heap block, variable, stack, mapped memory.
 */
#ifndef ALLERIA_DATA_H
#define ALLERIA_DATA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct alleria_profile;
struct alleria_data_map;
struct alleria_name;

enum alleria_data_kind {
	ALLERIA_DATA_UNKNOWN = 0, /* no data object has this kind */
	ALLERIA_DATA_HEAP = 1,	  /* also a block of an allocator that the user
				  names */
	ALLERIA_DATA_STATIC = 2,  /* a variable in the symbol table of an object
				    file */
	ALLERIA_DATA_STACK = 3, /* the memory that a thread's stack can have */
	ALLERIA_DATA_MAPPING = 4,   /* memory of mmap(), brk() or a file */
	ALLERIA_DATA_CODE = 5,	    /* executable memory */
	ALLERIA_DATA_ALLOCATOR = 6, /* memory that a function of an allocator
				       mapped, outside its blocks */
	ALLERIA_DATA_TLS = 7,	    /* a thread-local variable, of one thread */
	ALLERIA_DATA_POOL = 8,	    /* element of a pool */
	ALLERIA_DATA_REGION = 9,    /* memory that the program names by
				       ALLERIA_REGION() */
};

/*
 * A data object. The caller owns the structure; its strings are valid until
 * alleria_close().
 *
 * It owns the accesses from number born_access on and before died_access whose
 * first byte lies in it. A block that realloc() moves dies, and a data object
 * with the site of the old block is born; a block that realloc() resizes in
 * place stays one data object. mremap() has these effects on mapped memory.
 * Memory that is unmapped in part owns the accesses to the rest, and dies when
 * all of it is unmapped. Blocks and memory that a forked child inherits are
 * born in the child at its first instruction.
 */
struct alleria_data {
	uint64_t id;		   /* number in the profile, from 1 */
	uint64_t address;	   /* address of its first byte */
	uint64_t size;		   /* [bytes]; the greatest it had */
	uint64_t born_instruction; /* number of the next instruction when it was
				      born */
	uint64_t died_instruction; /* number of the next instruction when it
				      died; ALLERIA_NOT: it lived at the end of
				      its image */
	uint64_t born_access;	   /* number of the next access when it was
				      born */
	uint64_t died_access;	   /* number of the next access when it died;
				      ALLERIA_NOT: it lived at the end of its
				      image */
	const char *name;	   /* a heap block's: innermost function of its
				   site, or "???"; a variable's: its symbol; a
				   stack's: "stack of thread N"; a mapping's or
				   code's: path of its file, "[heap]" if brk()
				   added it, else "[anon]"; an allocator's: its
				   function, or "???"; a region's: the name that
				   the program gave it */
	const char *object;	   /* path of the object file of a variable,
				   thread-local or not, or of an allocator's
				   function; else "" */
	uint32_t kind;		   /* enum alleria_data_kind */
	uint32_t process;	   /* number of the process that the data object
				      is in, as for alleria_process() */
	uint32_t image;	  /* number of the image that the data object is in,
			     from 0 in its process */
	uint32_t thread;  /* number of the thread that allocated the block,
			     mapped the memory, or owns the stack or the
			     thread-local variable; 0: for a region or a
			     variable that is not thread-local */
	uint32_t site;	  /* number of the site of a heap block or of mapped
				   memory, from 1; 0: unknown or none */
	uint32_t pad;	  /* reserved */
	uint64_t room[4]; /* reserved */
};

/**
 * alleria_data_open() - Read the births and deaths of all data objects.
 * @out: receives the map, for alleria_data_close(); NULL on error.
 *
 * Reads the blocks of the file that hold events. Events in damaged blocks are
 * left out. The map describes the profile as it is now, and must be closed
 * before alleria_refresh() and alleria_close(). Any number of threads may use
 * it at once.
 *
 * Return: 0; ALLERIA_E_UNRECORDED: the profile has no data objects;
 *         ALLERIA_E_MEMORY; another enum alleria_error.
 */
int alleria_data_open(struct alleria_profile *, struct alleria_data_map **out);
void alleria_data_close(struct alleria_data_map *); /* does nothing for NULL */

/* Return the number of data objects. Their ids are 1 to this number, in order
   of process and image, then of birth. */
uint64_t alleria_data_count(const struct alleria_data_map *);

/* Describe data object @id. Return: 0; ALLERIA_E_RANGE: there is none. */
int alleria_data_get(const struct alleria_data_map *, uint64_t id,
		     struct alleria_data *out);

/* Return the type of data object @id, such as "struct node": of a variable, the
   type of its declaration; of a heap block or an element of a pool, a structure
   that accesses imply: preferably one of the block's size, else the one, not
   larger if possible, that most accesses imply, counted over all blocks whose
   sites have equal functions, files, lines and objects in all frames. An access
   implies a structure if a register of its address holds a variable that points
   to the structure. Types are read from the debug information of the object
   files, which may take seconds; the first call for a block reads all
   executions of the profile. Return "" if the type is unknown, the addresses of
   accesses were not recorded, memory is short, or @id is of another kind. Valid
   until alleria_close(). */
const char *alleria_data_type(const struct alleria_data_map *, uint64_t id);

/**
 * alleria_data_at() - Find the data object of an access.
 * @address: of the first byte of the access.
 * @access: number of the access.
 * @id: receives the id, or 0.
 * @offset: receives @address minus the address of the data object, or 0.
 *
 * Return: 1; 0: the access belongs to no known data object; ALLERIA_E_RANGE: no
 *         such access. Takes O(log^2 n) time for n data objects.
 */
int alleria_data_at(const struct alleria_data_map *, uint64_t address,
		    uint64_t access, uint64_t *id, uint64_t *offset);

/* Return how many sites, that is call stacks that allocated or mapped memory,
   the map has. Sites are numbered from 1 to this count, inclusive. */
uint32_t alleria_site_count(const struct alleria_data_map *);

/**
 * alleria_site_frames() - Name the functions of an allocation's call stack.
 * @site: number.
 * @frame: [@max] receives the callers of the allocator's function, the
 *         innermost first, with the file and line of the call.
 *
 * Return: number of frames, also if it is more than @max; ALLERIA_E_RANGE: no
 *         such site; _DAMAGED, _MEMORY.
 */
long alleria_site_frames(const struct alleria_data_map *, uint32_t site,
			 uint32_t max, struct alleria_name *frame);

#ifdef __cplusplus
}
#endif

#endif
