/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interleave_test.c - marks and windows are printed among the accesses */
#include "cli/print/interleave.h"

#include <stdlib.h>

#include "tests/fixtures/toy_writer.h"
#include "tests/tap.h"

static struct cl_lines out;
static char got[4096];

static void put_mark(struct cl_lines *l, const struct alleria_event *e,
		     const struct cl_mark_text *m)
{
	size_t length = strlen(got);

	(void)l;
	snprintf(got + length, sizeof(got) - length,
		 "%llu %s %s %d %llx %llx\n", (unsigned long long)e->access,
		 m->word, m->name, m->is_region, (unsigned long long)m->start,
		 (unsigned long long)m->size);
}

static const struct cl_format marks = {.name = "marks", .mark = put_mark};
static const struct cl_format none = {.name = "none"};

static void open_between(struct cl_interleave *b,
			 const struct cl_format *format)
{
	got[0] = '\0';
	if (cl_interleave_open_events_if_printed(b, out.profile, NULL,
						 format)) {
		printf("Bail out! no cursor\n");
		exit(99);
	}
}

/* The only mark of the small profile. */
static const struct alleria_event *find_mark(void)
{
	size_t i = 0;

	while (toy.event[i].kind != ALLERIA_MARK)
		i++;
	return &toy.event[i];
}

static void test_order(void)
{
	const uint64_t access = find_mark()->access;
	struct cl_interleave b;
	char want[80];

	snprintf(want, sizeof(want), "%llu region there 1 7000 100\n",
		 (unsigned long long)access);
	open_between(&b, &marks);
	cl_interleave_print_events_up_to_access(&b, &out, access - 1);
	is_str(got, "", "a mark does not come before accesses ahead of it");
	cl_interleave_print_events_up_to_access(&b, &out, access);
	is_str(got, want, "it comes before the access behind it");
	cl_interleave_print_events_up_to_access(&b, &out, ALLERIA_NOT);
	is_str(got, want, "and once");
	cl_interleave_close_event_cursor(&b);
	open_between(&b, &none);
	cl_interleave_print_events_up_to_access(&b, &out, ALLERIA_NOT);
	is_str(got, "", "a format without marks has none");
	cl_interleave_close_event_cursor(&b);
}

/* Print an event that a damaged profile may have. */
static void print_event(uint16_t kind, uint64_t value)
{
	const struct alleria_event e = {
		.kind = kind, .value = value, .process = 1};
	struct cl_interleave b;

	open_between(&b, &marks);
	b.next = &e;
	cl_interleave_print_events_up_to_access(&b, &out, 0);
	cl_interleave_close_event_cursor(&b);
}

static void test_unknown(void)
{
	print_event(ALLERIA_WINDOW_BEGIN, 0);
	is_str(got, "", "a window that the profile has not is not printed");
	print_event(ALLERIA_MARK, 3);
	is_str(got, "", "nor a mark");
	print_event(ALLERIA_MARK, 1);
	is_str(got, "0 mark here 0 0 0\n", "one that it has is");
}

int main(void)
{
	toy_write();
	out.profile = toy_open();
	test_order();
	test_unknown();
	alleria_close(out.profile);
	toy_remove();
	return done_testing();
}
