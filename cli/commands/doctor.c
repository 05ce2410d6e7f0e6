/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.c - alleria doctor: checks this machine and the set-up
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/json.h"
#include "base/text/line_writer.h"
#include "base/text/message.h"
#include "cli/args/find_program.h"
#include "daemon/core/runtime_dir.h"
#include "lib/config/cache/host_caches.h"

enum {
	RING = 1 << 21,	      /* [bytes] shared memory of a small ring */
	FEWEST_FILES = 64,    /* open files that a daemon needs at least */
	MOST_FILES = 1 << 20, /* limit above which Valgrind may not start */
	LARGEST_LL = 128,     /* [MiB] largest plausible last-level cache */
};

const char cl_doctor_help[] =
	"usage: alleria doctor [--json]\n"
	"\n"
	"Checks what recording needs of this machine and of the set-up, a "
	"line\n"
	"each: ok, note or bad, and the remedy. Exits with 1 if one is bad.\n"
	"Alleria needs neither ptrace nor perf_event.\n"
	"\n"
	"  --json            as JSON\n"
	"  --help\n";

enum result { OK, NOTE, BAD };

static const char *const result_names[] = {"ok", "note", "bad"};

/* The result of a check. */
struct finding {
	enum result result;
	char text[AL_MESSAGE];
	char remedy[AL_MESSAGE]; /* "": none */
};

__attribute__((format(printf, 3, 4))) static void
set_result_and_text(struct finding *f, enum result result, const char *format,
		    ...)
{
	va_list args;

	f->result = result;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void
set_remedy(struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(f->remedy, sizeof(f->remedy), format, args);
	va_end(args);
}

/* ---- Valgrind and the tool ---- */

/* Run "valgrind --version" and write its version to @version: "3.19.0". Return:
   whether it ran and printed a version. */
static bool run_valgrind_and_read_version(char *version, size_t version_size)
{
	FILE *f = popen("valgrind --version 2>/dev/null", "r");
	char line[64] = "";
	bool found;

	if (!f)
		return false;
	found = fgets(line, sizeof(line), f) != NULL &&
		!strncmp(line, "valgrind-", 9);
	found = !pclose(f) && found;
	line[strcspn(line, "\n")] = '\0';
	snprintf(version, version_size, "%s", found ? line + 9 : "");
	return found;
}

static void check_valgrind_in_path_runs(struct finding *f)
{
	char path[PATH_MAX], version[64];
	int err = cl_find_program_in_path("valgrind", path);

	if (!err && run_valgrind_and_read_version(version, sizeof(version))) {
		set_result_and_text(f, OK, "%s, version %s", path, version);
		return;
	}
	set_result_and_text(f, BAD, err ? "not in PATH" : "it does not run");
	set_remedy(f, "on Debian: apt-get install valgrind");
}

/* Whether the file at @path contains @string followed by a NUL. False if it
   cannot be read. */
static bool file_contains_string_with_nul(const char *path, const char *string)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool found = false;
	void *data;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > 0) {
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			    fd, 0);
		if (data != MAP_FAILED) {
			found = memmem(data, (size_t)st.st_size, string,
				       strlen(string) + 1) != NULL;
			munmap(data, (size_t)st.st_size);
		}
	}
	close(fd);
	return found;
}

/* Find the file of the Valgrind tool, "...-amd64-linux". @path_out: [PATH_MAX]
   receives its path, or where it was expected. Return: 0; -ENOENT. */
static int find_tool_file(char *path_out)
{
	int err = cl_find_tool_without_platform(path_out);
	size_t n = strlen(path_out);

	snprintf(path_out + n, PATH_MAX - n, "-amd64-linux");
	return err;
}

static void check_tool_matches_valgrind(struct finding *f)
{
	char path[PATH_MAX], version[64];

	if (find_tool_file(path)) {
		set_result_and_text(f, BAD, "no tool at %s", path);
		set_remedy(f, "make, then make install; see quickstart");
	} else if (!run_valgrind_and_read_version(version, sizeof(version))) {
		set_result_and_text(f, NOTE, "%s, of an unknown Valgrind",
				    path);
	} else if (!file_contains_string_with_nul(path, version)) {
		set_result_and_text(f, BAD,
				    "%s was built for another Valgrind than %s",
				    path, version);
		set_remedy(f,
			   "configure and build with the headers of "
			   "Valgrind %s",
			   version);
	} else {
		set_result_and_text(f, OK, "%s, built for Valgrind %s", path,
				    version);
	}
}

static void check_tool_has_vexopt_passes(struct finding *f)
{
	char path[PATH_MAX];

	if (find_tool_file(path)) {
		set_result_and_text(f, NOTE, "no tool to look into");
	} else if (file_contains_string_with_nul(path, "__wrap_cprop_BB")) {
		set_result_and_text(
			f, OK,
			"the tool has the fast translation passes (vexopt)");
	} else {
		set_result_and_text(
			f, NOTE,
			"the tool translates with VEX's passes alone, "
			"or has no symbols");
		set_remedy(f, "build with Valgrind 3.19 to 3.24, without "
			      "--disable-vexopt");
	}
}

static void check_valgrind_lib_has_tool(struct finding *f)
{
	const char *dir = getenv("VALGRIND_LIB");
	char path[PATH_MAX];

	if (!dir) {
		set_result_and_text(f, OK, "not set");
		return;
	}
	snprintf(path, sizeof(path), "%s/alleria-amd64-linux", dir);
	if (!access(path, X_OK)) {
		set_result_and_text(f, OK, "%s has the tool", dir);
		return;
	}
	set_result_and_text(
		f, NOTE,
		"%s lacks alleria-amd64-linux: 'valgrind --tool=alleria' "
		"fails, 'alleria run' does not",
		dir);
	set_remedy(f, "eval \"$(alleria env)\"");
}

/* ---- the daemon ---- */

static void create_and_check_runtime_dir(struct finding *f)
{
	char path[DM_PATH], message[DM_MESSAGE];

	if (!dm_runtime_create_and_check_dir(path, message)) {
		set_result_and_text(f, OK, "%s, mode 0700, yours", path);
		return;
	}
	set_result_and_text(f, BAD, "%s", message);
	set_remedy(f, "set XDG_RUNTIME_DIR to a directory of yours, mode 0700");
}

static void check_daemon_can_listen(struct finding *f)
{
	char path[DM_PATH], message[DM_MESSAGE], name[64];
	struct dm_listener listener = {.fd = -1, .lock_fd = -1};
	int err;

	snprintf(name, sizeof(name), "doctor-%d.sock", (int)getpid());
	err = dm_runtime_build_socket_path_create_dir(name, path, message);
	if (!err)
		err = dm_runtime_lock_path_and_listen(&listener, path, message);
	if (err) {
		set_result_and_text(f, BAD, "%s", message);
		set_remedy(f, "set XDG_RUNTIME_DIR to a directory on a local "
			      "file system");
		return;
	}
	dm_runtime_close_listener_and_unlink(&listener);
	set_result_and_text(f, OK,
			    "a daemon can listen in the runtime directory");
}

static void check_memfd_for_rings(struct finding *f)
{
	int fd =
		memfd_create("alleria-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *ring = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, RING) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
		ring = mmap(NULL, RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);
	if (ring == MAP_FAILED) {
		set_result_and_text(f, BAD, "no shared memory for rings: %s",
				    strerror(errno));
		set_remedy(f, "allow memfd_create() and raise the limit of "
			      "memory");
	} else {
		set_result_and_text(f, OK, "shared memory for rings (memfd)");
		munmap(ring, RING);
	}
	if (fd >= 0)
		close(fd);
}

static void check_open_file_limit(struct finding *f)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit)) {
		set_result_and_text(f, NOTE, "unknown: %s", strerror(errno));
	} else if (limit.rlim_cur < FEWEST_FILES) {
		set_result_and_text(f, BAD, "%llu open files",
				    (unsigned long long)limit.rlim_cur);
		set_remedy(f, "ulimit -n 1024");
	} else if (limit.rlim_cur > MOST_FILES) {
		set_result_and_text(
			f, NOTE, "%llu open files: Valgrind may refuse so many",
			(unsigned long long)limit.rlim_cur);
		set_remedy(f, "ulimit -n 65536");
	} else {
		set_result_and_text(f, OK, "%llu open files",
				    (unsigned long long)limit.rlim_cur);
	}
}

/* ---- the machine ---- */

static void check_library_debug_or_debuginfod_set(struct finding *f)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	bool has_files = !access("/usr/lib/debug/.build-id", R_OK);

	if (has_files || (urls && *urls)) {
		set_result_and_text(f, OK, "%s%s%s",
				    has_files ? "/usr/lib/debug/.build-id" : "",
				    has_files && urls && *urls ? ", " : "",
				    urls && *urls ? "DEBUGINFOD_URLS is set"
						  : "");
		return;
	}
	set_result_and_text(
		f, NOTE,
		"none of libraries: their functions without symbols are "
		"???");
	set_remedy(f, "install -dbgsym packages, or set DEBUGINFOD_URLS");
}

static void check_detected_caches_are_plausible(struct finding *f)
{
	struct an_level level[AL_HOST_LEVELS];
	char note[AL_MESSAGE];
	uint64_t mib;

	al_hostcaches_detect_or_default(AL_SYSFS_CPUS, al_cpu_current_or_null(),
					level, note);
	mib = level[AL_LL].size >> 20;
	if (*note) {
		set_result_and_text(f, NOTE, "%s", note);
	} else if (level[AL_LL].assoc == 1 || mib > LARGEST_LL) {
		set_result_and_text(f, NOTE,
				    "LL of %llu MiB, %u-way: few machines have "
				    "such a cache; "
				    "virtual ones report it",
				    (unsigned long long)mib,
				    level[AL_LL].assoc);
	} else {
		set_result_and_text(
			f, OK, "D1 %llu KiB %u-way, LL %llu MiB %u-way",
			(unsigned long long)(level[AL_D1].size >> 10),
			level[AL_D1].assoc, (unsigned long long)mib,
			level[AL_LL].assoc);
	}
	if (f->result == NOTE)
		set_remedy(f, "give the caches: --LL=32M,16,64, or --cache");
}

static void check_allowed_processor_count(struct finding *f)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int allowed = 0;
	cpu_set_t set_of_cpus;

	if (!sched_getaffinity(0, sizeof(set_of_cpus), &set_of_cpus))
		allowed = CPU_COUNT(&set_of_cpus);
	if (allowed == 0)
		set_result_and_text(f, NOTE,
				    "%ld online, unknown which are allowed",
				    online);
	else if (allowed == 1)
		set_result_and_text(
			f, NOTE,
			"1 of %ld allowed: the program and the analyses "
			"share it",
			online);
	else
		set_result_and_text(f, OK, "%d of %ld allowed", allowed,
				    online);
	if (allowed == 1)
		set_remedy(f, "allow two or more, if there are (taskset, "
			      "cpuset)");
}

/* ---- the command ---- */

static const struct {
	const char *name;
	void (*check)(struct finding *);
} checks[] = {
	{"valgrind", check_valgrind_in_path_runs},
	{"tool", check_tool_matches_valgrind},
	{"passes", check_tool_has_vexopt_passes},
	{"VALGRIND_LIB", check_valgrind_lib_has_tool},
	{"runtime directory", create_and_check_runtime_dir},
	{"sockets", check_daemon_can_listen},
	{"rings", check_memfd_for_rings},
	{"RLIMIT_NOFILE", check_open_file_limit},
	{"debug files", check_library_debug_or_debuginfod_set},
	{"caches", check_detected_caches_are_plausible},
	{"processors", check_allowed_processor_count},
};

enum { N_CHECKS = sizeof(checks) / sizeof(*checks) };

static void print_findings_as_lines(const struct finding *findings)
{
	static const enum al_style styles[] = {AL_GOOD, AL_BOLD, AL_BAD};
	struct al_text out;

	al_text_init(&out, stdout,
		     al_display_flags_of_fd(STDOUT_FILENO) & AL_COLOUR);
	for (int i = 0; i < N_CHECKS; i++) {
		al_text_write(&out, styles[findings[i].result],
			      result_names[findings[i].result]);
		printf("%*s%s: ",
		       findings[i].result == NOTE
			       ? 1
			       : 3 - (findings[i].result == BAD),
		       "", checks[i].name);
		al_text_write(&out, AL_PLAIN, findings[i].text);
		if (*findings[i].remedy) {
			fputs("; ", stdout);
			al_text_write(&out, AL_PLAIN, findings[i].remedy);
		}
		putchar('\n');
	}
}

static void print_findings_as_json(const struct finding *findings,
				   enum result worst)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	al_json_init(&json, stdout);
	out->begin(out, NULL);
	out->string(out, "version", PACKAGE_VERSION);
	out->string(out, "result", result_names[worst]);
	out->begin_list(out, "checks");
	for (int i = 0; i < N_CHECKS; i++) {
		out->begin(out, NULL);
		out->string(out, "name", checks[i].name);
		out->string(out, "result", result_names[findings[i].result]);
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
	static struct finding all[N_CHECKS];
	enum result worst = OK;
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
	return worst == BAD;
}
