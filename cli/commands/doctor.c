/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.c - alleria doctor: checks this machine and the set-up
 *
 * Threads: main.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "cli/commands/commands.h"
#include "cli/doctor/checks.h"

const char cl_doctor_help[] =
	"usage: alleria doctor [--json]\n"
	"\n"
	"Checks what recording requires of this machine and of the "
	"installation.\n"
	"Prints a line for each check: ok, note or bad, with the remedy. Exits "
	"with 1\n"
	"if one is bad. Alleria needs neither ptrace nor perf_event.\n"
	"\n"
	"  --json            print JSON\n"
	"  --help\n";

static const char *const grade_names[] = {"ok", "note", "bad"};

static const struct {
	const char *name;
	void (*check)(struct cl_check_result *);
} checks[] = {
	{"valgrind", cl_check_valgrind_in_path_runs},
	{"tool", cl_check_tool_matches_valgrind},
	{"passes", cl_check_tool_has_vexopt_passes},
	{"VALGRIND_LIB", cl_check_valgrind_lib_has_tool},
	{"runtime directory", cl_check_runtime_dir_creating_if_missing},
	{"sockets", cl_check_daemon_can_listen},
	{"rings", cl_check_memfd_for_rings},
	{"RLIMIT_NOFILE", cl_check_open_file_limit},
	{"debug files", cl_check_debug_folder_or_debuginfod_set},
	{"debug directory", cl_check_debug_folder_is_readable},
	{"debuginfod cache", cl_check_debuginfod_cache_is_readable},
	{"caches", cl_check_detected_caches_are_plausible},
	{"processors", cl_check_allowed_processor_count},
	{"processor quota", cl_check_processor_quota},
	{"memory", cl_check_cgroup_memory_limit},
};

enum { N_CHECKS = sizeof(checks) / sizeof(*checks) };

static void print_findings_as_lines(const struct cl_check_result *findings)
{
	static const enum al_style styles[] = {AL_GOOD, AL_BOLD, AL_BAD};
	struct al_text out;

	al_text_init(&out, stdout,
		     al_display_flags_of_fd(STDOUT_FILENO) & AL_COLOUR);
	for (int i = 0; i < N_CHECKS; i++) {
		al_text_write(&out, styles[findings[i].result],
			      grade_names[findings[i].result]);
		printf("%*s%s: ",
		       findings[i].result == CL_NOTE
			       ? 1
			       : 3 - (findings[i].result == CL_BAD),
		       "", checks[i].name);
		al_text_write(&out, AL_PLAIN, findings[i].text);
		if (*findings[i].remedy) {
			fputs("; ", stdout);
			al_text_write(&out, AL_PLAIN, findings[i].remedy);
		}
		putchar('\n');
	}
}

static void print_findings_as_json(const struct cl_check_result *findings,
				   enum cl_check_grade worst)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	al_json_init(&json, stdout);
	out->begin(out, NULL);
	out->string(out, "version", PACKAGE_VERSION);
	out->string(out, "result", grade_names[worst]);
	out->begin_list(out, "checks");
	for (int i = 0; i < N_CHECKS; i++) {
		out->begin(out, NULL);
		out->string(out, "name", checks[i].name);
		out->string(out, "result", grade_names[findings[i].result]);
		out->string(out, "text", findings[i].text);
		if (*findings[i].remedy)
			out->string(out, "remedy", findings[i].remedy);
		out->end(out);
	}
	out->end(out);
	out->end(out);
}

int cl_doctor_check_machine(int argc, char **argv)
{
	static struct cl_check_result all[N_CHECKS];
	enum cl_check_grade worst = CL_OK;
	bool as_json = argc == 1 && !strcmp(argv[0], "--json");

	if (argc > as_json) {
		fprintf(stderr,
			"alleria: 'doctor' takes no '%.100s'; there is "
			"--json\n",
			argv[argc - 1]);
		return CL_WRONG_USAGE;
	}
	for (int i = 0; i < N_CHECKS; i++) {
		checks[i].check(&all[i]);
		if (all[i].result > worst)
			worst = all[i].result;
	}
	if (as_json)
		print_findings_as_json(all, worst);
	else
		print_findings_as_lines(all);
	return worst == CL_BAD;
}
