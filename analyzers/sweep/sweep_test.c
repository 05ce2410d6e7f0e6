/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_test.c - compares each cache of a sweep with its own simulation */

#include "base/result/result_json.h"
#include "tests/fixtures/toy_program.h"
#include "tests/tap.h"

extern const struct an_class an_cache, an_sweep;

enum { SHAPES = 12, NUMBERS = 9000 };

/* Members of a report, in order. */
struct members {
	struct an_sink sink;
	size_t n;
	struct {
		const char *key;
		char text[AN_LEVEL_NAME];
		uint64_t number;
	} member[NUMBERS];
};

static void ignore_object(struct an_sink *sink, const char *key)
{
	(void)sink, (void)key;
}

static void ignore_end(struct an_sink *sink)
{
	(void)sink;
}

static void store_number(struct an_sink *sink, const char *key, uint64_t number)
{
	struct members *m = (struct members *)sink;

	if (m->n == NUMBERS)
		return;
	m->member[m->n].key = key;
	m->member[m->n].text[0] = 0;
	m->member[m->n++].number = number;
}

static void store_string(struct an_sink *sink, const char *key,
			 const char *text)
{
	struct members *m = (struct members *)sink;

	store_number(sink, key, 0);
	snprintf(m->member[m->n - 1].text, AN_LEVEL_NAME, "%s", text);
}

static struct members found = {
	.sink = {ignore_object, ignore_object, ignore_end, store_number,
		 store_string, NULL, NULL},
};

/* Run an analysis; `found` receives its report. Return: whether it
   succeeded. */
static bool run_analysis(const struct toy_program_state *p,
			 const struct an_class *class,
			 const struct an_geometry *g)
{
	struct an_env env = {
		.geometry = g,
		.option = toy_program_option,
		.symbol = toy_program_symbol,
		.alloc_code = toy_program_code,
	};
	void *state = aligned_alloc(64, (class->state_size + 64) & ~63UL);
	struct al_model m;
	int err;

	memset(state, 0, class->state_size);
	err = run_program(p, class, state, &env);
	found.n = 0;
	al_model_init(&m);
	if (err == 0)
		class->result(state, &m);
	al_model_write_to_sink(&m, &found.sink);
	al_model_release(&m);
	class->close(state);
	free(state);
	return err == 0;
}

/* Find reads, read_misses, writes and write_misses of the @nth object whose
   @key is @text. Return: whether there is one. */
static bool find_counts(const char *key, const char *text, unsigned nth,
			uint64_t count[4])
{
	static const char *const keys[] = {"reads", "read_misses", "writes",
					   "write_misses"};
	size_t i = 0, n_found = 0;

	for (; i < found.n; i++)
		if (!strcmp(found.member[i].key, key) &&
		    !strcmp(found.member[i].text, text) && nth-- == 0)
			break;
	for (; i < found.n && n_found < 4; i++)
		if (!strcmp(found.member[i].key, keys[n_found]))
			count[n_found++] = found.member[i].number;
	return n_found == 4;
}

static void shape_level(struct toy_program_state *p, struct an_level *l)
{
	static const uint32_t line[] = {64, 64, 64, 64, 64, 32, 128, 128, 8192};

	l->line = line[toy_program_random(p, 9)];
	l->assoc = (uint32_t)(1 + toy_program_random(p, 8));
	l->sets = 1 + toy_program_random(p, 40);
	l->size = l->sets * l->assoc * l->line;
}

static struct an_geometry *random_geometry(struct toy_program_state *p)
{
	static const struct an_geometry base[] = {
		{.level = {{.name = "I1", .kind = AN_INSTRUCTION, .next = 2},
			   {.name = "D1", .kind = AN_DATA, .next = 2},
			   {.name = "L2", .kind = AN_UNIFIED, .next = 3},
			   {.name = "LL", .kind = AN_UNIFIED, .next = -1}},
		 .n_levels = 4,
		 .first_data = 1},
		{.level = {{.name = "L1", .kind = AN_UNIFIED, .next = 1},
			   {.name = "LL", .kind = AN_UNIFIED, .next = -1}},
		 .n_levels = 2},
		{.level = {{.name = "I1", .kind = AN_INSTRUCTION, .next = 2},
			   {.name = "D1", .kind = AN_DATA, .next = 3},
			   {.name = "I2", .kind = AN_INSTRUCTION, .next = 3},
			   {.name = "LL", .kind = AN_UNIFIED, .next = -1}},
		 .n_levels = 4,
		 .first_data = 1},
	};
	struct an_geometry *g = malloc(sizeof(*g));

	if (g == NULL)
		exit(99);
	*g = base[toy_program_random(p, 6) % 4 % 3];
	for (int i = 0; i < g->n_levels; i++)
		shape_level(p, &g->level[i]);
	return g;
}

/* Return a random shape. @kind modulo 4 chooses few or many sets and ways,
   powers of two or not. */
static struct an_shape random_shape(struct toy_program_state *p, unsigned kind)
{
	struct an_shape s = {.line = 32u << toy_program_random(p, 3)};

	switch (kind % 4) {
	case 0:
		s.sets = UINT64_C(1) << toy_program_random(p, 9);
		s.assoc = 1u << toy_program_random(p, 6);
		break;
	case 1:
		s.sets = 1 + toy_program_random(p, 60);
		s.assoc = (uint32_t)(1 + toy_program_random(p, 20));
		break;
	case 2:
		s.sets = 1 + toy_program_random(p, 3);
		s.assoc = (uint32_t)(1 + toy_program_random(p, 900));
		break;
	default:
		s.sets = 12u << toy_program_random(p, 4);
		s.assoc = (uint32_t)(1 + toy_program_random(p, 40));
	}
	s.size = s.sets * s.assoc * s.line;
	return s;
}

static bool is_known(const struct an_sweep *s, const struct an_shape *x)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->shape[i].sets == x->sets &&
		    s->shape[i].assoc == x->assoc &&
		    s->shape[i].line == x->line)
			return true;
	return false;
}

static struct an_sweep *random_sweep(struct toy_program_state *p,
				     const struct an_geometry *g)
{
	struct an_sweep *s =
		calloc(1, sizeof(*s) + SHAPES * sizeof(s->shape[0]));
	unsigned kind = (unsigned)toy_program_random(p, 5);

	if (s == NULL)
		exit(99);
	s->level = (int)toy_program_random(p, (uint64_t)g->n_levels);
	while (s->n < SHAPES) {
		struct an_shape x = random_shape(
			p,
			kind < 4 ? kind : (unsigned)toy_program_random(p, 4));

		if (!is_known(s, &x))
			s->shape[s->n++] = x;
	}
	return s;
}

/* Simulate the level alone with shape @x. Return: whether its counts equal
   @want. */
static bool is_same_alone(const struct toy_program_state *p,
			  struct an_geometry *g, const struct an_shape *x,
			  int level, const uint64_t want[4])
{
	struct an_level *l = &g->level[level];
	uint64_t got[4];
	bool same;

	l->size = x->size;
	l->assoc = x->assoc;
	l->line = x->line;
	l->sets = x->sets;
	same = run_analysis(p, &an_cache, g) &&
	       find_counts("name", l->name, 0, got) &&
	       !memcmp(got, want, sizeof(got));
	if (!same)
		printf("# %s %" PRIu64 " sets %u ways %u bytes: reads %" PRIu64
		       " %" PRIu64 ", read misses %" PRIu64 " %" PRIu64
		       ", writes %" PRIu64 " %" PRIu64 ", write misses %" PRIu64
		       " %" PRIu64 "\n",
		       l->name, x->sets, x->assoc, x->line, want[0], got[0],
		       want[1], got[1], want[2], got[2], want[3], got[3]);
	return same;
}

static void compare(uint64_t seed)
{
	struct toy_program_state *p = make_program(seed);
	struct an_geometry *g = random_geometry(p);
	struct an_sweep *s = random_sweep(p, g);
	const char *name = g->level[s->level].name;
	uint64_t count[SHAPES][4] = {{0}};
	char fact[128];
	bool same;

	g->sweep = s;
	same = run_analysis(p, &an_sweep, g);
	for (unsigned i = 0; i < SHAPES; i++)
		same &= find_counts("level", name, i, count[i]);
	g->sweep = NULL;
	for (unsigned i = 0; i < SHAPES; i++)
		same &= is_same_alone(p, g, &s->shape[i], s->level, count[i]);
	snprintf(fact, sizeof(fact),
		 "%d caches in place of %s, %d levels, seed %" PRIu64 ": the "
		 "same counts as each alone",
		 SHAPES, name, g->n_levels, seed);
	ok(same, fact);
	free(s);
	free(g);
	free(p);
}

int main(void)
{
	for (uint64_t seed = 1; seed <= 40; seed++)
		compare(seed * 7919);
	return done_testing();
}
