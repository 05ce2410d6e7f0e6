/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile_test.c - tools that do not keep to the protocol
 */
#include <sys/stat.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "tests/fixtures/fake_window_tool.h"

enum { HELLO = sizeof(struct pt_hello) + 16 /* [bytes] of good_hello() */ };

static void test_bad_hellos(void)
{
	static char big[PT_MAX_MESSAGE + 100];
	struct packet h = good_hello();

	start();
	h.hello.magic++;
	ok(strstr(refusal(&h, HELLO), "magic"),
	   "another magic number is refused");
	h = good_hello();
	h.hello.major = 7;
	h.hello.minor = 3;
	ok(strstr(refusal(&h, HELLO), "7.3"),
	   "another major version is refused, and named");
	ok(strstr(refusal(&h, 8), "7.3"), "whatever else the hello holds");
	h = good_hello();
	ok(*refusal(&h, HELLO - 1), "a hello cut short is refused");
	ok(*refusal(&h, 3), "also when it is very short");
	h.hello.bytes += 8;
	ok(strstr(refusal(&h, HELLO), "size"), "another size is refused");
	h = good_hello();
	h.hello.n_strings = 4;
	ok(*refusal(&h, HELLO), "strings that are not there are refused");
	h.hello.n_strings = UINT32_MAX;
	ok(*refusal(&h, HELLO), "however many");
	h.hello.n_strings = 2;
	ok(strstr(refusal(&h, HELLO), "unexpected bytes after its strings"),
	   "so are more than were announced");
	h = good_hello();
	h.rest[15] = 'x';
	ok(*refusal(&h, HELLO), "so is an open end");
	memcpy(big, &h, sizeof(h));
	ok(*refusal(big, sizeof(big)), "so is a packet that is too large");
	h = good_hello();
	h.hello.flags = PT_HELLO_FORKED;
	h.hello.parent_stream = 12;
	is_str(refusal(&h, HELLO), "protocol error",
	       "a child of nobody is refused");
	free(stop());
}

static void test_newer_minor(void)
{
	struct packet hello = good_hello();
	struct tool t;

	start();
	hello.hello.minor = PT_MINOR + 5;
	join(&t, &hello);
	ok(t.map != NULL, "a newer minor version is welcomed");
	say(&t, 4711, 0);
	t.page->ending = PT_EXITED;
	leave(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	ok(dm_daemon_is_run_complete(d), "and its unknown messages skipped");
	free(stop());
}

/* Check that a tool which misbehaves by @sin is dropped for @reason, and that
   the next tool is served. */
static void check_fault_for(const char *reason, void (*sin)(struct tool *),
			    const char *fact)
{
	struct packet hello = good_hello();
	struct tool t;
	char *text;

	start();
	join(&t, &hello);
	sin(&t);
	is_u64((uint64_t)hear(&t), 0, fact);
	leave(&t);
	join(&t, &hello);
	ok(t.map != NULL, "the next tool is served");
	t.page->ending = PT_EXITED;
	leave(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	ok(!dm_daemon_is_run_complete(d), "the run is not complete");
	text = stop();
	ok(strstr(text, reason), "the report says why");
	free(text);
}

static void check_fault(void (*sin)(struct tool *), const char *fact)
{
	check_fault_for("protocol error", sin, fact);
}

static void sin_published(struct tool *t)
{
	publish(t, 1000);
	say(t, PT_MSG_CHUNK, 1000);
}

static void sin_log(struct tool *t)
{
	set_log_head(t, UINT64_MAX & ~7ull);
	say(t, PT_MSG_LOG, 0);
}

static void sin_record(struct tool *t)
{
	memset(t->map + 2 * PT_PAGE, 0xff, 64);
	set_log_head(t, 64);
	say(t, PT_MSG_LOG, 0);
}

static void sin_unit(struct tool *t)
{
	t->chunk0[1] = 32;
	t->chunk0[2] = pt_encode_block_unit_header(99, pt_block_unit_bytes(1));
	publish(t, 1);
	say(t, PT_MSG_CHUNK, 1);
}

/* Log a block with the maximum of instructions and of loads, 4 bytes and a page
   apart. */
static size_t describe_long_block(struct tool *t)
{
	enum { N = PT_MAX_INSTRS };
	static struct {
		struct pt_log_block block;
		struct pt_instr instr[N];
		struct pt_access access[N];
		struct pt_exit exit;
	} r = {
		.block = {.head = {PT_LOG_BLOCK, sizeof(r)},
			  .n_instrs = N,
			  .n_accesses = N,
			  .n_exits = 1},
		.exit = {.n_instrs = N, .n_accesses = N, .bytes = 4},
	};

	for (unsigned i = 0; i < N; i++) {
		r.instr[i] = (struct pt_instr){.addr = 4 * i, .len = 4};
		r.access[i] = (struct pt_access){.delta = 4096 * i,
						 .instr = (uint16_t)i,
						 .slot = PT_NO_SLOT,
						 .size = 8};
	}
	memcpy(t->map + 2 * PT_PAGE, &r, sizeof(r));
	return sizeof(r);
}

/* Send chunks with faults, each at another instruction of the long block. */
static void sin_cuts(struct tool *t)
{
	enum { CUTS = 8000 };
	uint64_t *word = t->chunk0 + 2;

	set_log_head(t, describe_long_block(t));
	for (unsigned i = 0; i < CUTS; i++) {
		*word++ = pt_control_unit_first_word(PT_CUT, 0, 16);
		*word++ = pt_encode_block_cut_position(i % 512, 512 + i / 512,
						       false);
	}
	t->chunk0[0] = pt_control_unit_first_word(PT_CHUNK, 0, 16);
	t->chunk0[1] = (uint64_t)((char *)word - (char *)t->chunk0);
	publish(t, 1);
	say(t, PT_MSG_CHUNK, 1);
}

static void sin_committed(struct tool *t)
{
	t->chunk0[1] = 1 << 30;
	publish(t, 1);
	say(t, PT_MSG_CHUNK, 1);
}

static void sin_message(struct tool *t)
{
	send(t->fd, "x", 1, MSG_NOSIGNAL);
}

/* Send a message that is longer than the daemon reads, and otherwise valid. */
static void sin_long_message(struct tool *t)
{
	enum { LONG = 3 * PT_MAX_MESSAGE };
	struct pt_message *m = calloc(1, LONG);

	if (!m)
		return;
	memset(m + 1, 0xff, LONG - sizeof(*m));
	*m = (struct pt_message){.type = PT_MSG_DECODE,
				 .value = (LONG - sizeof(*m)) / 256};
	send(t->fd, m, LONG, MSG_NOSIGNAL);
	free(m);
}

static void sin_decode(struct tool *t)
{
	say(t, PT_MSG_DECODE, 1);
}

static void test_faults(void)
{
	check_fault(sin_published, "more chunks than there are: hung up");
	check_fault(sin_log, "more log than there is: hung up");
	check_fault(sin_record, "a record that is none: hung up");
	check_fault(sin_unit, "a block that was not described: hung up");
	check_fault_for("faults in too many places", sin_cuts,
			"faults in thousands of places: hung up");
	check_fault(sin_committed, "a chunk that is too long: hung up");
	check_fault(sin_message, "a message that is too short: hung up");
	check_fault(sin_long_message, "a message that is too long: hung up");
	check_fault(sin_decode, "a question without a plan: hung up");
}

/* Send a request whose @bytes are malformed instructions. Check that the daemon
   hangs up and ends the image although the tool's process is alive. */
static void check_decode(uint64_t n, const void *code, size_t bytes,
			 const char *fact)
{
	struct {
		struct pt_message m;
		unsigned char code[64];
	} packet = {.m = {.type = PT_MSG_DECODE, .value = n}};
	struct packet hello = good_hello();
	struct tool t;
	char *text;

	start();
	join(&t, &hello);
	free(get_plan(&t));
	memcpy(packet.code, code, bytes);
	send(t.fd, &packet, sizeof(packet.m) + bytes, MSG_NOSIGNAL);
	is_u64((uint64_t)hear(&t), 0, fact);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS),
	   "its image ends while the tool stays");
	text = stop();
	ok(strstr(text, "protocol error"), "the report says why");
	free(text);
	leave(&t);
}

/* Send malformed requests from a process recorded by a plan. */
static void test_bad_decode(void)
{
	static const unsigned char nop[] = {1, 0x90};

	use_windows("windows:\n  - profile: [{process: 0}]\n");
	check_decode(1, "", 0, "no instruction where one is said: hung up");
	check_decode(1, "\0\x90", 2, "an instruction of no bytes: hung up");
	check_decode(1, "\2\x90", 2,
		     "an instruction longer than what there is: hung up");
	check_decode(2, nop, 2, "one instruction where two are said: hung up");
	check_decode(PT_MAX_INSTRS + 1, nop, 2,
		     "more instructions than a block has: hung up");
	check_decode(UINT64_MAX, nop, 2, "however many: hung up");
	remove_windows();
}

/* Fill everything in the ring with noise, the positions too. */
static void test_noise(void)
{
	struct packet hello = good_hello();
	struct tool t;
	unsigned seed = 1;
	uint64_t *words;
	size_t i, n;
	int round;

	start();
	for (round = 0; round < 20; round++) {
		join(&t, &hello);
		if (!t.map)
			break;
		words = (uint64_t *)(t.map + PT_PAGE);
		n = (t.welcome.bytes - PT_PAGE) / 8;
		for (i = 0; i < n; i += 1 + (size_t)rand_r(&seed) % 64)
			words[i] = (uint64_t)rand_r(&seed) << 32 |
				   (uint64_t)rand_r(&seed);
		publish(&t, (uint64_t)rand_r(&seed) % 9);
		set_log_head(&t, (uint64_t)rand_r(&seed) % (512 << 10) & ~7u);
		say(&t, PT_MSG_CHUNK, 0);
		leave(&t);
	}
	is_u64((uint64_t)round, 20, "noise hurts nobody but its sender");
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS), "and comes to an end");
	ok(!dm_daemon_is_run_complete(d), "the run is not complete");
	free(stop());
}

static void test_refusing(void)
{
	struct dm_options o = {.socket = path, .refusal = "no such analysis"};
	struct packet hello = good_hello();
	char message[AL_MESSAGE];

	d = dm_daemon_start(settings, &o, message);
	is_str(refusal(&hello, HELLO), "no such analysis",
	       "a daemon with wrong options tells the tool");
	free(stop());
}

/* Whether a process of another user gets any answer. */
static bool stranger_is_answered(void)
{
	struct packet hello = good_hello();
	struct tool t;
	int fd, status;
	pid_t pid = fork();

	if (pid == 0) {
		if (setuid(65534))
			_exit(2);
		t.fd = dial();
		send(t.fd, &hello, HELLO, MSG_NOSIGNAL);
		_exit(get_welcome(&t, &fd));
	}
	waitpid(pid, &status, 0);
	return status != 0;
}

static void test_stranger(void)
{
	char private[DM_PATH];

	if (geteuid() != 0) {
		skip("not root", "another user's connection is closed unread");
		return;
	}
	memcpy(private, path, sizeof(private));
	snprintf(path, sizeof(path), "%s/open.sock", base);
	chmod(base, 0755);
	start();
	chmod(path, 0666);
	ok(!stranger_is_answered(),
	   "another user's connection is closed unread");
	free(stop());
	memcpy(path, private, sizeof(path));
}

int main(void)
{
	set_up();
	test_bad_hellos();
	test_newer_minor();
	test_faults();
	test_noise();
	test_refusing();
	test_stranger();
	test_bad_decode();
	return tear_down();
}
