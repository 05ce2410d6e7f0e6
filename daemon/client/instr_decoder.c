/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_decoder.c - finds which selects (instruction filters) of a plan match
 * an instruction
 */
#include "daemon/client/plan_sender.h"

#include "daemon/client/connection.h"
#include "daemon/client/outbox.h"
#include "lib/config/window/instr_class.h"

struct answer {
	struct pt_message head;
	uint64_t matches[PT_MAX_INSTRS]; /* [head.value] for each instruction,
					    the bit set of the plan's selects
					    that need a decoder and match */
};

/* Decode the instructions in the packet @request, and store in the answer which
   selects of the plan match each of them. Return: false if the request is
   invalid. */
static bool store_select_matches_of_requested_instrs(
	struct answer *a, const struct pt_plan *plan,
	const struct pt_message *request, size_t request_bytes)
{
	const uint8_t *code = (const uint8_t *)(request + 1);
	size_t remaining = request_bytes - sizeof(*request);

	if (request->value > PT_MAX_INSTRS)
		return false;
	for (uint64_t i = 0; i < request->value; i++) {
		size_t len = remaining ? *code : 0;

		if (len == 0 || len >= remaining)
			return false;
		a->matches[i] = al_named_select_bits_matching_instr(
			plan, code + 1, len);
		code += 1 + len;
		remaining -= 1 + len;
	}
	a->head = (struct pt_message){PT_MSG_DECODED, 0, request->value};
	return true;
}

void dm_answer_decode_request(struct dm_client *c,
			      const struct pt_message *request,
			      size_t packet_bytes)
{
	const struct pt_plan *plan =
		c->process ? al_process_recording_plan(c->process) : NULL;
	struct answer a;

	if (dm_is_no_more_input_accepted(c))
		return; /* no answer: the client's input is over; its connection
			   is closed when its recording has ended */
	if (plan &&
	    store_select_matches_of_requested_instrs(&a, plan, request,
						     packet_bytes) &&
	    dm_outbox_queue_answer(c, &a.head,
				   sizeof(a.head) +
					   request->value * sizeof(*a.matches)))
		return;
	dm_client_set_fault_and_close_connection(c, "protocol error");
}
