/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - registers the tool with Valgrind, parses its options, starts and
 * ends the recording
 */

#include "vgtool/core/message.h"

#include <pub_tool_clientstate.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_xarray.h>

#include "proto/shared/suggest.h"
#include "proto/shared/time_slice.h"
#include "vgtool/core/compare_passes.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/core/registers.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/heap.h"
#include "vgtool/instrument/descriptor_budget.h"
#include "vgtool/instrument/instrument.h"
#include "vgtool/instrument/known_descriptors.h"
#include "vgtool/process/client_requests.h"
#include "vgtool/process/environment.h"
#include "vgtool/process/process_title.h"
#include "vgtool/process/thread_events.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/daemon_start.h"
#include "vgtool/transport/ring.h"
#include "vgtool/transport/socket.h"
#include "vgtool/transport/staging.h"
#include "vgtool/transport/standard_output.h"

enum {
	MAX_OPTIONS = 48,
	MAX_UNROLLED = 400, /* [statements] greatest value of
			       --vex-iropt-unroll-thresh that VEX accepts */
	MAX_UNKNOWN = 100,  /* [bytes] greatest length of an unknown option for
			      which another one is suggested */
	WRONG_USAGE = 2,
};

static const HChar *clo_socket;
static const HChar *clo_image; /* the daemon's socket; set if a recorded program
				  has started this one by exec */
static const HChar *clo_private_daemon[MAX_OPTIONS + 1]; /* options that the
	tool passes on to a private daemon, ends with NULL */
static UInt n_private_daemon;

/* Print @reason and end the process before the program starts. */
static void exit_with_message(const HChar *reason)
{
	vt_message_print(reason);
	VG_(exit)(WRONG_USAGE);
}

/* Options for a private daemon, as they begin. */
static const HChar *const daemon_option[] = {
	"--analyze=",	 "--cache=",   "--I1=",		 "--D1=",
	"--LL=",	 "--json=",    "--workers=",	 "--adaptive=",
	"--partitions=", "--buffers=", "--buffer-size=", "--profile=",
	"--compress=",	 "--window=",  "--record=",	 "--strict",
	"--allocators=", "--force",    "--memory=",	 "--json-each=",
	"--L2=",	 "--only=",    "--calls=",	 "--top=",
	"--what-if=",	 "--full",     "--html=",	 "--no-source",
	"--editor-url=",
};
enum { DAEMON_OPTIONS = sizeof(daemon_option) / sizeof(*daemon_option) };

/* Whether @arg is an option for a private daemon, which parses it; the tool
   only passes it on. */
static Bool is_option_passed_to_private_daemon(const HChar *arg)
{
	for (UInt i = 0; i < DAEMON_OPTIONS; i++)
		if (VG_(strncmp)(arg, daemon_option[i],
				 VG_(strlen)(daemon_option[i])) == 0)
			return True;
	return False;
}

/* Return the length of the name of an option without its dashes: 4 of
   "--json=FILE". */
static UInt option_name_length(const HChar *option)
{
	UInt n = 0;

	while (option[2 + n] != 0 && option[2 + n] != '=')
		n++;
	return n;
}

/* Return the option for a private daemon whose name is most similar to that of
   @arg, which begins with "--"; NULL if none is similar enough. */
static const HChar *find_similar_daemon_option_or_null(const HChar *arg)
{
	HChar name[PT_MAX_SUGGEST_BYTES + 1];
	UInt n = option_name_length(arg);
	struct pt_suggestion_search nearest;
	const HChar *found = NULL;

	if (n >= sizeof(name))
		return NULL;
	VG_(memcpy)(name, arg + 2, n);
	name[n] = 0;
	nearest = pt_suggestion_start_search(name);
	for (UInt i = 0; i < DAEMON_OPTIONS; i++)
		if (pt_suggestion_store_distance_if_nearer(
			    &nearest, daemon_option[i] + 2,
			    option_name_length(daemon_option[i])))
			found = daemon_option[i];
	return found;
}

/* End the process with a message if @arg, which neither Valgrind nor the tool
   knows, is similar to an option for a private daemon. Not if the program runs:
   then a monitor command has @arg. */
static void exit_suggesting_similar_daemon_option(const HChar *arg)
{
	HChar text[MAX_UNKNOWN + 80], name[2 + PT_MAX_SUGGEST_BYTES + 1];
	const HChar *near = NULL;

	if (VG_(Clo_Mode)() != cloD && VG_(strncmp)(arg, "--", 2) == 0 &&
	    VG_(strlen)(arg) <= MAX_UNKNOWN)
		near = find_similar_daemon_option_or_null(arg);
	if (near == NULL)
		return;
	VG_(memcpy)(name, near, 2 + option_name_length(near));
	name[2 + option_name_length(near)] = 0;
	VG_(sprintf)
	(text, "unknown option '%s'; did you mean '%s'?", arg, name);
	exit_with_message(text);
}

static void append_private_daemon_option_or_exit(const HChar *arg)
{
	if (n_private_daemon == MAX_OPTIONS)
		VG_(fmsg_bad_option)(arg, "too many options\n");
	clo_private_daemon[n_private_daemon++] = arg;
}

static Bool parse_tool_or_collect_daemon_option(const HChar *arg)
{
	if (VG_STR_CLO(arg, "--alleria-socket", clo_socket) ||
	    VG_STR_CLO(arg, "--alleria-image", clo_image) ||
	    VG_BINT_CLO(arg, "--max-code", vt_budget_max_mib, 1, 1 << 20) ||
	    VG_BINT_CLO(arg, "--max-routes", vt_budget_max_routes, 1,
			PT_MAX_ROUTES) ||
	    VG_BOOL_CLO(arg, "--compare-passes", vt_compare_is_on) ||
	    VG_XACT_CLO(arg, "--staging=auto", vt_staging_mode,
			VT_STAGING_AUTO) ||
	    VG_XACT_CLO(arg, "--staging=never", vt_staging_mode,
			VT_STAGING_NEVER) ||
	    VG_XACT_CLO(arg, "--staging=always", vt_staging_mode,
			VT_STAGING_ALWAYS))
		return True;
	if (!is_option_passed_to_private_daemon(arg)) {
		exit_suggesting_similar_daemon_option(arg);
		return False;
	}
	append_private_daemon_option_or_exit(arg);
	return True;
}

static void print_usage(void)
{
	VG_(printf)
	("    --alleria-socket=PATH     join the daemon there [a running "
	 "alleriad, else\n"
	 "                              a private one is started]\n"
	 "    --analyze=NAME[:key=value,...]  --cache=FILE  --I1= --D1= --L2= "
	 "--LL=\n"
	 "                              --json=FILE  --html=FILE\n"
	 "                              what a private daemon does: see "
	 "alleria-run(1)\n"
	 "    --max-code=MIB            end the recording when descriptions of "
	 "code\n"
	 "                              take more [a quarter of the machine's "
	 "memory]\n");
}

static void print_help_of_debug_options(void)
{
	VG_(printf)
	("    --alleria-image=PATH      what the tool tells the programs that "
	 "its own\n"
	 "                              executes: the daemon at PATH records "
	 "them\n"
	 "    --compare-passes=no|yes   make each block as VEX does, too, and "
	 "print\n"
	 "                              which differ [no]\n"
	 "    --max-routes=N            blocks that would have more exits in "
	 "all are\n"
	 "                              not recorded, their accesses count as "
	 "lost\n");
}

/*
 * Whether a recorded program started this one by exec. Then this program runs
 * even if it cannot be recorded, because the program that started it does not
 * know about Alleria. The option --alleria-image is the only reliable sign: a
 * program passes any environment it likes, and the user may have set
 * VALGRIND_LIB.
 */
static Bool is_started_by_recorded_exec(void)
{
	return clo_image != NULL;
}

/* Add --alleria-image=PATH, with the path of the daemon's socket, to the
   options that Valgrind passes to programs that this one executes. */
static void add_daemon_socket_option_for_exec(void)
{
	static const HChar name[] = "--alleria-image=";
	static HChar option[sizeof(name) + VT_MAX_PATH];
	const HChar *arg = option;

	VG_(sprintf)(option, "%s%s", name, vt_connection_socket_path());
	VG_(addToXA)(VG_(args_for_valgrind), &arg);
}

/* Connect to the daemon whose socket is @socket_path. If it refuses, end the
   process or, in a program started by exec, go on unrecorded. Return: False if
   no daemon listens. */
static Bool join_daemon_report_refusal_is_listening(const HChar *socket_path)
{
	HChar reason[PT_REASON];

	switch (vt_connection_join(socket_path, is_started_by_recorded_exec(),
				   reason)) {
	case VT_JOINED:
		return True;
	case VT_REFUSED:
		if (!is_started_by_recorded_exec())
			exit_with_message(reason);
		vt_message_print_with_reason("the program goes on unrecorded",
					     reason);
		return True;
	default:
		return False;
	}
}

/* End the process and print the first line of @output, which a private daemon
   has printed, without the daemon's name at its start. Modifies @output. */
static void exit_with_daemon_message(HChar *output)
{
	static const HChar name[] = "alleriad: ";
	HChar *end = VG_(strchr)(output, '\n');

	if (end != NULL)
		*end = 0;
	if (VG_(strncmp)(output, name, sizeof(name) - 1) == 0)
		output += sizeof(name) - 1;
	exit_with_message(output);
}

/* Append the last --error-exitcode of the command line to the options of a
   private daemon. Valgrind has an option of this name, too, and does not pass
   it to the tool's parser. */
static void append_given_error_exitcode_for_daemon(void)
{
	static const HChar prefix[] = "--error-exitcode=";
	Word i = VG_(sizeXA)(VG_(args_for_valgrind));

	while (i-- > 0) {
		const HChar *arg =
			*(HChar **)VG_(indexXA)(VG_(args_for_valgrind), i);

		if (VG_(strncmp)(arg, prefix, sizeof(prefix) - 1) != 0)
			continue;
		append_private_daemon_option_or_exit(arg);
		return;
	}
}

/* Start a private daemon, which serves only this program, and join it; or end
   the process with a message. */
static void start_and_join_private_daemon_or_exit(void)
{
	HChar name[40], path[VT_MAX_PATH], output[512];

	VG_(sprintf)(name, "private-%d.sock", VG_(getpid)());
	if (vt_spawn_build_socket_path(path, name) == NULL)
		exit_with_message("the runtime directory's name is too long");
	append_given_error_exitcode_for_daemon();
	if (!vt_spawn_daemon(path, clo_private_daemon, output, sizeof(output)))
		exit_with_message("cannot start a daemon");
	if (output[0])
		exit_with_daemon_message(output);
	if (!join_daemon_report_refusal_is_listening(path))
		exit_with_message(
			"the private daemon does not come up; is 'alleriad' "
			"installed?");
}

/* Join the daemon whose socket is named after this process, or else the user's
   running daemon. Return: False if there is neither. */
static Bool try_join_pid_or_user_daemon(void)
{
	HChar name[40], path[VT_MAX_PATH];

	VG_(sprintf)(name, "pid-%d.sock", VG_(getpid)());
	if (vt_spawn_build_socket_path(path, name) != NULL &&
	    join_daemon_report_refusal_is_listening(path))
		return True;
	if (vt_spawn_build_socket_path(path, "alleriad.sock") == NULL ||
	    !join_daemon_report_refusal_is_listening(path))
		return False;
	if (n_private_daemon > 0)
		vt_message_print(
			"a daemon is running: its analysis options hold, "
			"those given here are ignored");
	return True;
}

/* Join a daemon for a program that was not started by exec: the one named by
   --alleria-socket, a running one, or else a new private one. If that fails,
   end the process. */
static void join_or_start_daemon_or_exit(void)
{
	if (clo_socket != NULL
		    ? join_daemon_report_refusal_is_listening(clo_socket)
		    : try_join_pid_or_user_daemon())
		return;
	if (clo_socket != NULL)
		exit_with_message(
			"cannot join the daemon at the socket given by "
			"--alleria-socket");
	start_and_join_private_daemon_or_exit();
}

/* Join a daemon, starting one if needed, and prepare Valgrind's options for
   programs that this one executes. If that fails, end the process or, in a
   program that a recorded one has started by exec, go on unrecorded. */
static void connect_daemon_and_add_exec_option(void)
{
	if (!is_started_by_recorded_exec()) {
		join_or_start_daemon_or_exit();
		add_daemon_socket_option_for_exec();
	} else if (!join_daemon_report_refusal_is_listening(clo_image)) {
		vt_message_print_with_reason("the program goes on unrecorded",
					     "cannot reach the daemon");
	}
}

/*
 * Make VEX unroll loops as far as it can. Each execution of a block is recorded
 * as one unit, at a cost that hardly depends on the block's size, so larger
 * blocks cost less: bzip2 writes an eighth fewer units. The user's own
 * --vex-iropt-unroll-thresh takes precedence.
 */
static void maximise_vex_loop_unrolling_limit(void)
{
	VG_(clo_vex_control).iropt_unroll_thresh = MAX_UNROLLED;
}

/* Request a longer time slice for this thread from the kernel, if it supports
   that. Threads and processes that the program starts inherit the slice. */
static void lengthen_kernel_time_slice(void)
{
	struct pt_sched_attr s;

	if (!sr_isError(VG_(do_syscall)(__NR_sched_getattr, 0, (UWord)&s,
					sizeof(s), 0, 0, 0)) &&
	    pt_sched_attr_lengthen_slice(&s))
		vt_syscall3(__NR_sched_setattr, 0, (UWord)&s, 0);
}

/* Join a daemon and prepare the recording. Valgrind calls this after it has
   parsed the options. */
static void vt_post_clo_init(void)
{
	vt_ring_switch_to_sink_page();
	vt_title_copy_argv0_to_detect_change();
	vt_environment_hash_count_vars_and_bytes();
	connect_daemon_and_add_exec_option();
	vt_environment_publish_hash_and_size();
	if (vt_connection_must_await_report())
		vt_print_dup_stdout_and_stderr();
	if (!vt_ring_is_attached())
		return;
	lengthen_kernel_time_slice();
	vt_budget_init_max_descriptor_bytes();
	if (vt_connection_field_bits_from_welcome() & PT_FIELD_DATA)
		vt_heap_start_recording_data_objects();
	if (vt_recording_plan == NULL &&
	    !(vt_connection_field_bits_from_welcome() & PT_FIELD_UNUSED_LOADS))
		vt_registers_reduce_exact_to_sp();
}

/* Finish the recording; end the process if the daemon asks for an exit status.
   @ending_signal: the signal that ends the program, or 0. */
static void finish_recording_may_exit(Int ending_signal)
{
	Int status;

	vt_process_record_end_and_plan_outcome(ending_signal);
	vt_compare_print_pass_counts();
	status = vt_connection_send_bye_get_exit_status();
	if (status != 0)
		VG_(exit)(status);
}

/* Finish the recording after the program has called exit. After a deadly
   signal, this does nothing and __wrap_vgPlain_kill_self() finishes, since only
   that function receives the signal's number. */
static void vt_fini(Int exitcode)
{
	if (vt_process_has_called_exit())
		finish_recording_may_exit(0);
}

/* Finish the recording after a deadly signal. Valgrind's core calls this
   last. */
void __wrap_vgPlain_kill_self(Int signal)
{
	finish_recording_may_exit(signal);
	__real_vgPlain_kill_self(signal);
}

/* Limit Valgrind's table of translations to 12 sectors. A sector holds 42,000
   translations in 14 MB, and outdated translations stay in the table until all
   sectors are full. Twelve sectors hold half a million translations, more than
   most programs have, and a program that rewrites its code for ever stays below
   200 MiB. The option --num-transtab-sectors, parsed later, overrides this. */
static void limit_translation_sectors(void)
{
	VG_(clo_num_transtab_sectors) = 12;
}

static void vt_pre_clo_init(void)
{
	VG_(details_name)("Alleria");
	VG_(details_version)(PACKAGE_VERSION);
	VG_(details_description)("a recorder of every memory access");
	VG_(details_copyright_author)("GPL-2.0-or-later.");
	VG_(details_bug_reports_to)("the project's issue tracker");
	VG_(basic_tool_funcs)(vt_post_clo_init, vt_instrument, vt_fini);
	VG_(needs_command_line_options)
	(parse_tool_or_collect_daemon_option, print_usage,
	 print_help_of_debug_options);
	VG_(needs_superblock_discards)(vt_known_note_code_pages_discarded);
	vt_commands_register_daemon_callbacks();
	vt_process_register_callbacks();
	vt_requests_register_callback();
	maximise_vex_loop_unrolling_limit();
	limit_translation_sectors();
}

VG_DETERMINE_INTERFACE_VERSION(vt_pre_clo_init)
