/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_start.c - finding the daemon's socket, and starting a private daemon
 *
 * VG_(fork) would leave a pipe's end behind in the program, and a SIGCHLD
 * child would show in its wait(). So: clone with no exit signal, a session of
 * its own, clone again; the middle process ends and is waited for, the
 * grandchild becomes the daemon.
 */

#include "vgtool/transport/daemon_start.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/valgrind_core.h"

enum {
	MAX_ARGS = 64,
	SET_MASK = 2,
	WAIT_ALL = 0x40000000,
	SIGNAL_CHILD = 17,
	CLOEXEC = 02000000,
	START_MS = 10000, /* for a daemon to listen */
	REPORT = 3,	  /* the daemon's copy of our standard error */
};

static Int said[2]; /* pipe: what the daemon says until it listens */

const HChar *vt_spawn_path(HChar path[VT_PATH], const HChar *name)
{
	const HChar *dir = VG_(getenv)("XDG_RUNTIME_DIR");
	HChar fallback[40];

	if (dir == NULL || dir[0] != '/') {
		VG_(sprintf)(fallback, "/tmp/alleria-%d", VG_(geteuid)());
		dir = fallback;
	}
	if (VG_(strlen)(dir) + VG_(strlen)(name) + sizeof("/alleria/") >
	    VT_PATH)
		return NULL;
	VG_(sprintf)
	(path, "%s%s/%s", dir, dir == fallback ? "" : "/alleria", name);
	return path;
}

/* The daemon stands beside the tool in a build tree, else it is installed. */
static const HChar *daemon_program(void)
{
	static HChar path[4096];
	SysRes r = vt_syscall3(__NR_readlink, (UWord) "/proc/self/exe",
			       (UWord)path, sizeof(path) - 32);
	HChar *cut;

	if (sr_isError(r))
		return ALLERIA_BINDIR "/alleriad";
	path[sr_Res(r)] = 0;
	cut = VG_(strrchr)(path, '/');
	if (cut != NULL) {
		VG_(strcpy)(cut, "/../bin/alleriad");
		if (!sr_isError(vt_syscall3(__NR_access, (UWord)path, 1, 0)))
			return path;
	}
	return ALLERIA_BINDIR "/alleriad";
}

static void close_all(UInt from)
{
	UInt fd;

	if (!sr_isError(vt_syscall3(__NR_close_range, from, ~0u, 0)))
		return;
	for (fd = from; fd < 65536; fd++)
		vt_syscall3(__NR_close, fd, 0, 0);
}

static void exit_now(Int status)
{
	for (;;)
		vt_syscall3(__NR_exit_group, status, 0, 0);
}

/* Without what was preloaded into the program. The memory is the grandchild's
   own. */
static HChar **environment(void)
{
	HChar **from = VG_(client_envp), **to = from;

	for (; *from != NULL; from++)
		if (VG_(strncmp)(*from, "LD_PRELOAD=", 11) != 0)
			*to++ = *from;
	*to = NULL;
	return VG_(client_envp);
}

static void become_daemon(const HChar *const *args)
{
	vki_sigset_t none = {{0}};
	SysRes r = vt_syscall3(__NR_open, (UWord) "/dev/null", VKI_O_RDWR, 0);

	vt_syscall3(__NR_dup2, sr_Res(r), 0, 0);
	vt_syscall3(__NR_dup2, sr_Res(r), 1, 0);
	if (sr_isError(vt_syscall3(__NR_dup2, 2, REPORT, 0)))
		vt_syscall3(__NR_dup2, sr_Res(r), REPORT, 0);
	vt_syscall3(__NR_dup2, said[1], 2, 0);
	close_all(REPORT + 1);
	VG_(do_syscall)
	(__NR_rt_sigprocmask, SET_MASK, (UWord)&none, 0, sizeof(none), 0, 0);
	vt_syscall3(__NR_execve, (UWord)args[0], (UWord)args,
		    (UWord)environment());
	exit_now(127);
}

static SysRes clone_self(UWord flags)
{
	return VG_(do_syscall)(__NR_clone, flags, 0, 0, 0, 0, 0);
}

static void middle(const HChar *const *args)
{
	SysRes r;

	vt_syscall3(__NR_setsid, 0, 0, 0);
	r = clone_self(SIGNAL_CHILD);
	if (!sr_isError(r) && sr_Res(r) == 0)
		become_daemon(args);
	exit_now(sr_isError(r));
}

static Bool wait_for(Int pid)
{
	Int status = 0;
	SysRes r;

	do
		r = VG_(do_syscall)(__NR_wait4, pid, (UWord)&status, WAIT_ALL,
				    0, 0, 0);
	while (sr_isError(r) && sr_Err(r) == VKI_EINTR);
	return !sr_isError(r) && status == 0;
}

/* Until the pipe is closed. */
static void hear(HChar *words, UInt size)
{
	struct {
		Int fd;
		Short events, revents;
	} p = {said[0], 1, 0};
	UInt at = 0;
	Int n = 1;

	while (n > 0 && at < size - 1) {
		n = 0;
		if (sr_Res(vt_syscall3(__NR_poll, (UWord)&p, 1, START_MS)) == 1)
			n = VG_(read)(said[0], words + at, size - 1 - at);
		at += n > 0 ? n : 0;
	}
	words[at] = 0;
}

static Bool make_pipe(void)
{
	if (sr_isError(vt_syscall3(__NR_pipe2, (UWord)said, CLOEXEC, 0)))
		return False;
	said[0] = vt_safe_fd(said[0]);
	said[1] = vt_safe_fd(said[1]);
	return said[0] >= 0 && said[1] >= 0;
}

static Bool spawn(const HChar *const *args)
{
	SysRes r = clone_self(0);

	if (!sr_isError(r) && sr_Res(r) == 0)
		middle(args);
	return !sr_isError(r) && wait_for(sr_Res(r));
}

/* Return the option that names the program, which no output may replace; "" if
   it has no path: then it is found in PATH, and outputs lie elsewhere. */
static const HChar *program_option(void)
{
	static const HChar option[] = "--program=";
	const HChar *path = VG_(args_the_exename);
	HChar *word;

	if (path == NULL || VG_(strchr)(path, '/') == NULL)
		return "";
	word = VG_(malloc)("vt.spawn.program",
			   sizeof(option) + VG_(strlen)(path));
	VG_(strcpy)(word, option);
	VG_(strcat)(word, path);
	return word;
}

Bool vt_spawn_daemon(const HChar *socket, const HChar *const *options,
		     HChar *words, UInt size)
{
	static HChar socket_option[VT_PATH + 16];
	const HChar *args[MAX_ARGS];
	const HChar *program = program_option();
	UInt n = 0;
	Bool started;

	VG_(sprintf)(socket_option, "--socket=%s", socket);
	args[n++] = daemon_program();
	args[n++] = "--private=3"; /* REPORT */
	args[n++] = socket_option;
	if (*program != 0)
		args[n++] = program;
	while (*options != NULL && n < MAX_ARGS - 1)
		args[n++] = *options++;
	args[n] = NULL;
	if (!make_pipe())
		return False;
	started = spawn(args);
	VG_(close)(said[1]);
	hear(words, size);
	VG_(close)(said[0]);
	return started;
}
