/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_events.c - records threads, signals, system calls and forks; see
   thread_events.h */

#include "vgtool/process/thread_events.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "vgtool/core/message.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/core/registers.h"
#include "vgtool/core/threads.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/heap/heap.h"
#include "vgtool/instrument/branch_profile.h"
#include "vgtool/instrument/descriptors.h"
#include "vgtool/instrument/fault_count.h"
#include "vgtool/instrument/instrument.h"
#include "vgtool/process/environment.h"
#include "vgtool/process/kernel_writes.h"
#include "vgtool/process/process_title.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/named_marks.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/call_return.h"
#include "vgtool/window/events.h"
#include "vgtool/window/windows.h"
#include "vgtool/window/switch.h"

static ThreadId last_thread;		/* last thread that ran */
static struct pt_tool_page *unrecorded; /* sink's page while the running thread
					   is not recorded, else NULL */
static Bool has_called_exit;		/* the program has called exit */
static Int exit_code;
static struct vt_fork_info fork_info;
static Int join_sockets[2] = {-1, -1}; /* socket pair between parent and forked
					  child: parent's end, child's end */
static Bool has_lost_child; /* the child that was forked last has not joined the
			       daemon */

enum {
	CLOEXEC = 02000000,
	NOSIGNAL = 0x4000,
	SIG_BUS = 7,
	SIG_SEGV = 11,
	IGNORED = 1,
	SET_NAME = 15, /* option of prctl() */
};

static void number_and_record_thread_start(ThreadId unused_parent,
					   ThreadId child)
{
	UInt number = vt_thread_assign_number_and_count(child);

	vt_system_note_word_cleared_at_child_end(child);
	vt_ring_write_or_skip_control_unit(PT_THREAD_START, number, NULL, 0);
	vt_event_trigger_on_thread_start_or_end(number, True,
						vt_thread_n_alive());
}

static void record_thread_end_remove_calls(ThreadId tid)
{
	vt_system_record_clear_at_thread_end(tid);
	vt_ring_write_or_skip_control_unit(PT_THREAD_END, vt_thread_number(tid),
					   NULL, 0);
	vt_thread_decrement_alive_count();
	vt_heap_end_thread_calls_stack_variables(tid);
	vt_callstack_end_calls_of_thread(tid);
	vt_event_trigger_on_thread_start_or_end(vt_thread_number(tid), False,
						vt_thread_n_alive());
	if (last_thread == tid)
		last_thread = VG_INVALID_THREADID;
}

/* Publish the chunk if it is full, use the counts of its exits, and log object
   files. Return: False: there is no room, or code was discarded, so the running
   thread must return to the scheduler first. */
static Bool publish_chunk_log_objects_may_thread_run(void)
{
	Bool ready = vt_ring_publish_if_full_has_room();

	ready &= !vt_branch_count_sampled_exits_drop_code();
	ready &= !vt_heap_log_object_files_drop_stale_code();
	return ready;
}

/* Set the page to which the generated code of thread @tid writes: the tool's,
   or the sink's if the thread is not recorded. */
static void select_tool_or_sink_page_thread_writes(ThreadId tid,
						   Bool is_recorded)
{
	unrecorded = is_recorded ? NULL : vt_ring_rewind_sink_page();
	vt_instrument_set_tool_page(
		tid, is_recorded ? vt_ring_tool_or_sink_page() : unrecorded);
}

/* Prepare recording for thread @tid, whose generated code is about to run. If
   that cannot be completed now, make the thread return to the scheduler instead
   of running. */
static void prepare_recording_or_make_thread_yield(ThreadId tid,
						   ULong ignored_block_count)
{
	Bool is_in_wrapper = vt_instrument_test_clear_in_wrapper(tid);
	Bool ready = vt_switch_prepare_thread_is_code_kept(
		tid, vt_thread_number(tid));
	Bool records = vt_switch_is_thread_recorded(vt_thread_number(tid));

	has_called_exit = False; /* code runs: a call of exit had no effect */
	ready &= publish_chunk_log_objects_may_thread_run();
	if (!ready)
		vt_instrument_end_time_slice(tid, is_in_wrapper);
	select_tool_or_sink_page_thread_writes(tid, records);
	/* A thread whose time slice is ended at once runs no code. */
	if (ready && records && tid != last_thread) {
		last_thread = tid;
		vt_ring_write_or_skip_control_unit(
			PT_THREAD, vt_thread_number(tid), NULL, 0);
	}
	if (ready && records)
		vt_system_record_cpu_if_changed();
	vt_heap_write_units_of_stack_and_tls(tid);
	if (vt_recording_plan != NULL)
		vt_ring_move_cursor_past_last_unit();
	vt_ring_tool_or_sink_page()->running = records;
}

/* Complete the unit of the running block if thread @tid is exiting, as after
   a fault without a handler, which is visible only here. Clear the flag that
   generated code runs, and add the thread's counts to the totals. Called when
   the thread's generated code has stopped. */
static void cut_unit_if_thread_exiting_add_counts(ThreadId tid,
						  ULong unused_blocks)
{
	if (vt_ring_tool_or_sink_page()->running && VG_(is_exiting)(tid))
		vt_fault_set_pc_cut_unit_return_signal(tid);
	vt_ring_tool_or_sink_page()->running = 0;
	unrecorded = NULL;
	vt_switch_stop_counters_add_to_totals(tid);
}

/* Complete the unit of the block that a signal interrupts, and record the
   signal. Called before the signal is delivered. While generated code runs,
   only the block itself can cause a signal. */
static void finish_unit_and_record_signal(ThreadId tid, Int signal,
					  Bool unused_alt_stack)
{
	if (vt_ring_tool_or_sink_page()->running) {
		vt_fault_set_pc_cut_unit_return_signal(tid);
		vt_ring_tool_or_sink_page()->running = 0;
	} else if (unrecorded != NULL && vt_recording_plan == NULL) {
		vt_fault_locate_and_set_guest_pc(tid, unrecorded);
	}
	unrecorded = NULL;
	vt_switch_count_executed_before_fault(tid);
	vt_heap_push_signal_handler(tid);
	vt_ring_write_or_skip_control_unit(PT_SIGNAL, signal, NULL, 0);
	vt_event_trigger_on_signal(signal, vt_thread_number(tid));
}

/* Whether sigaction() with these arguments installs, for SIGSEGV or SIGBUS, a
   handler that may repair the cause of a fault: one that requests
   SA_SIGINFO. */
static Bool is_install_of_siginfo_segv_bus_handler(const UWord *sigaction_args)
{
	struct {
		UWord handler, flags;
	} act;

	if ((sigaction_args[0] != SIG_SEGV && sigaction_args[0] != SIG_BUS) ||
	    !VG_(am_is_valid_for_client)(sigaction_args[1], sizeof(act),
					 VKI_PROT_READ))
		return False;
	VG_(memcpy)(&act, (const void *)sigaction_args[1], sizeof(act));
	return act.handler > IGNORED && (act.flags & VKI_SA_SIGINFO);
}

/* Prepare for the effects of a system call that is about to run: an exit of the
   process, a set_tid_address, a clone(), an exec, an mremap(), a signal
   handler's installation or its return. */
static void prepare_for_syscall(ThreadId tid, UInt syscall_number, UWord *args,
				UInt unused_n_args)
{
	vt_heap_set_mapping_extended_by_syscall(
		syscall_number == __NR_mremap ? args[0] : 0);
	vt_system_store_word_cleared_at_end(tid, syscall_number, args);
	if (syscall_number == __NR_exit_group ||
	    (syscall_number == __NR_exit && vt_thread_n_alive() == 1)) {
		has_called_exit = True;
		exit_code = args[0] & 0xff;
	} else if (syscall_number == __NR_rt_sigaction &&
		   is_install_of_siginfo_segv_bus_handler(args)) {
		vt_registers_restore_exact_unwind_regs();
	} else if (syscall_number == __NR_rt_sigreturn) {
		vt_heap_pop_signal_handler(tid);
	} else if (syscall_number == __NR_execve ||
		   syscall_number == __NR_execveat) {
		vt_outcome_log_plan();
		vt_connection_send_outbox();
		vt_ring_store_process_ending(PT_EXEC, 0);
	}
}

static void record_child_end(UInt pid, ULong wait_status)
{
	vt_ring_write_or_skip_control_unit(PT_CHILD_EXIT, pid, &wait_status, 1);
}

/* Indices of 32-bit words of the siginfo that waitid() fills in. */
enum { INFO_CODE = 2, INFO_PID = 4, INFO_STATUS = 6 };

/* Values of word INFO_CODE: the child has exited; a signal has killed it,
   without and with a core file. Greater ones: it has stopped or continued. */
enum { CODE_EXITED = 1, CODE_KILLED = 2, CODE_DUMPED = 3 };

/* Whether the status of wait4() is that of a child that has ended, not of one
   that has stopped or continued. */
static Bool is_status_of_ended_child(UInt wait_status)
{
	return (wait_status & 0xff) != 0x7f && wait_status != 0xffff;
}

/* Record the end of the child that wait4() or waitid() has returned; do nothing
   if it has only stopped or continued. @result: the call's result. */
static void record_end_of_waited_child(UInt syscall_number, const UWord *args,
				       UInt result)
{
	const UInt *info =
		(const UInt *)args[syscall_number == __NR_wait4 ? 1 : 2];

	if (info == NULL)
		return;
	if (syscall_number == __NR_wait4 && result != 0 &&
	    is_status_of_ended_child(*info))
		record_child_end(result, *info);
	else if (syscall_number == __NR_waitid && info[INFO_PID] != 0 &&
		 info[INFO_CODE] <= CODE_DUMPED)
		record_child_end(info[INFO_PID],
				 info[INFO_CODE] == CODE_EXITED
					 ? info[INFO_STATUS] << 8
					 : info[INFO_STATUS]);
}

static void close_and_invalidate_fd(Int *fd)
{
	if (*fd >= 0)
		VG_(close)(*fd);
	*fd = -1;
}

/* Send PT_MSG_LOST if the child that was forked last has not joined the daemon.
   Called after the fork has returned to the parent, because only then is the
   child's pid known. */
static void report_child_to_daemon_if_unjoined(SysRes fork_result)
{
	if (has_lost_child && !sr_isError(fork_result))
		vt_connection_send_await_or_drop_if_full(PT_MSG_LOST,
							 sr_Res(fork_result));
	has_lost_child = False;
}

/* Update the title if the call was PR_SET_NAME of the first thread, or if
   argv[0] was written over. */
static void update_title_after_syscall(ThreadId tid, UInt syscall_number,
				       const UWord *args, SysRes res)
{
	if (syscall_number == __NR_prctl && args[0] == SET_NAME &&
	    !sr_isError(res) && vt_thread_number(tid) == 1)
		vt_title_record_from_program_string(args[1]);
	else
		vt_title_update_from_argv0();
}

static void record_futex_title_exec_and_child_end(ThreadId tid,
						  UInt syscall_number,
						  UWord *args,
						  UInt unused_n_args,
						  SysRes res)
{
	if (sr_isError(res)) { /* a failed fork leaves both sockets open */
		close_and_invalidate_fd(&join_sockets[0]);
		close_and_invalidate_fd(&join_sockets[1]);
	}
	report_child_to_daemon_if_unjoined(res);
	update_title_after_syscall(tid, syscall_number, args, res);
	if (syscall_number == __NR_futex)
		vt_system_record_futex_call_write(args[0]);
	if (syscall_number == __NR_execve || syscall_number == __NR_execveat)
		vt_ring_store_process_ending(PT_ALIVE, 0); /* the exec failed */
	else if ((syscall_number == __NR_wait4 ||
		  syscall_number == __NR_waitid) &&
		 !sr_isError(res))
		record_end_of_waited_child(syscall_number, args, sr_Res(res));
}

/*
 * Prepare a fork. The parent waits until the child has joined the daemon.
 * Otherwise the daemon might see the last connection end before the child's
 * begins, and report without the child. The child sends a byte when it has
 * joined. If it does not join, its socket closes in any case, and the parent
 * notifies the daemon.
 */
static void prepare_fork_info_and_sockets(ThreadId unused_tid)
{
	if (vt_ring_is_attached() &&
	    sr_isError(VG_(do_syscall)(__NR_socketpair, VKI_AF_UNIX,
				       VKI_SOCK_STREAM | CLOEXEC, 0,
				       (UWord)join_sockets, 0, 0)))
		join_sockets[0] = join_sockets[1] = -1;
	fork_info = (struct vt_fork_info){
		.parent_pid = VG_(getpid)(),
		.parent_stream = vt_connection_stream_number(),
		.n_blocks = vt_descriptor_n_described_blocks(),
		.parent_log = vt_ring_n_logged_bytes(),
	};
}

static void wait_for_child_join_or_set_child_lost(ThreadId unused_tid)
{
	UChar byte;

	close_and_invalidate_fd(&join_sockets[1]);
	has_lost_child = vt_ring_is_attached() &&
			 (join_sockets[0] < 0 ||
			  VG_(read)(join_sockets[0], &byte, 1) != 1);
	close_and_invalidate_fd(&join_sockets[0]);
}

/* Join the daemon in a forked child, and send the byte for which the parent
   waits. The byte is sent by a socket, since a pipe would raise SIGPIPE when
   the parent has been killed. Without a socket the child does not join, because
   the parent could not know of it. */
static void join_daemon_and_notify_parent_or_warn(void)
{
	HChar reason[PT_REASON] = "cannot reach the daemon";

	if (join_sockets[1] < 0) {
		VG_(strcpy)(reason, "no file descriptor is left");
	} else if (vt_connection_join_after_fork(&fork_info, reason) ==
		   VT_JOINED) {
		VG_(do_syscall)
		(__NR_sendto, join_sockets[1], (UWord) "", 1, NOSIGNAL, 0, 0);
		return;
	}
	vt_message_print_with_reason("a forked child goes on unrecorded",
				     reason);
}

/* Prepare recording in a forked child. The child must not write to the parent's
   ring; it gets one of its own. The daemon drops an ended process when its
   connection closes, so the child holds the parent's connection open until the
   daemon has answered. */
static void restart_recording_in_forked_child(ThreadId tid)
{
	Bool recorded = vt_ring_is_attached();

	close_and_invalidate_fd(&join_sockets[0]);
	vt_ring_unmap_parents_ring();
	vt_mark_reset_names();
	vt_connection_detach_in_child();
	if (recorded)
		join_daemon_and_notify_parent_or_warn();
	vt_connection_close_parent_socket();
	close_and_invalidate_fd(&join_sockets[1]);
	vt_system_set_last_recorded_cpu_unknown();
	vt_thread_zero_numbering_and_alive_count();
	number_and_record_thread_start(VG_INVALID_THREADID, tid);
	vt_heap_write_inherited_to_ring_in_child(tid);
	last_thread = VG_INVALID_THREADID;
	vt_title_copy_to_tool_page();
	vt_environment_publish_hash_and_size();
}

void vt_process_register_callbacks(void)
{
	VG_(track_pre_thread_ll_create)(number_and_record_thread_start);
	VG_(track_pre_thread_ll_exit)(record_thread_end_remove_calls);
	VG_(track_start_client_code)(prepare_recording_or_make_thread_yield);
	VG_(track_stop_client_code)(cut_unit_if_thread_exiting_add_counts);
	VG_(track_pre_deliver_signal)(finish_unit_and_record_signal);
	VG_(needs_syscall_wrapper)
	(prepare_for_syscall, record_futex_title_exec_and_child_end);
	VG_(atfork)
	(prepare_fork_info_and_sockets, wait_for_child_join_or_set_child_lost,
	 restart_recording_in_forked_child);
	vt_system_register_memory_callbacks();
}

Bool vt_process_has_called_exit(void)
{
	return has_called_exit;
}

void vt_process_record_end_and_plan_outcome(Int ending_signal_or_0)
{
	vt_ring_tool_or_sink_page()->running = 0;
	vt_title_update_from_argv0();
	vt_outcome_log_plan();
	if (ending_signal_or_0 != 0)
		vt_ring_write_or_skip_control_unit(PT_SIGNAL,
						   ending_signal_or_0, NULL, 0);
	vt_ring_store_process_ending(ending_signal_or_0 ? PT_FATAL : PT_EXITED,
				     ending_signal_or_0 ? ending_signal_or_0
							: exit_code);
}
