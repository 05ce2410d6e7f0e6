/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toyrun.h - a small profile of three processes, for tests
 *
 * toy_write() writes it to toy_path and fills `toy`, see toy.h. There are two
 * trees: processes 1 and 2 of the first, of which 2 is a child of 1, and process
 * 1 of the second, which is process 3 of the profile. Process 1 has two images.
 */
#ifndef TOYRUN_H
#define TOYRUN_H

#include "tests/toy.h"

/* ---- images ---- */

static inline void toy_put_numbers(struct pf_records *r, enum pf_fact fact,
				   unsigned n, const uint64_t *number)
{
	pf_add(r, fact);
	for (unsigned i = 0; i < n; i++)
		pf_add_number(r, number[i]);
}

struct toy_image {
	uint64_t pid, tree, number, parent;
	const char *command;
	unsigned chunks;
	uint32_t threads;
	uint64_t ending, value;
};

static inline void toy_begin_image(const struct toy_image *i)
{
	struct pf_records r = {0};

	toy_put_numbers(&r, PF_PROCESS, 4,
			(uint64_t[]){i->pid, i->tree, i->number, i->parent});
	pf_add(&r, PF_COMMAND);
	pf_add_string(&r, i->command);
	pf_add_string(&r, "-x");
	pf_add(&r, PF_DIRECTORY);
	pf_add_string(&r, "/home/toy");
	toy_put_numbers(&r, PF_FIELDS, 1,
			(uint64_t[]){PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES |
				     PT_FIELD_VALUES | PT_FIELD_CORES});
	toy_put_records(PF_IMAGE, &r);
	toy.total = (struct pf_counts){0};
	toy.first_instruction = toy.n_instructions;
	toy.position = 0;
	toy.thread = 0;
	toy_note_event(ALLERIA_IMAGE_BEGIN, 0, 0);
}

static inline void toy_end_image(const struct toy_image *i, uint32_t threads)
{
	struct pf_records r = {0};

	toy_put_numbers(&r, PF_ENDING, 2, (uint64_t[]){i->ending, i->value});
	toy_put_numbers(&r, PF_MET, 2, (uint64_t[]){threads, 1});
	toy_put_records(PF_END, &r);
	toy.thread = 0;
	toy_note_event(ALLERIA_IMAGE_END, i->value, i->ending);
}

static inline void toy_write_names(void)
{
	static const char *const text[] = {"???", "main",  "work",
					   "far", "toy.c", "far.c"};
	static const struct pf_code_name code[] = {
		{0x1000, 0, 1, 4, 10}, {0x1004, 0, 1, 4, 11},
		{0x2000, 0, 2, 4, 20}, {0x2008, 0, 2, 4, 22},
		{0x200c, 0, 0, 0, 0},  {0x1000, 1, 3, 5, 7},
	};
	struct pf_records r = {0};

	toy_put_numbers(&r, PF_OBJECT, 1, (uint64_t[]){0});
	pf_add_string(&r, "/bin/toy");
	pf_add_string(&r, "c0ffee");
	toy_put_numbers(&r, PF_OBJECT, 1, (uint64_t[]){1});
	pf_add_string(&r, "/lib/libtoy.so");
	pf_add_string(&r, "");
	for (unsigned i = 0; i < sizeof(text) / sizeof(*text); i++) {
		toy_put_numbers(&r, PF_TEXT, 1, (uint64_t[]){i});
		pf_add_string(&r, text[i]);
	}
	pf_add(&r, PF_CODE);
	pf_add_bytes(&r, code, sizeof(code));
	toy_put_records(PF_NAMES, &r);
}

static inline void toy_write_run(void)
{
	struct pf_records r = {0};

	pf_add(&r, PF_VERSION);
	pf_add_string(&r, "9.9");
	pf_add(&r, PF_OPTIONS);
	pf_add_string(&r, "--profile=x");
	toy.stream = PF_NO_STREAM;
	toy_put_records(PF_RUN, &r);
}

static inline void toy_write_done(const char *status)
{
	struct pf_records r = {0};

	pf_add(&r, PF_STATUS);
	pf_add_string(&r, status);
	pf_add_string(&r, "");
	toy_put_numbers(&r, PF_WALL, 1, (uint64_t[]){toy.now});
	toy.stream = PF_NO_STREAM;
	toy_put_records(PF_DONE, &r);
}

static const struct toy_image toy_images[] = {
	{100, 1, 1, 0, "toy", 14, 3, PF_EXECED, 0},
	{100, 1, 1, 0, "toy2", 5, 1, PF_EXITED, 4},
	{101, 1, 2, 1, "child", 6, 2, PF_SIGNALLED, 9},
	{100, 2, 1, 0, "other", 7, 1, PF_EXITED, 0},
};

enum { TOY_IMAGES = 4, TOY_PROCESSES = 3 };
static const uint32_t toy_process_of[TOY_IMAGES] = {1, 1, 2, 3};

/* Write the profile to toy_path, a new file, and fill `toy`. */
static inline void toy_write(void)
{
	char message[PF_MESSAGE];
	int fd = mkstemp(toy_path);

	if (fd < 0)
		abort();
	close(fd);
	toy = (struct toy){.random = 7};
	toy.packer = pf_packer_new(PF_LEVEL);
	toy.coder = pf_coder_new();
	toy.writer = pf_writer_open(toy_path, message);
	if (!toy.packer || !toy.coder || !toy.writer)
		abort();
	toy_write_run();
	for (uint32_t i = 0; i < TOY_IMAGES; i++) {
		toy.stream = i;
		toy.process = toy_process_of[i];
		toy.image = i == 1;
		toy_begin_image(&toy_images[i]);
		toy_log();
		toy_write_units(toy_images[i].chunks, toy_images[i].threads);
		toy_end_image(&toy_images[i], toy_images[i].threads);
		if (i == 0) {
			toy.stream = PF_NO_STREAM;
			toy_write_names();
		}
	}
	toy_write_done("complete");
	pf_writer_free(toy.writer);
	pf_coder_free(toy.coder);
	pf_packer_free(toy.packer);
}

static inline void toy_remove(void)
{
	unlink(toy_path);
}

static inline struct alleria_profile *toy_open(void)
{
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;

	if (alleria_open(toy_path, &p, message)) {
		printf("Bail out! %s\n", message);
		exit(99);
	}
	return p;
}

/* ---- names, as toy_write_names() writes them ---- */

static inline const char *toy_function(uint64_t code)
{
	return code >= 0x4000	? "???"
	       : code >= 0x3000 ? "far"
	       : code >= 0x200c ? "???"
	       : code >= 0x2000 ? "work"
				: "main";
}

static inline const char *toy_object(uint64_t code)
{
	return code >= 0x4000	? "???"
	       : code >= 0x3000 ? "/lib/libtoy.so"
				: "/bin/toy";
}

#endif
