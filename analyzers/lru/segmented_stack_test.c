/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segmented_stack_test.c - compares deep stacks with arrays that are searched
 */

#include "analyzers/lru/segmented_stack.h"

#include <stdlib.h>

#include "tests/tap.h"

enum { SETS = 3, LINES = 40, DEPTH = 12, SEGMENTS = 5, STEPS = 200000 };

static const uint32_t end[SEGMENTS] = {1, 2, 5, 6, DEPTH};

static uint64_t stack[SETS][DEPTH + 1]; /* most recently used first; 0: none */

static unsigned segment_of(unsigned depth)
{
	unsigned i = 0;

	while (i < SEGMENTS && end[i] <= depth)
		i++;
	return i;
}

/* Do what an_segmented_stack_push_and_remove() does, on the plain array @s. */
static unsigned exchange(uint64_t *s, uint64_t in, uint64_t want)
{
	unsigned depth = 0;

	while (depth < DEPTH && s[depth] != want)
		depth++;
	for (unsigned i = depth; i > 0; i--)
		s[i] = s[i - 1];
	s[0] = in;
	s[DEPTH] = 0;
	return segment_of(depth);
}

/* Compare random exchanges. @apart: the used line is removed and the line used
   before is pushed, as if the most recent line of each set were stored
   elsewhere; otherwise the used line itself is pushed. */
static void compare(bool apart, const char *fact)
{
	struct an_segmented_stack *d =
		an_segmented_stack_new(SETS, end, SEGMENTS);
	uint64_t above[SETS];
	unsigned same = 0;

	memset(stack, 0, sizeof(stack));
	for (uint64_t set = 0; set < SETS; set++)
		above[set] = LINES * SETS + set + 1;
	for (unsigned i = 0; i < STEPS; i++) {
		unsigned set = (unsigned)rand() % SETS;
		uint64_t want = (uint64_t)(rand() % LINES) * SETS + set + 1;
		uint64_t in = apart ? above[set] : want;

		if (apart && want == above[set]) {
			same++;
			continue;
		}
		same += exchange(stack[set], in, want) ==
				an_segmented_stack_push_and_remove(d, set, in,
								   want) &&
			an_segmented_stack_top_line_plus_1(d, set) ==
				stack[set][0];
		above[set] = want;
	}
	is_u64(same, STEPS, fact);
	an_segmented_stack_free(d);
}

int main(void)
{
	srand(20261121);
	compare(false, "a line that is used goes on top");
	compare(true, "the line used before goes on top");
	return done_testing();
}
