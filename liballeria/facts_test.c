/* SPDX-License-Identifier: GPL-2.0-or-later */
/* facts_test.c - what a profile says of its run, processes and names */
#include <fcntl.h>
#include <string.h>

#include "tests/fixtures/toy_writer.h"
#include "tests/tap.h"

static struct alleria_profile *profile;

/* ---- the run ---- */

static void test_run(void)
{
	const struct alleria_run *r = alleria_run(profile);
	const struct alleria_state *s = alleria_state(profile);

	is_str(r->version, "9.9", "the version that recorded it");
	is_str(r->options[0], "--profile=x", "the options of the recording");
	is_str(r->command[1], "-x", "the arguments of the first program");
	ok(!r->command[2], "and no more");
	is_str(r->directory, "/home/toy", "where it was started");
	is_u64(r->processes, TOY_PROCESSES, "all processes");
	is_u64(r->trees, 2, "in two trees");
	is_u64(r->wall_ns, toy.now, "how long it took");
	is_u64(r->counts.instructions, toy.n_instructions, "instructions");
	is_u64(r->counts.accesses, toy.n_accesses, "accesses");
	is_u64(r->counts.reads + r->counts.writes - r->counts.modifies,
	       toy.n_accesses, "a modify is a read and a write");
	is_u64(r->has,
	       ALLERIA_HAS_ACCESSES | ALLERIA_HAS_ADDRESSES |
		       ALLERIA_HAS_VALUES | ALLERIA_HAS_CORES |
		       ALLERIA_HAS_INSTRUCTIONS |
		       ALLERIA_HAS_MEMORY_INSTRUCTIONS |
		       ALLERIA_HAS_ALL_ADDRESSES,
	       "what was recorded");
	ok(s->status == ALLERIA_COMPLETE && s->damage == ALLERIA_WHOLE &&
		   !s->reason[0],
	   "it is complete and whole");
	is_u64(r->counts.threads, 3 + 2 + 1,
	       "the thread that calls exec goes on");
	is_u64(r->counts.signals, TOY_IMAGES, "signals");
}

/* ---- processes ---- */

static void test_processes(void)
{
	static const uint32_t tree[] = {1, 1, 2}, number[] = {1, 2, 1},
			      parent[] = {0, 1, 0}, pid[] = {100, 101, 100};
	uint64_t accesses = 0, instructions = 0;
	bool right = true, counted = true;

	for (uint32_t i = 0; i < TOY_PROCESSES; i++) {
		const struct alleria_process *p =
			alleria_process(profile, i + 1);

		right &= p && p->index == i + 1 && p->tree == tree[i] &&
			 p->number == number[i] && p->parent == parent[i] &&
			 p->pid == pid[i];
		right &= alleria_process_numbered(profile, tree[i],
						  number[i]) == p;
		counted &= p->first_access == accesses &&
			   p->first_instruction == instructions;
		accesses += p->counts.accesses;
		instructions += p->counts.instructions;
	}
	ok(right, "processes are numbered from 1, by tree and number");
	ok(counted && accesses == toy.n_accesses, "and come one by one");
	ok(!alleria_process(profile, 0) &&
		   !alleria_process(profile, TOY_PROCESSES + 1) &&
		   !alleria_process_numbered(profile, 2, 2) &&
		   !alleria_process_numbered(profile, 3, 1),
	   "there are no others");
	ok(alleria_process_with_pid(profile, 100, 0) ==
			   alleria_process(profile, 1) &&
		   alleria_process_with_pid(profile, 100, 1) ==
			   alleria_process(profile, 3) &&
		   !alleria_process_with_pid(profile, 100, 2) &&
		   !alleria_process_with_pid(profile, 102, 0),
	   "pids are used again");
}

static void test_endings(void)
{
	const struct alleria_process *p = alleria_process(profile, 1);

	ok(p->ending == ALLERIA_EXITED && p->value == 4,
	   "a process ends as its last image");
	is_str(p->command[0], "toy", "and began as its first");
	p = alleria_process(profile, 2);
	ok(p->ending == ALLERIA_SIGNALLED && p->value == 9, "or of a signal");
	ok(p->begin_ns < p->end_ns, "after it began");
	ok(p->status == ALLERIA_TRUNCATED &&
		   !strcmp(p->reason, "killed by signal 9"),
	   "and is truncated when that was SIGKILL");
}

static void test_images(void)
{
	const struct alleria_image *first = alleria_image(profile, 1, 0),
				   *second = alleria_image(profile, 1, 1);

	ok(first && second && first->ending == ALLERIA_EXECED &&
		   !strcmp(second->command[0], "toy2") && second->number == 1 &&
		   first->process == 1,
	   "exec begins another image");
	ok(second->first_access ==
			   first->first_access + first->counts.accesses &&
		   second->first_instruction ==
			   first->first_instruction +
				   first->counts.instructions,
	   "whose numbers go on");
	is_u64(alleria_process(profile, 1)->counts.instructions,
	       first->counts.instructions + second->counts.instructions,
	       "a process counts all its images");
	ok(!alleria_image(profile, 1, 2) && !alleria_image(profile, 0, 0) &&
		   !alleria_image(profile, 4, 0),
	   "there are no others");
	is_u64(alleria_image(profile, 3, 0)->process, 3,
	       "an image is of a process");
}

/* ---- threads and objects ---- */

/* Whether all counts of thread @t equal those of the instructions that it
   executed. */
static bool has_right_counts(const struct alleria_thread *t)
{
	uint64_t instructions = 0, accesses = 0;
	const struct alleria_image *i =
		alleria_image(profile, t->process, t->image);

	for (uint64_t n = i->first_instruction;
	     n < i->first_instruction + i->counts.instructions; n++)
		if (toy.instruction[n].thread == t->number) {
			instructions++;
			accesses += toy.instruction[n].n_accesses;
		}
	return t->instructions == instructions && t->accesses == accesses &&
	       t->begin_instruction <= t->end_instruction &&
	       t->begin_ns <= t->end_ns;
}

static void test_threads(void)
{
	static const long n_threads[] = {3 + 1, 2, 1};
	const struct alleria_thread *t;
	bool right = true, numbered = true;

	for (uint32_t p = 1; p <= TOY_PROCESSES; p++) {
		long n = alleria_threads(profile, p, &t);

		numbered &= n == n_threads[p - 1] && t[0].number == 1;
		for (long i = 0; i < n; i++)
			right &= t[i].process == p && has_right_counts(&t[i]);
		if (p == 2)
			numbered &=
				t[1].number == 2 && t[1].ended && !t[0].ended;
	}
	ok(numbered, "threads are numbered from 1 in their image");
	ok(right, "and did what was recorded of them");
	ok(alleria_threads(profile, 0, &t) == ALLERIA_E_RANGE && !t &&
		   alleria_threads(profile, 4, &t) == ALLERIA_E_RANGE,
	   "processes without number have none");
}

static void test_objects(void)
{
	const struct alleria_object *const *o;

	is_u64((uint64_t)alleria_objects(profile, 1, &o), 4,
	       "each image has its objects");
	ok(!strcmp(o[0]->path, "/bin/toy") &&
		   !strcmp(o[0]->build_id, "c0ffee") && o[0]->start == 0x1000 &&
		   o[0]->size == 0x2000 && o[0]->bias == 0 &&
		   o[0]->end_ns == ALLERIA_NOT && o[0]->number == 0,
	   "with path, build id and place");
	ok(!strcmp(o[1]->path, "/lib/libtoy.so") && !o[1]->build_id[0] &&
		   o[1]->bias == 0x2000 && o[1]->number == 1 &&
		   o[1]->image == 0 && o[3]->image == 1,
	   "in the order in which they were mapped");
	ok(alleria_objects(profile, 3, &o) == 2 && o[0]->process == 3,
	   "an object is of a process");
	ok(alleria_objects(profile, 0, &o) == ALLERIA_E_RANGE && !o &&
		   alleria_objects(profile, 4, &o) == ALLERIA_E_RANGE,
	   "and of none that there is not");
}

/* ---- names ---- */

static void is_name(uint64_t address, const char *function, const char *file,
		    uint32_t line, const char *object, uint64_t value)
{
	struct alleria_name n;
	char fact[80];
	bool right = true;

	snprintf(fact, sizeof(fact), "the name of 0x%llx is %s",
		 (unsigned long long)address, function);
	for (uint32_t p = 1; p <= TOY_PROCESSES; p++) {
		uint64_t first = alleria_process(profile, p)->first_instruction;

		for (unsigned i = 0; i < 2; i++)
			right &= !alleria_name(profile, p, address,
					       i ? first : ALLERIA_NOT, &n) &&
				 !strcmp(n.function, function) &&
				 !strcmp(n.file, file) && n.line == line &&
				 !strcmp(n.object, object) && n.value == value;
	}
	ok(right, fact);
}

static void test_names(void)
{
	struct alleria_name n;

	is_name(0xfff, "???", "???", 0, "???", 0xfff);
	is_name(0x1000, "main", "toy.c", 10, "/bin/toy", 0x1000);
	is_name(0x1003, "main", "toy.c", 10, "/bin/toy", 0x1003);
	is_name(0x1004, "main", "toy.c", 11, "/bin/toy", 0x1004);
	is_name(0x2000, "work", "toy.c", 20, "/bin/toy", 0x2000);
	is_name(0x2008, "work", "toy.c", 22, "/bin/toy", 0x2008);
	is_name(0x200c, "???", "???", 0, "/bin/toy", 0x200c);
	is_name(0x2fff, "???", "???", 0, "/bin/toy", 0x2fff);
	is_name(0x3000, "far", "far.c", 7, "/lib/libtoy.so", 0x1000);
	is_name(0x4000, "???", "???", 0, "???", 0x4000);
	ok(alleria_name(profile, 0, 0x1000, ALLERIA_NOT, &n) ==
			   ALLERIA_E_RANGE &&
		   alleria_name(profile, 4, 0x1000, ALLERIA_NOT, &n) ==
			   ALLERIA_E_RANGE,
	   "of a process that there is");
	ok(alleria_name(profile, 1, 0x1000, toy.n_instructions, &n) ==
			   ALLERIA_E_RANGE &&
		   alleria_name(profile, 2, 0x1000, 0, &n) == ALLERIA_E_RANGE,
	   "at an instruction of it");
}

static void test_functions(void)
{
	const struct alleria_function *f;
	const struct alleria_line *l;

	is_u64((uint64_t)alleria_functions(profile, &f), 4, "functions");
	ok(!strcmp(f[0].name, "main") && f[0].line == 10 &&
		   f[0].value == 0x1000 && f[0].number == 0 &&
		   !strcmp(f[1].name, "work") && f[1].number == 1 &&
		   !strcmp(f[3].name, "far") && f[3].number == 3,
	   "by object and value");
	is_u64((uint64_t)alleria_lines(profile, &l), 6, "lines");
	ok(l[1].line == 11 && l[1].function == 0 && l[2].function == 1 &&
		   l[5].function == 3 && !strcmp(l[5].file, "far.c"),
	   "each of a function");
}

static void test_marks(void)
{
	const struct alleria_mark *const *m;
	const struct alleria_window *w;

	is_u64((uint64_t)alleria_marks(profile, 1, 1, &m), 2, "marks");
	ok(!strcmp(m[0]->name, "here") && m[0]->kind == ALLERIA_MARK_PLACE &&
		   m[0]->number == 1 && m[0]->process == 1 && m[0]->image == 1,
	   "a place has a name");
	ok(!strcmp(m[1]->name, "there") && m[1]->kind == ALLERIA_MARK_REGION &&
		   m[1]->start == 0x7000 && m[1]->size == 0x100,
	   "and so has memory");
	ok(alleria_marks(profile, 1, 2, &m) == ALLERIA_E_RANGE && !m &&
		   alleria_marks(profile, 0, 0, &m) == ALLERIA_E_RANGE &&
		   alleria_marks(profile, 4, 0, &m) == ALLERIA_E_RANGE,
	   "in an image that there is");
	ok(alleria_windows(profile, &w) == 0 &&
		   alleria_window_set(profile, 0) == 0 &&
		   alleria_window_set(profile, 1) == 0,
	   "without windows there are none");
}

static void test_calls(void)
{
	const struct alleria_call *call;
	struct alleria_calls *c;

	ok(alleria_calls_open(profile, 0, NULL, &c) == ALLERIA_E_RANGE && !c &&
		   alleria_calls_open(profile, 4, NULL, &c) == ALLERIA_E_RANGE,
	   "calls are of a process that there is");
	ok(alleria_calls_open(profile, 3, NULL, &c) == 0 &&
		   alleria_next_call(c, &call) == 0,
	   "where none was intercepted there are none");
	alleria_calls_close(c);
	alleria_calls_close(NULL);
}

/* ---- executors ---- */

static struct played {
	uint64_t accesses, instructions, executions, branches, events;
	unsigned processes, ended;
	int stop_after; /* batches of accesses after which the executor stops;
			   0: never */
	int result;
	bool hides_error; /* end() returns 0 */
} played;

static int play_process(void *state, const struct alleria_process *p)
{
	struct played *s = state;

	return p->index == ++s->processes ? 0 : -1;
}

static int play_accesses(void *state, const struct alleria_access *a, long n)
{
	struct played *s = state;
	int result = a[0].number == s->accesses ? 0 : -1;

	s->accesses += (uint64_t)n;
	return s->stop_after && --s->stop_after == 0 ? s->result : result;
}

static int play_instructions(void *state, const struct alleria_instruction *i,
			     long n)
{
	struct played *s = state;
	int result = i[0].number == s->instructions ? 0 : -1;

	s->instructions += (uint64_t)n;
	return result;
}

static int play_executions(void *state, const struct alleria_execution *x,
			   long n)
{
	(void)x;
	((struct played *)state)->executions += (uint64_t)n;
	return 0;
}

static int play_branches(void *state, const struct alleria_branch *b, long n)
{
	(void)b;
	((struct played *)state)->branches += (uint64_t)n;
	return 0;
}

static int play_event(void *state, const struct alleria_event *e)
{
	struct played *s = state;

	s->events++;
	return e->instruction == s->instructions ? 0 : -1;
}

static int play_end(void *state, int error)
{
	((struct played *)state)->ended++;
	return ((struct played *)state)->hides_error ? 0 : error;
}

static const struct alleria_executor player = {
	.state = &played,
	.process = play_process,
	.accesses = play_accesses,
	.instructions = play_instructions,
	.executions = play_executions,
	.branches = play_branches,
	.event = play_event,
	.end = play_end,
};

static void test_replay(void)
{
	int result = 7;

	ok(alleria_replay(profile, NULL, &player, 1, &result) == 0 &&
		   result == 0,
	   "a profile is replayed to its end");
	ok(played.accesses == toy.n_accesses &&
		   played.instructions == toy.n_instructions &&
		   played.executions == toy.n_executions &&
		   played.events == toy.n_events && played.branches > 0 &&
		   played.processes == TOY_PROCESSES && played.ended == 1,
	   "with everything in it, in order");
	played = (struct played){.stop_after = 2, .result = 1};
	ok(alleria_replay(profile, NULL, &player, 1, &result) == 0 &&
		   result == 0 && played.accesses < toy.n_accesses &&
		   played.ended == 1,
	   "until nobody wants more");
	played = (struct played){.stop_after = 2, .result = -5};
	ok(alleria_replay(profile, NULL, &player, 1, &result) ==
			   ALLERIA_E_STOPPED &&
		   result == -5 && played.ended == 1,
	   "or somebody fails");
	played = (struct played){
		.stop_after = 2, .result = -5, .hides_error = true};
	ok(alleria_replay(profile, NULL, &player, 1, &result) ==
			   ALLERIA_E_STOPPED &&
		   result == -5,
	   "which the result of its end() does not change");
}

/* ---- files that are no profiles ---- */

static int open_file(const char *path, char *message)
{
	struct alleria_profile *p = (void *)1;
	int err = alleria_open(path, &p, message);

	if (!err)
		alleria_close(p);
	else if (p)
		return 1;
	return err;
}

/* Copy the profile to another file and overwrite @n bytes at @offset; cut the
   file to @length unless that is 0. Return: its path. */
static const char *damaged(long offset, const char *bytes, size_t n,
			   off_t length)
{
	static char path[64];
	char command[200];
	int fd;

	snprintf(path, sizeof(path), "%s.damaged", toy_path);
	snprintf(command, sizeof(command), "cp %s %s", toy_path, path);
	if (system(command))
		abort();
	fd = open(path, O_RDWR);
	if (fd < 0 || pwrite(fd, bytes, n, offset) != (ssize_t)n ||
	    (length && ftruncate(fd, length)))
		abort();
	close(fd);
	return path;
}

static void test_errors(void)
{
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;
	const char *path;

	ok(open_file("/dev/null/file", message) == ALLERIA_E_FILE &&
		   strstr(message, "/dev/null/file"),
	   "a file that is not there is named");
	ok(open_file("/dev/null", message) == ALLERIA_E_FORMAT ||
		   open_file("/dev/null", message) == ALLERIA_E_FILE,
	   "what is no profile is told");
	ok(open_file("/dev/null/file", NULL) == ALLERIA_E_FILE,
	   "nobody needs to be told");
	ok(open_file("/proc/self/exe", message) == ALLERIA_E_FORMAT &&
		   strstr(message, "/proc/self/exe"),
	   "a program is no profile");
	path = damaged(0, "", 0, 20000);
	ok(!alleria_open(path, &p, message) &&
		   alleria_state(p)->damage != ALLERIA_WHOLE &&
		   alleria_state(p)->status == ALLERIA_UNFINISHED,
	   "one that was cut can be read");
	alleria_close(p);
	unlink(path);
	alleria_close(NULL);
	alleria_cursor_close(NULL);
}

static void test_texts(void)
{
	bool right = true;

	for (int i = ALLERIA_E_STOPPED; i <= ALLERIA_E_MEMORY; i++)
		for (int k = i + 1; k < 0; k++)
			right &= strcmp(alleria_error_text(i),
					alleria_error_text(k)) != 0;
	ok(right, "each error has words of its own");
	ok(alleria_error_text(0) && alleria_error_text(-1000),
	   "so has what is none");
	is_str(alleria_version(), ALLERIA_VERSION, "the version");
}

int main(void)
{
	toy_write();
	profile = toy_open();
	test_run();
	test_processes();
	test_endings();
	test_images();
	test_threads();
	test_objects();
	test_names();
	test_functions();
	test_marks();
	test_calls();
	test_replay();
	ok(alleria_refresh(profile) == 0, "nothing comes behind the end");
	test_errors();
	test_texts();
	alleria_close(profile);
	toy_remove();
	return done_testing();
}
