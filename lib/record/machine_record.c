/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine_record.c - appends the facts of block PF_RUN: version, start time,
   machine, environment and own command line */

#include "lib/record/recording_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/system/processor.h"

static void append_number_fact(struct pf_records *a, enum pf_fact fact,
			       uint64_t number)
{
	pf_records_begin_fact(a, fact);
	pf_records_append_u64_to_fact(a, number);
}

static void append_system_and_processor_facts(struct pf_records *a)
{
	struct al_processor processor;
	struct utsname u;

	if (uname(&u) != 0)
		return;
	al_processor_read_name_and_features(&processor);
	pf_records_begin_fact(a, PF_MACHINE);
	pf_records_append_string_to_fact(a, u.sysname);
	pf_records_append_string_to_fact(a, u.release);
	pf_records_append_string_to_fact(a, u.machine);
	pf_records_append_string_to_fact(a, processor.name);
	pf_records_begin_fact(a, PF_FEATURES);
	pf_records_append_string_to_fact(a, processor.features);
}

/* Append a fact PF_OPTIONS with the program name and arguments of this process,
   the one that records; without any if they cannot be read. */
static void append_recorder_command_line_fact(struct pf_records *a)
{
	FILE *file = fopen("/proc/self/cmdline", "re");
	char *word = NULL;
	size_t size = 0;

	pf_records_begin_fact(a, PF_OPTIONS);
	while (file && getdelim(&word, &size, '\0', file) > 0)
		pf_records_append_string_to_fact(a, word);
	free(word);
	if (file)
		fclose(file);
}

static uint32_t compute_environment_crc32(void)
{
	uint32_t crc = 0;

	for (char **e = environ; *e != NULL; e++)
		crc = (uint32_t)crc32(crc, (const Bytef *)*e,
				      (uInt)strlen(*e) + 1);
	return crc;
}

void al_machine_append_run_facts(struct pf_records *a)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct timespec now;

	pf_records_begin_fact(a, PF_VERSION);
	pf_records_append_string_to_fact(a, PACKAGE_VERSION);
	clock_gettime(CLOCK_REALTIME, &now);
	append_number_fact(a, PF_STARTED,
			   (uint64_t)now.tv_sec * 1000000000u +
				   (uint64_t)now.tv_nsec);
	append_system_and_processor_facts(a);
	append_number_fact(a, PF_PROCESSORS,
			   (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
	append_number_fact(a, PF_MEMORY,
			   (uint64_t)sysconf(_SC_PHYS_PAGES) * page);
	append_number_fact(a, PF_PAGE_SIZE, page);
	append_number_fact(a, PF_ENVIRONMENT, compute_environment_crc32());
	append_recorder_command_line_fact(a);
}
