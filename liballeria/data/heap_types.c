/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heap_types.c - infers the types of heap blocks; see heap_types.h */

#include "liballeria/data/heap_types.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/tables/key_table.h"
#include "base/text/block_type.h"
#include "liballeria/cursor/cursor.h"
#include "liballeria/data/site_paths.h"

/* Blocks of one kind of the sites with equal names, and their type. */
struct site_type {
	struct al_typed_blocks blocks;
	const char *name; /* of the type, interned in the profile; NULL: not
			     chosen yet */
	struct al_implied_type type;
};

struct ap_heap_types {
	pthread_mutex_t lock;
	bool is_inferred; /* the members below no longer change; after an error
			     `sites` is empty */
	struct ap_site_paths paths;
	struct al_key_table
		sites; /* keys made by make_key_of_site_path_and_kind() */
	struct site_type *type; /* [sites.n] */
	uint32_t types_size;
};

/* Votes that are counted while the executions are read. */
struct tally {
	const struct alleria_data_map *map;
	const struct ap_site_paths *paths;
	struct alleria_cursor *cursor;
	struct al_key_table types;  /* {address of interned name, size, hash
				      of members} */
	struct al_key_table blocks; /* addresses of the executed blocks */
	/* [blocks.n] types that the instructions of each block imply: [n_code]
	   number in `types` + 1, or 0; NULL: all are 0 */
	uint32_t **types_of_block;
	uint32_t n_types_of_block, types_of_block_size;
	struct al_key_table votes; /* key of the site with the number of the
				      type as its last word */
	/* [votes.n] by site and type: accesses to heap blocks of the site by
	   instructions that imply the type */
	uint64_t *n_accesses;
	uint32_t n_accesses_size;
};

/* Return the key of the heap blocks that have the kind of @o and a site with
   the same names. */
static struct al_key
make_key_of_site_path_and_kind(const struct ap_site_paths *paths,
			       const struct ap_image_data *d,
			       const struct ap_data_object *o)
{
	uint32_t path =
		o->site ? paths->path_of_site[d->first_site - 1 + o->site - 1]
			: AP_UNKNOWN_SITE_PATH;

	return (struct al_key){{path, o->kind, 0}};
}

/* ---- types that code implies ---- */

/* Return the structure that an instruction of block @b accesses; NULL: not
   known. */
static const struct an_type *
find_accessed_structure_of_instr(struct alleria_profile *p,
				 const struct ap_block *b, unsigned instr_index)
{
	const struct alleria_code *code = &b->pub.code[instr_index];
	const struct al_mapping *m = b->desc->mapping;
	const struct an_type *type = NULL;

	if (!m || code->address - m->start >= m->size)
		return NULL;
	pthread_mutex_lock(&p->lock);
	if (!p->symbols)
		p->symbols = al_symbols_new();
	if (p->symbols)
		type = al_symbols_find_accessed_structure(
			p->symbols,
			al_symbols_intern_or_question_marks(p->symbols,
							    m->path),
			code->address - m->bias);
	pthread_mutex_unlock(&p->lock);
	return type;
}

/* Store in *@number_plus_1 the number of the type that an instruction implies,
   plus 1; unchanged if it implies none. Return: 0; -ENOMEM. */
static int find_or_add_type_accessed_by_instr(struct tally *t,
					      const struct ap_block *b,
					      unsigned instr_index,
					      uint32_t *number_plus_1)
{
	struct alleria_profile *p = t->map->profile;
	const struct an_type *type =
		find_accessed_structure_of_instr(p, b, instr_index);
	const char *name =
		type ? ap_intern_or_question_marks(p, type->name) : NULL;
	struct al_key key;
	int64_t number;

	if (!name)
		return 0;
	key = (struct al_key){
		{(uintptr_t)name, type->size, type->members_hash}};
	number = al_key_table_find_or_add_index(&t->types, &key);
	if (number == AL_KEY_TABLE_NO_MEMORY)
		return -ENOMEM;
	*number_plus_1 = (uint32_t)number + 1;
	return 0;
}

/* Set *@types_by_instr_or_null to the types that the instructions of a block
   imply, for free(); NULL if they imply none. Return: 0; -ENOMEM. */
static int
alloc_structure_types_of_block_instrs(struct tally *t, const struct ap_block *b,
				      uint32_t **types_by_instr_or_null)
{
	uint32_t *types = calloc(b->pub.n_code, sizeof(*types));
	bool any = false;
	int err = types ? 0 : -ENOMEM;

	for (unsigned k = 0; !err && k < b->pub.n_accesses; k++) {
		unsigned i = b->pub.access[k].code;

		if (types[i] == 0)
			err = find_or_add_type_accessed_by_instr(t, b, i,
								 &types[i]);
		any |= types[i] != 0;
	}
	if (err || !any)
		free(types);
	*types_by_instr_or_null = err || !any ? NULL : types;
	return err;
}

/* Set *@out to the types that the instructions of a block imply; NULL: none.
   Return: 0; -ENOMEM. */
static int find_or_add_implied_types_of_block(struct tally *t,
					      const struct ap_block *b,
					      const uint32_t **out)
{
	uint32_t number;
	bool is_new;
	int err = al_array_reserve(t->types_of_block, t->types_of_block_size,
				   t->n_types_of_block + 1);

	if (!err)
		err = al_key_table_find_or_add_pair(&t->blocks, (uintptr_t)b, 0,
						    &number, &is_new);
	if (!err && is_new)
		err = alloc_structure_types_of_block_instrs(
			t, b, &t->types_of_block[t->n_types_of_block++]);
	if (!err)
		*out = t->types_of_block[number];
	return err;
}

/* ---- votes ---- */

static bool is_heap_or_pool_object(const struct ap_data_object *o)
{
	return o->kind == ALLERIA_DATA_HEAP || o->kind == ALLERIA_DATA_POOL;
}

/* Count an access to data object @o that implies type number @type_number;
   no-op if @o is neither on the heap nor in a pool. Return: 0; -ENOMEM. */
static int add_type_vote_if_heap_or_pool_object(struct tally *t,
						const struct ap_image_data *d,
						const struct ap_data_object *o,
						uint32_t type_number)
{
	struct al_key key = make_key_of_site_path_and_kind(t->paths, d, o);
	int64_t number;

	if (!is_heap_or_pool_object(o))
		return 0;
	key.word[2] = type_number;
	if (al_array_reserve_zeroed(t->n_accesses, t->n_accesses_size,
				    t->votes.n + 1))
		return -ENOMEM;
	number = al_key_table_find_or_add_index(&t->votes, &key);
	if (number == AL_KEY_TABLE_NO_MEMORY)
		return -ENOMEM;
	t->n_accesses[number]++;
	return 0;
}

/* Return the index of the block's instruction at @address: the first from
   @first_index on or, if there is none, the first one; @first_index if the
   block has no such instruction. */
static unsigned
find_instr_from_wrapping_or_first_index(const struct alleria_block *b,
					unsigned first_index, uint64_t address)
{
	for (unsigned i = 0; i < b->n_code; i++) {
		unsigned index = (first_index + i) % b->n_code;

		if (b->code[index].address == address)
			return index;
	}
	return first_index;
}

/* Count those accesses of an execution whose instructions imply a type.
   @type_plus_1_by_instr: [n_code] by instruction of the block, as in
   tally.types_of_block. Return: 0; -ENOMEM. */
static int add_votes_of_execution(struct tally *t,
				  const struct ap_image_data *d,
				  const struct alleria_execution *e,
				  const uint32_t *type_plus_1_by_instr)
{
	struct alleria_access access[ALLERIA_MAX_ACCESSES];
	long n = alleria_execution_accesses(t->cursor, e, access);
	unsigned i = 0;
	int err = 0;

	for (long k = 0; !err && k < n; k++) {
		const struct ap_lifetime *l;

		i = find_instr_from_wrapping_or_first_index(e->block, i,
							    access[k].code);
		l = type_plus_1_by_instr[i]
			    ? ap_image_data_find_live_lifetime(
				      d, access[k].address, access[k].number)
			    : NULL;
		if (l)
			err = add_type_vote_if_heap_or_pool_object(
				t, d, &d->lifetimes.object[l->object],
				type_plus_1_by_instr[i] - 1);
	}
	return err;
}

static int add_heap_type_votes_of_executions(struct tally *t,
					     const struct alleria_execution *e,
					     long execution_count)
{
	int err = 0;

	for (long i = 0; !err && i < execution_count; i++) {
		const struct ap_block *b = (const struct ap_block *)e[i].block;
		const struct ap_image_data *d =
			ap_data_map_find_image_of_stream(t->map, b->stream);
		const uint32_t *types = NULL;

		if (d)
			err = find_or_add_implied_types_of_block(t, b, &types);
		if (types)
			err = add_votes_of_execution(t, d, &e[i], types);
	}
	return err;
}

/* Read all executions of the profile and count the votes. Return: 0; -ENOMEM;
   enum alleria_error. */
static int count_heap_type_votes_of_profile(struct tally *t)
{
	const struct alleria_execution *executions;
	long n;
	int err = alleria_cursor_open(t->map->profile, ALLERIA_EXECUTIONS, NULL,
				      &t->cursor);

	if (err)
		return err;
	do {
		n = alleria_executions(t->cursor, &executions);
		err = add_heap_type_votes_of_executions(t, executions, n);
	} while (!err && (n > 0 || n == ALLERIA_E_DAMAGED));
	alleria_cursor_close(t->cursor);
	return err ? err : (int)n;
}

/* ---- types of sites ---- */

/* Return the key of the site that a vote is for. */
static struct al_key site_of_vote(const struct tally *t, uint32_t vote_number)
{
	struct al_key site = t->votes.key[vote_number];

	site.word[2] = 0;
	return site;
}

/* Add the site of each vote, without blocks and type. Return: 0; -ENOMEM. */
static int add_sites_of_votes(struct ap_heap_types *h, const struct tally *t)
{
	for (uint32_t i = 0; i < t->votes.n; i++) {
		struct al_key site = site_of_vote(t, i);

		if (al_array_reserve_zeroed(h->type, h->types_size,
					    h->sites.n + 1) ||
		    al_key_table_find_or_add_index(&h->sites, &site) ==
			    AL_KEY_TABLE_NO_MEMORY)
			return -ENOMEM;
	}
	return 0;
}

/* Add the heap blocks and elements of an image to those of their sites. */
static void
add_heap_blocks_of_image_to_voted_sites(struct ap_heap_types *h,
					const struct ap_image_data *d)
{
	for (uint32_t i = 0; i < d->lifetimes.n_objects; i++) {
		const struct ap_data_object *o = &d->lifetimes.object[i];
		struct al_key key =
			make_key_of_site_path_and_kind(&h->paths, d, o);
		int64_t number = is_heap_or_pool_object(o)
					 ? al_key_table_find_index_or_minus_1(
						   &h->sites, &key)
					 : -1;

		if (number >= 0)
			al_typed_blocks_add(&h->type[number].blocks, &o->sizes);
	}
}

/* Store the type of vote number @vote_number as that of its site if none is
   stored there, or if it precedes the one stored, or is equal to it and has a
   name that comes before. */
static void store_type_of_site_if_vote_ranks_higher(struct ap_heap_types *h,
						    const struct tally *t,
						    uint32_t vote_number)
{
	struct al_key site = site_of_vote(t, vote_number);
	const struct al_key *type =
		&t->types.key[t->votes.key[vote_number].word[2]];
	const char *name = (const char *)(uintptr_t)type->word[0];
	struct al_implied_type voted = {type->word[1],
					t->n_accesses[vote_number]};
	struct site_type *stored =
		&h->type[al_key_table_find_index_or_minus_1(&h->sites, &site)];
	int order = stored->name
			    ? al_compare_types_by_block_fit(
				      &stored->blocks, &voted, &stored->type)
			    : 1;

	if (order > 0 || (order == 0 && strcmp(name, stored->name) < 0)) {
		stored->name = name;
		stored->type = voted;
	}
}

/* Choose the type of each site from the votes. Return: 0; -ENOMEM. */
static int choose_types_of_voted_sites(struct ap_heap_types *h,
				       const struct tally *t)
{
	int err = add_sites_of_votes(h, t);

	if (err)
		return err;
	for (uint32_t i = 0; i < t->map->n_images; i++)
		add_heap_blocks_of_image_to_voted_sites(h, &t->map->image[i]);
	for (uint32_t i = 0; i < t->votes.n; i++)
		store_type_of_site_if_vote_ranks_higher(h, t, i);
	return 0;
}

static void release_tally(struct tally *t)
{
	for (uint32_t i = 0; i < t->n_types_of_block; i++)
		free(t->types_of_block[i]);
	free(t->types_of_block);
	free(t->n_accesses);
	al_key_table_release(&t->types);
	al_key_table_release(&t->blocks);
	al_key_table_release(&t->votes);
}

static void
infer_types_of_all_sites_from_accesses(struct ap_heap_types *h,
				       const struct alleria_data_map *m)
{
	struct tally t = {.map = m, .paths = &h->paths};
	int err = ap_site_call_paths_build(&h->paths, m);

	if (!err)
		err = count_heap_type_votes_of_profile(&t);
	if (!err)
		err = choose_types_of_voted_sites(h, &t);
	if (err) {
		ap_site_paths_release(&h->paths);
		al_key_table_release(&h->sites);
	}
	release_tally(&t);
}

/* ---- the map's types ---- */

struct ap_heap_types *ap_heap_types_new(void)
{
	struct ap_heap_types *h = calloc(1, sizeof(*h));

	if (h)
		pthread_mutex_init(&h->lock, NULL);
	return h;
}

void ap_heap_types_free(struct ap_heap_types *h)
{
	if (!h)
		return;
	pthread_mutex_destroy(&h->lock);
	ap_site_paths_release(&h->paths);
	al_key_table_release(&h->sites);
	free(h->type);
	free(h);
}

const char *ap_heap_types_find_or_empty(struct ap_heap_types *h,
					const struct alleria_data_map *m,
					const struct ap_image_data *d,
					const struct ap_data_object *o)
{
	struct al_key key;
	int64_t number = -1;

	pthread_mutex_lock(&h->lock);
	if (!h->is_inferred)
		infer_types_of_all_sites_from_accesses(h, m);
	h->is_inferred = true;
	if (h->paths.path_of_site) {
		key = make_key_of_site_path_and_kind(&h->paths, d, o);
		number = al_key_table_find_index_or_minus_1(&h->sites, &key);
	}
	pthread_mutex_unlock(&h->lock);
	return number < 0 ? "" : h->type[number].name;
}
