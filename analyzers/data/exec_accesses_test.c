/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_accesses_test.c - compares the counts of random accesses to random data
 *                        objects with counts that are made one by one
 *
 * Heap blocks of fixed places are allocated and freed, with elements in some of
 * them, and blocks of code access them. The model has no caches and counts each
 * access when it happens. It compares data objects, their fields, and the
 * accesses from before the type of a long element was known.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/cursor.h"
#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum {
	PLACES = 12, /* of heap blocks; a site allocates the blocks of two */
	SITES = PLACES / 2,
	ELEMENT_SITE = SITES + 1,
	MAPPED = SITES + 2, /* key of the memory below the heap blocks */
	CODES = 24,
	MAX_ACCESSES = 6,
	EXECS = 200, /* in a batch */
	BATCHES = 150,
	WORDS = 2 * MAX_ACCESSES + 1, /* of an execution */
	MAX_EVENTS = EXECS,
	MAX_GROUPS = 1 << 14,
	LONGEST = 64, /* size of an access [bytes] */
	PART = 4999,  /* [bytes] size of an element of the last places' blocks
			 */
};

/* A place's blocks all have its size. Those of the second half are long: the
   elements of three of them can be divided by one of `types`. */
static const struct {
	uint64_t start, size;
} place[PLACES] = {
	{0x100000, 24},	    {0x100018, 24},	{0x100040, 200},
	{0x100108, 200},    {0x101000, 4096},	{0x102000, 4096},
	{0x110000, 6400},   {0x118010, 6400},	{0x130000, 320000},
	{0x17e200, 320000}, {0x1d0000, 119976}, {0x1f0000, 119976},
};

static const struct an_type types[] = {{.name = "thing", .size = 64},
				       {.name = "other", .size = 64},
				       {.name = "odd", .size = 7777}};

/* ---- code ---- */

struct code {
	struct an_block block;
	struct pt_access access[MAX_ACCESSES];
	struct pt_exit exit[2];
	struct an_path_plan *plan;
	const struct an_type *type[MAX_ACCESSES];
};

static struct code code[CODES];
static struct an_plan plan[CODES];
static bool types_are_known; /* else no instruction implies a type */

static const struct an_type *type_of_instr(void *host, const struct an_block *b,
					   unsigned instr)
{
	(void)host;
	return types_are_known ? code[b->id].type[instr] : NULL;
}

/* Return an address in or near one of the places. */
static uint64_t random_address(void)
{
	unsigned p = (unsigned)random_below(PLACES);
	uint64_t offset = random_below(place[p].size + 32);

	return place[p].start - 16 +
	       (random_below(2) ? offset : random_below(64));
}

static void make_access(struct pt_access *a, unsigned number)
{
	*a = (struct pt_access){
		.instr = (uint16_t)number,
		.slot = (uint16_t)random_below(4),
		.size = (uint16_t)(1 + random_below(LONGEST)),
		.kind = (uint8_t)random_below(3),
		.delta = random_below(64) - 32,
		.flags = random_below(3) ? 0 : PT_GUARDED,
	};
	if (a->slot == 3) {
		a->slot = PT_NO_SLOT;
		a->flags = 0;
		a->delta = random_address();
	}
}

static void make_code(void)
{
	for (unsigned i = 0; i < CODES; i++) {
		struct code *c = &code[i];
		unsigned n = 1 + (unsigned)random_below(MAX_ACCESSES);

		for (unsigned k = 0; k < n; k++) {
			make_access(&c->access[k], k);
			c->type[k] = random_below(60) ? NULL
						      : &types[random_below(3)];
		}
		c->exit[0].n_accesses = (uint16_t)random_below(n + 1);
		c->exit[1].n_accesses = (uint16_t)n;
		c->block = (struct an_block){.id = i,
					     .n_instrs = (uint16_t)n,
					     .n_accesses = (uint16_t)n,
					     .n_exits = 2,
					     .n_slots = 3,
					     .access = c->access,
					     .exit = c->exit};
		free(c->plan);
		c->plan = calloc(1, sizeof(*c->plan));
		c->plan->block = &c->block;
		plan[i].data = c->plan;
	}
}

/* ---- model ---- */

struct cells {
	uint64_t reads[AN_MAX_EXACT_ELEMENT], writes[AN_MAX_EXACT_ELEMENT],
		misses[AN_MAX_EXACT_ELEMENT];
};

/* Counts of a group of data objects. */
struct expected {
	uint64_t element; /* [bytes]; 0: it is not divided */
	uint64_t reads, writes, read_bytes, written_bytes, misses;
	uint64_t rest_reads, rest_writes, rest_misses;
	bool has_type;
	struct cells *cells;
};

/* By key: site; with single blocks, site << 10 | number of the block. */
static struct expected expected[MAX_GROUPS];
static bool has_single_blocks, counts_accesses, counts_fields;

/* Data object that contains an address. */
struct object {
	uint64_t start, size; /* size 0: it does not exist */
	unsigned key;
};

static struct object block_at[PLACES], element_in[PLACES];
static unsigned n_births[MAPPED];

static struct object find_object(uint64_t addr)
{
	struct object mapped = {.start = 0, .size = 0x300000, .key = MAPPED};

	for (unsigned i = 0; i < PLACES; i++)
		if (addr - element_in[i].start < element_in[i].size)
			return element_in[i];
	for (unsigned i = 0; i < PLACES; i++)
		if (addr - block_at[i].start < block_at[i].size)
			return block_at[i];
	if (addr - mapped.start >= mapped.size)
		mapped.key = 0;
	return mapped;
}

static unsigned key_of_birth(unsigned site, uint64_t size)
{
	unsigned number = has_single_blocks ? ++n_births[site] : 0;
	unsigned key = site << 10 | number;

	if (counts_fields && !expected[key].has_type)
		expected[key].element = size;
	return key;
}

/* Return the cell of an offset in an object of @x. */
static uint64_t cell_of_offset(const struct expected *x, uint64_t offset)
{
	uint64_t bytes = 1;

	if (x->element > AN_MAX_EXACT_ELEMENT)
		bytes = ((x->element - 1) / AN_MAX_CELLS + 8) / 8 * 8;
	return offset % x->element / bytes;
}

static struct cells *cells_of(struct expected *x)
{
	if (x->cells == NULL)
		x->cells = calloc(1, sizeof(*x->cells));
	return x->cells;
}

/* Divide the elements of @x by @type, if that is possible. */
static void model_type(struct expected *x, const struct an_type *type)
{
	if (type == NULL || x->has_type || x->element <= AN_MAX_EXACT_ELEMENT ||
	    x->element % type->size != 0)
		return;
	for (unsigned i = 0; i < AN_MAX_EXACT_ELEMENT; i++) {
		x->rest_reads += cells_of(x)->reads[i];
		x->rest_writes += cells_of(x)->writes[i];
		x->rest_misses += cells_of(x)->misses[i];
	}
	memset(cells_of(x), 0, sizeof(struct cells));
	x->element = type->size;
	x->has_type = true;
}

static void model_access(const struct pt_access *a, uint64_t addr)
{
	struct object o = find_object(addr);
	struct expected *x = &expected[o.key];
	unsigned reads = a->kind != PT_STORE, writes = a->kind != PT_LOAD;
	uint64_t cell;

	x->reads += reads;
	x->writes += writes;
	x->read_bytes += reads * a->size;
	x->written_bytes += writes * a->size;
	if (x->element == 0)
		return;
	cell = cell_of_offset(x, addr - o.start);
	cells_of(x)->reads[cell] += reads;
	cells_of(x)->writes[cell] += writes;
}

/* Set @addr_out to the address of an access with slot values @value. Return:
   false if it does not happen. */
static bool find_address(const struct pt_access *a, const uint64_t *value,
			 uint64_t *addr_out)
{
	uint64_t base = a->slot == PT_NO_SLOT ? 0 : value[a->slot];

	*addr_out = base + a->delta;
	return !(a->flags & PT_GUARDED) || base != PT_NOT_DONE;
}

/* Count the first @n accesses of an execution of @c. All of them are of the
   type that any of them implies. */
static void model_exec(const struct code *c, unsigned n, const uint64_t *value)
{
	for (unsigned i = 0; i < n && types_are_known; i++) {
		uint64_t addr;

		if (find_address(&c->access[i], value, &addr))
			model_type(&expected[find_object(addr).key],
				   c->type[i]);
	}
	for (unsigned i = 0; i < n; i++) {
		uint64_t addr;

		if (find_address(&c->access[i], value, &addr))
			model_access(&c->access[i], addr);
	}
}

static void model_miss(const struct code *c, unsigned access, uint64_t addr)
{
	struct object o = find_object(addr);
	struct expected *x = &expected[o.key];

	if (types_are_known)
		model_type(x, c->type[access]);
	x->misses++;
	if (x->element != 0)
		cells_of(x)->misses[cell_of_offset(x, addr - o.start)]++;
}

/* ---- stream ---- */

/* A batch with its events and misses. */
static struct {
	struct an_exec exec[EXECS];
	uint32_t slots[EXECS * WORDS];
	struct an_stream_event event[MAX_EVENTS];
	uint64_t word[4 * MAX_EVENTS];
	struct an_miss miss[EXECS * MAX_ACCESSES];
	size_t n_events, n_misses;
} batch;

static void append_event(unsigned exec, uint32_t kind, uint32_t id,
			 uint64_t address, uint64_t size, uint64_t element)
{
	size_t first = 4 * batch.n_events;

	batch.word[first] = address;
	batch.word[first + 1] = size;
	batch.word[first + 2] = element;
	batch.event[batch.n_events++] =
		(struct an_stream_event){.before_exec = exec,
					 .kind = kind,
					 .id = id,
					 .n_words = 3,
					 .first_word = first};
}

/* Allocate or free the block of place @p, or an element in it. */
static void append_random_event(unsigned exec, unsigned p)
{
	struct object *b = &block_at[p], *e = &element_in[p];
	unsigned site = p / 2 + 1;
	uint64_t element = p >= PLACES - 2 ? PART : place[p].size;

	if (b->size == 0) {
		*b = (struct object){place[p].start, place[p].size,
				     key_of_birth(site, element)};
		append_event(exec, PT_BORN, site, b->start, b->size, element);
	} else if (e->size == 0 && random_below(3) == 0) {
		*e = (struct object){b->start + 8, 16,
				     key_of_birth(ELEMENT_SITE, 16)};
		append_event(exec, PT_ELEMENT_BORN, ELEMENT_SITE, e->start, 16,
			     16);
	} else if (e->size != 0 && random_below(2) == 0) {
		append_event(exec, PT_ELEMENT_DIED, 0, e->start, 0, 0);
		e->size = 0;
	} else {
		append_event(exec, PT_DIED, 0, b->start, 0, 0);
		b->size = e->size = 0;
	}
}

/* Append random misses of the first @n accesses of execution @exec. */
static void append_misses(struct an_exec exec, unsigned n,
			  const uint64_t *value)
{
	const struct code *c = &code[exec.block];

	for (unsigned i = 0; i < n; i++) {
		uint64_t addr;

		if (!find_address(&c->access[i], value, &addr) ||
		    random_below(6) != 0)
			continue;
		batch.miss[batch.n_misses++] = (struct an_miss){
			.block = exec.block,
			.row = (uint16_t)i,
			.program_order = an_program_order_key(exec, i),
		};
		model_miss(c, i, addr);
	}
}

/* Append execution number @number of a block, of which @value has the values of
   slots. */
static void append_exec(unsigned number, unsigned block, const uint64_t *value)
{
	const struct code *c = &code[block];
	unsigned exit = (unsigned)random_below(2);
	uint32_t offset = number * WORDS + 1;

	batch.exec[number] = an_exec(block, exit, offset);
	memcpy(&batch.slots[offset], value, 3 * sizeof(*value));
	if (counts_accesses)
		model_exec(c, c->exit[exit].n_accesses, value);
	append_misses(batch.exec[number], c->exit[exit].n_accesses, value);
}

/* Make a batch, in which most blocks are executed several times with addresses
   that differ little. */
static void make_batch(void)
{
	uint64_t value[3] = {0};
	unsigned block = 0;

	batch.n_events = batch.n_misses = 0;
	for (unsigned i = 0; i < EXECS; i++) {
		if (random_below(8) == 0)
			append_random_event(i, (unsigned)random_below(PLACES));
		if (random_below(4) == 0)
			block = (unsigned)random_below(CODES);
		for (unsigned k = 0; k < 3; k++)
			value[k] = random_below(6) == 0
					   ? random_address()
					   : value[k] + 8 * random_below(3);
		for (unsigned k = 0; k < 3; k++)
			if (random_below(8) == 0)
				value[k] = PT_NOT_DONE;
		append_exec(i, block, value);
	}
}

/* Let block @block have one access, which implies @type, to the address in slot
   0. */
static void set_single_access(unsigned block, const struct an_type *type)
{
	struct code *c = &code[block];

	c->access[0] = (struct pt_access){.size = 1, .kind = PT_LOAD};
	c->type[0] = type;
	c->block.n_accesses = c->block.n_instrs = 1;
	c->exit[0].n_accesses = c->exit[1].n_accesses = 1;
}

/* Make a batch in which a type divides a block while an element covers the
   beginning of the part that another access knows. */
static void make_batch_divided_while_suspended(void)
{
	const uint64_t start = place[8].start;

	set_single_access(0, NULL);
	set_single_access(1, &types[0]);
	batch.n_events = batch.n_misses = 0;
	block_at[8] = (struct object){start, place[8].size,
				      key_of_birth(5, place[8].size)};
	append_event(0, PT_BORN, 5, start, place[8].size, place[8].size);
	append_exec(0, 0, (const uint64_t[]){start + 1000, 0, 0});
	append_event(1, PT_ELEMENT_BORN, ELEMENT_SITE, start + 8, 16, 16);
	element_in[8] =
		(struct object){start + 8, 16, key_of_birth(ELEMENT_SITE, 16)};
	append_exec(1, 1, (const uint64_t[]){start + 2000, 0, 0});
	append_event(2, PT_ELEMENT_DIED, 0, start + 8, 0, 0);
	element_in[8].size = 0;
	append_exec(2, 1, (const uint64_t[]){start + 4, 0, 0});
	for (unsigned i = 3; i < EXECS; i++)
		append_exec(i, 0, (const uint64_t[]){start + 1001, 0, 0});
}

static void run_batch(struct an_data_cursor *cursor)
{
	const struct an_batch b = {
		.exec = batch.exec,
		.n_execs = EXECS,
		.slots = batch.slots,
		.event = batch.event,
		.n_events = batch.n_events,
		.event_word = batch.word,
	};

	an_data_cursor_begin_batch(cursor, &b, plan);
	for (size_t i = 0; i < batch.n_misses; i++)
		an_data_cursor_count_miss_of_data_object(cursor, &batch.miss[i],
							 1);
	an_data_cursor_end_batch(cursor);
}

/* Add the sites, and memory that contains the blocks. */
static void begin_stream(struct an_owners *owners)
{
	const struct an_batch b = {.event_word = batch.word};
	const uint64_t memory[] = {0, 0x300000, PT_MEMORY_WRITABLE, 0};

	batch.n_events = 0;
	for (unsigned i = 1; i <= ELEMENT_SITE; i++) {
		append_event(0, PT_SITE, i, 0, 0x1000 * i, 0x2000);
		an_owners_apply_event(owners, &b, &batch.event[i - 1]);
	}
	append_event(0, PT_MEMORY, 0, 0, 0, 0);
	memcpy(&batch.word[4 * ELEMENT_SITE], memory, sizeof(memory));
	batch.event[ELEMENT_SITE].n_words = 4;
	an_owners_apply_event(owners, &b, &batch.event[ELEMENT_SITE]);
}

/* ---- comparison ---- */

/* Add up the cells of a group, in the order of their offsets, weighted by their
   number. */
static void add_up_cells(const struct an_field_pool *pool,
			 const struct an_group_fields *f, uint64_t sum[3])
{
	for (uint32_t i = 0; f->cell && i < f->n_cells; i++) {
		const struct an_field_counts *c = &pool->counts[f->cell[i]];

		if (f->cell[i] == 0)
			continue;
		sum[0] += (i + 1) * c->reads;
		sum[1] += (i + 1) * c->writes;
		sum[2] += (i + 1) * (c->misses[0][0] + c->misses[0][1]);
	}
}

static bool are_fields_expected(const struct an_field_pool *pool,
				const struct an_group_fields *f,
				const struct expected *x)
{
	const struct an_field_counts none = {0},
				     *rest = f->rest ? &pool->counts[f->rest]
						     : &none;
	uint64_t got[3] = {0}, want[3] = {0};

	add_up_cells(pool, f, got);
	for (unsigned i = 0; x->cells && i < AN_MAX_EXACT_ELEMENT; i++) {
		want[0] += (i + 1) * x->cells->reads[i];
		want[1] += (i + 1) * x->cells->writes[i];
		want[2] += (i + 1) * x->cells->misses[i];
	}
	return memcmp(got, want, sizeof(got)) == 0 &&
	       rest->reads == x->rest_reads && rest->writes == x->rest_writes &&
	       rest->misses[0][0] + rest->misses[0][1] == x->rest_misses;
}

static unsigned key_of_group(const struct an_data_group *g)
{
	if (g->kind == AN_DATA_HEAP)
		return g->site << 10 | g->number;
	return g->kind == AN_DATA_UNKNOWN ? 0 : MAPPED;
}

/* Return the number of groups whose counts or fields are not expected. */
static unsigned count_wrong_groups(const struct an_owners *o, uint64_t *n_rest)
{
	unsigned wrong = 0;

	for (uint32_t i = 0; i < o->n_groups; i++) {
		const struct an_data_group *g = &o->group[i];
		const struct expected *x = &expected[key_of_group(g)];
		const struct an_data_counts *c = &g->counts;

		if (has_single_blocks && g->kind == AN_DATA_HEAP &&
		    g->number == n_births[g->site] && c->objects == 0)
			continue; /* the site of single blocks */
		wrong += c->reads != x->reads || c->writes != x->writes ||
			 c->read_bytes != x->read_bytes ||
			 c->written_bytes != x->written_bytes ||
			 c->misses[0][0] + c->misses[0][1] != x->misses ||
			 !are_fields_expected(&o->fields, &g->fields, x);
		*n_rest += x->rest_reads + x->rest_misses;
	}
	return wrong;
}

static void forget_expected(void)
{
	for (unsigned i = 0; i < MAX_GROUPS; i++)
		free(expected[i].cells);
	memset(expected, 0, sizeof(expected));
	memset(block_at, 0, sizeof(block_at));
	memset(element_in, 0, sizeof(element_in));
	memset(n_births, 0, sizeof(n_births));
}

/* Return the number of wrong groups after @n_batches batches. */
static unsigned run_stream(const struct an_env *env, unsigned n_batches,
			   void (*make)(void), uint64_t *n_rest)
{
	struct an_owners owners = {.has_fields = counts_fields,
				   .has_single_blocks = has_single_blocks};
	struct an_data_cursor cursor = {.counts_accesses = counts_accesses,
					.counts_fields = counts_fields};
	unsigned wrong;

	an_data_cursor_init(&cursor, &owners, env);
	forget_expected();
	make_code();
	begin_stream(&owners);
	for (unsigned i = 0; i < n_batches; i++) {
		make();
		run_batch(&cursor);
	}
	an_data_cursor_add_pending_to_objects(&cursor);
	wrong = count_wrong_groups(&owners, n_rest);
	wrong += an_data_cursor_error(&cursor) != 0;
	an_data_cursor_release(&cursor);
	an_owners_release(&owners);
	return wrong;
}

static void test_streams(unsigned n_streams, const char *fact)
{
	const struct an_env env = {.accessed_type = type_of_instr};
	uint64_t n_rest = 0;
	unsigned wrong = 0;

	for (unsigned i = 0; i < n_streams; i++)
		wrong += run_stream(&env, BATCHES, make_batch, &n_rest);
	is_u64(wrong, 0, fact);
	ok((n_rest != 0) == types_are_known,
	   "accesses from before a type was known are apart");
}

static void test_division_while_suspended(void)
{
	const struct an_env env = {.accessed_type = type_of_instr};
	uint64_t n_rest = 0;

	is_u64(run_stream(&env, 1, make_batch_divided_while_suspended, &n_rest),
	       0, "fields change while an element covers a part of them");
}

int main(void)
{
	counts_accesses = true;
	test_streams(12, "accesses, not by field");
	counts_fields = true;
	test_streams(12, "accesses without types, by field");
	types_are_known = true;
	test_streams(12,
		     "a type divides long elements from its first access on");
	test_division_while_suspended();
	has_single_blocks = true;
	test_streams(40, "each block by itself");
	counts_accesses = false;
	test_streams(12, "misses alone");
	forget_expected();
	for (unsigned i = 0; i < CODES; i++)
		free(code[i].plan);
	return done_testing();
}
