/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.c - creates the ring of proto/ring.h, and reads it as its consumer
 *
 * Threads: see ring.h.
 */
#include "daemon/client/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/pipeline/stream.h"
#include "proto/unit.h"

enum {
	RECOVERY_BYTES =
		512 << 10 /* [bytes] estimate for tables of blocks and other
			     data of the analysis of chunks, added to that of
			     the chunks */
};

size_t dm_ring_bytes_before_growth(const struct dm_shape *s)
{
	return 2 * (size_t)PT_PAGE + s->log_bytes +
	       (size_t)s->chunk_bytes * (1 + s->n_chunks);
}

bool dm_ring_shape_shrink_one_step(struct dm_shape *s)
{
	if (s->n_chunks > 2)
		s->n_chunks = s->n_chunks > 4 ? s->n_chunks / 2 : 2;
	else if (s->chunk_bytes / 2 >= PT_MIN_CHUNK)
		s->chunk_bytes = s->chunk_bytes / 2 & ~(PT_PAGE - 1u);
	else if (s->log_bytes > DM_MIN_LOG_BYTES)
		s->log_bytes /= 2;
	else
		return false;
	return true;
}

/* Return the memory [bytes] of a ring of shape @s after it has grown to
   max_chunks. */
static size_t ring_bytes_after_maximum_growth(const struct dm_shape *s)
{
	struct dm_shape grown = *s;

	if (grown.max_chunks > grown.n_chunks)
		grown.n_chunks = grown.max_chunks;
	return dm_ring_bytes_before_growth(&grown);
}

static struct pt_daemon_page *start_of_daemon_page(const struct dm_ring *r)
{
	return (struct pt_daemon_page *)r->map;
}

static const struct pt_tool_page *start_of_tool_page(const struct dm_ring *r)
{
	return (const struct pt_tool_page *)(r->map + PT_PAGE);
}

static const unsigned char *start_of_log(const struct dm_ring *r)
{
	return r->map + 2 * PT_PAGE;
}

static const unsigned char *start_of_staging(const struct dm_ring *r)
{
	return start_of_log(r) + r->shape.log_bytes;
}

static const unsigned char *start_of_first_chunk(const struct dm_ring *r)
{
	return start_of_staging(r) + r->shape.chunk_bytes;
}

/* Allocate memory for the range of @bytes bytes from offset @offset of a memory
   file, so that no access to the range raises SIGBUS. Return: 0; -errno. */
static int allocate_memory_file_range(int fd, size_t offset, size_t bytes)
{
	int err;

	do
		err = -posix_fallocate(fd, (off_t)offset, (off_t)bytes);
	while (err == -EINTR);
	return err;
}

/* Create a memory file of @file_bytes bytes whose size cannot be changed any
   more, and allocate memory for its first @allocated_bytes bytes. Return: a
   descriptor; -errno. */
static int create_sealed_memory_file(size_t file_bytes, size_t allocated_bytes)
{
	int fd = memfd_create("alleria", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int err;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)file_bytes) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) <
		    0) {
		err = -errno;
		close(fd);
		return err;
	}
	err = allocate_memory_file_range(fd, 0, allocated_bytes);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

/* Whether the memory that the analysis of the ring's chunks needs can be
   mapped; it is unmapped again. For each of AL_MAX_IN_FLIGHT chunks, that is 8
   bytes for each 4 bytes of the chunk (the executions) and a copy of the chunk
   for the profile. */
static bool can_map_memory_for_analysis(const struct dm_shape *s)
{
	size_t bytes =
		AL_MAX_IN_FLIGHT * 3 * (size_t)s->chunk_bytes + RECOVERY_BYTES;
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	munmap(memory, bytes);
	return true;
}

/* Create and map a ring of r->shape; only the daemon's page is mapped writable.
   Return: 0; -errno: nothing is left open or mapped. */
static int create_and_map_ring(struct dm_ring *r)
{
	int fd, err;
	void *map;

	r->bytes = ring_bytes_after_maximum_growth(&r->shape);
	r->allocated = dm_ring_bytes_before_growth(&r->shape);
	fd = create_sealed_memory_file(r->bytes, r->allocated);
	if (fd < 0)
		return fd;
	map = mmap(NULL, r->bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		err = -errno;
		close(fd);
		return err;
	}
	err = can_map_memory_for_analysis(&r->shape) ? 0 : -ENOMEM;
	if (!err && mprotect(map, PT_PAGE, PROT_READ | PROT_WRITE) < 0)
		err = -errno;
	if (err) {
		munmap(map, r->bytes);
		close(fd);
		return err;
	}
	r->fd = fd;
	r->map = map;
	return 0;
}

int dm_ring_create_shrinking_to_fit(struct dm_ring *r,
				    const struct dm_shape *requested)
{
	int err;

	*r = (struct dm_ring){.shape = *requested, .fd = -1};
	while ((err = create_and_map_ring(r)) < 0) {
		if (err == -EMFILE || err == -ENFILE)
			return err;
		if (r->shape.max_chunks)
			r->shape.max_chunks = 0;
		else if (!dm_ring_shape_shrink_one_step(&r->shape))
			return err;
	}
	r->places.n = r->shape.n_chunks;
	start_of_daemon_page(r)->chunk_bytes = r->shape.chunk_bytes;
	start_of_daemon_page(r)->n_chunks = r->shape.n_chunks;
	start_of_daemon_page(r)->log_bytes = r->shape.log_bytes;
	return 0;
}

static void close_ring_fd(struct dm_ring *r)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = -1;
}

void dm_ring_close_fd_unless_growable(struct dm_ring *r)
{
	if (r->shape.max_chunks <= r->shape.n_chunks)
		close_ring_fd(r);
}

int dm_ring_privatize_daemon_page(struct dm_ring *r)
{
	struct pt_daemon_page page;

	memcpy(&page, r->map, sizeof(page));
	if (mmap(r->map, PT_PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		return -errno;
	memcpy(r->map, &page, sizeof(page));
	return 0;
}

void dm_ring_close_and_unmap(struct dm_ring *r)
{
	close_ring_fd(r);
	if (r->map)
		munmap(r->map, r->bytes);
	r->map = NULL;
}

/* Whether a growth of the ring is announced and chunk @chunk_number is the
   first chunk of the larger ring or a later one. */
static bool is_growth_reached_at_chunk(const struct dm_ring *r,
				       uint64_t chunk_number)
{
	return r->growth_chunk && chunk_number >= r->growth_chunk;
}

int dm_ring_update_published_if_valid(struct dm_ring *r)
{
	/*
	 * Pairs with the store-release of published in the tool, after it has
	 * finished a chunk: the chunk's units, and the log records that they
	 * refer to, are visible.
	 */
	uint64_t published = pt_load_acquire(&start_of_tool_page(r)->published);
	uint32_t n = is_growth_reached_at_chunk(r, published) ? r->growth_places
							      : r->places.n;

	if (published - r->consumed > n || published < r->published)
		return -EPROTO;
	r->published = published;
	return 0;
}

/* Return the index of the place (the part of the ring for one chunk) in which
   chunk number r->consumed lies. */
static uint32_t place_of_oldest_unconsumed_chunk(const struct dm_ring *r)
{
	struct pt_places p = r->places;

	if (is_growth_reached_at_chunk(r, r->consumed))
		p = pt_places_after_growth(p, r->growth_chunk,
					   r->growth_places);
	return pt_ring_place_index_of_chunk(p, r->consumed);
}

const uint64_t *
dm_ring_start_of_oldest_unconsumed_chunk(const struct dm_ring *r)
{
	size_t place = place_of_oldest_unconsumed_chunk(r);

	return (const uint64_t *)(start_of_first_chunk(r) +
				  place * r->shape.chunk_bytes);
}

void dm_ring_increment_local_consumed_chunks(struct dm_ring *r)
{
	r->consumed++;
}

/* If chunk r->growth_chunk has been consumed, so that the tool uses the larger
   ring, apply the announced growth to r->places and clear it; another growth
   may be announced then. */
static void apply_reached_growth(struct dm_ring *r)
{
	if (!is_growth_reached_at_chunk(r, r->consumed) ||
	    r->consumed == r->growth_chunk)
		return;
	r->places = pt_places_after_growth(r->places, r->growth_chunk,
					   r->growth_places);
	r->growth_chunk = 0;
}

/* Return the number of the first chunk that will lie in place 0 and for which
   the tool cannot have used its place yet; it may have begun the chunk in
   staging. The tool may use the places of chunk consumed + places.n, and of
   later ones, only after more than r->consumed chunks were released. */
static uint64_t next_unbegun_chunk_number_for_place_0(const struct dm_ring *r)
{
	uint64_t begun = r->consumed + r->places.n;
	uint32_t over = pt_ring_place_index_of_chunk(r->places, begun);

	return over ? begun + r->places.n - over : begun;
}

int dm_ring_grow_return_added_chunks(struct dm_ring *r,
				     uint32_t new_chunk_count)
{
	uint32_t added;
	size_t bytes;
	int err;

	apply_reached_growth(r);
	if (new_chunk_count > r->shape.max_chunks)
		new_chunk_count = r->shape.max_chunks;
	if (r->growth_chunk || new_chunk_count <= r->places.n || r->fd < 0)
		return 0;
	added = new_chunk_count - r->places.n;
	bytes = (size_t)added * r->shape.chunk_bytes;
	err = allocate_memory_file_range(r->fd, r->allocated, bytes);
	if (err)
		return err;
	r->allocated += bytes;
	r->growth_places = new_chunk_count;
	r->growth_chunk = next_unbegun_chunk_number_for_place_0(r);
	pt_store_relaxed(&start_of_daemon_page(r)->grow_to,
			 new_chunk_count); /* ordered before grow_at by the
					      store-release of it */
	/*
	 * Pairs with the load-acquire of grow_at in the tool's
	 * vgtool/transport/ring.c: when the tool sees grow_at, grow_to is
	 * visible and the memory of the places is allocated. The tool can use
	 * the place of chunk grow_at only after it has seen a value of
	 * `released` that is stored later than grow_at, so it sees grow_at in
	 * time.
	 */
	pt_store_release(&start_of_daemon_page(r)->grow_at, r->growth_chunk);
	return (int)added;
}

void dm_ring_increment_command_count(struct dm_ring *r)
{
	if (!r->map)
		return;
	r->n_commands++;
	/* Pairs with the load-acquire of orders in the tool's
	   vgtool/transport/ring.c: a tool that sees the new count finds the
	   message in its socket. */
	pt_store_release(&start_of_daemon_page(r)->orders, r->n_commands);
}

void dm_ring_mark_oldest_chunk_released(struct dm_ring *r)
{
	r->released++;
	/*
	 * Pairs with the load-acquire of released in the tool, before it
	 * overwrites a released chunk: the daemon's reads of the chunk are
	 * complete then.
	 */
	pt_store_release(&start_of_daemon_page(r)->released, r->released);
}

int dm_ring_copy_and_consume_log(struct dm_ring *r, void *buffer,
				 size_t *copied_bytes)
{
	/*
	 * Pairs with the store-release of log_head in the tool, after a whole
	 * record: the record's bytes are visible.
	 */
	uint64_t head = pt_load_acquire(&start_of_tool_page(r)->log_head);
	size_t offset = r->log_tail & (r->shape.log_bytes - 1);
	size_t to_end = r->shape.log_bytes - offset;
	size_t n;

	*copied_bytes = 0;
	if (head - r->log_tail > r->shape.log_bytes || head % 8)
		return -EPROTO;
	n = (size_t)(head - r->log_tail);
	if (!n)
		return 0;
	if (n <= to_end) {
		memcpy(buffer, start_of_log(r) + offset, n);
	} else {
		memcpy(buffer, start_of_log(r) + offset, to_end);
		memcpy((char *)buffer + to_end, start_of_log(r), n - to_end);
	}
	r->log_tail = head;
	*copied_bytes = n;
	/*
	 * Pairs with the load-acquire of log_tail in the tool, before it
	 * overwrites the log below log_tail: the daemon's copy is complete
	 * then.
	 */
	pt_store_release(&start_of_daemon_page(r)->log_tail, head);
	return 0;
}

/* Return the chunk that the tool's cursor (address of the last unit begun)
   points into: a place (part of the ring for one chunk), or the staging memory,
   from which the tool copies a full chunk to its place. *@cursor_offset:
   receives the offset of the cursor in the chunk [bytes]. NULL: the cursor is
   invalid, or the chunk is not the one that follows the published chunks. */
static const unsigned char *
find_unpublished_chunk_at_cursor(const struct dm_ring *r, uint64_t cursor,
				 uint64_t *cursor_offset)
{
	uint64_t offset =
		cursor - pt_read_shared_u64(&start_of_tool_page(r)->staging);
	uint64_t place = (1 + (uint64_t)place_of_oldest_unconsumed_chunk(r)) *
			 r->shape.chunk_bytes;
	const unsigned char *chunk = start_of_staging(r);

	if (offset >= r->shape.chunk_bytes) {
		offset -= place;
		chunk += place;
	}
	*cursor_offset = offset;
	if (offset >= r->shape.chunk_bytes || offset % 4 ||
	    pt_read_shared_u64((const uint64_t *)chunk) !=
		    pt_control_unit_first_word(PT_CHUNK, (uint32_t)r->published,
					       PT_CHUNK_HEAD))
		return NULL;
	return chunk;
}

const uint64_t *dm_ring_find_unpublished_chunk(const struct dm_ring *r,
					       bool may_tool_be_writing,
					       size_t *end_offset)
{
	const struct pt_tool_page *t = start_of_tool_page(r);
	uint64_t cursor = pt_load_cursor(t), offset;
	const unsigned char *chunk =
		find_unpublished_chunk_at_cursor(r, cursor, &offset);
	size_t len;

	*end_offset = (size_t)offset;
	if (!chunk) {
		*end_offset = 0;
		return NULL;
	}
	/* If generated code runs, or a living tool has moved the cursor since
	   it was read, the unit at the cursor may be incomplete and does not
	   count. */
	if (pt_read_shared_u64(&t->running) == 1 ||
	    (may_tool_be_writing && pt_load_cursor(t) != cursor))
		return (const uint64_t *)chunk;
	len = pt_unit_length_in_bytes(
		pt_read_shared_u32_relaxed((const uint32_t *)(chunk + offset)));
	if (len <= r->shape.chunk_bytes - offset)
		*end_offset += len;
	return (const uint64_t *)chunk;
}

size_t dm_ring_copy_unpublished_units(const struct dm_ring *r, void *buffer)
{
	const uint64_t *chunk;
	size_t end;

	/*
	 * Pairs with the store-release of published in the tool: if this load
	 * does not see a newer count, the tool had not yet begun the chunk
	 * after the unpublished one.
	 */
	if (pt_load_acquire(&start_of_tool_page(r)->published) != r->published)
		return 0;
	chunk = dm_ring_find_unpublished_chunk(r, true, &end);
	if (end)
		memcpy(buffer, chunk, end);
	/* The tool publishes the chunk before it overwrites the chunk's units,
	   and x86 preserves the order of these stores. So if the chunk is still
	   not published, the copy is intact. */
	return pt_load_relaxed_after_earlier_loads(
		       &start_of_tool_page(r)->published) == r->published
		       ? end
		       : 0;
}

void dm_ring_read_program_title(const struct dm_ring *r, char title[PT_TITLE])
{
	memset(title, 0, PT_TITLE);
	for (size_t i = 0; r->map && i < PT_TITLE / 8; i++) {
		/* Relaxed: nothing else is read because of it. */
		uint64_t word =
			pt_load_relaxed(&start_of_tool_page(r)->title[i]);

		memcpy(title + 8 * i, &word, sizeof(word));
	}
	title[PT_TITLE - 1] = '\0';
}

struct dm_tool_summary dm_ring_read_tool_summary(const struct dm_ring *r)
{
	const struct pt_tool_page *t;

	if (!r->map)
		return (struct dm_tool_summary){.ending = PT_ALIVE};
	t = start_of_tool_page(r);
	/* Relaxed: the figures are the last ones if the tool has ended, or may
	   be slightly old, which does no harm. */
	return (struct dm_tool_summary){
		.ending = pt_read_shared_u64(&t->ending),
		.exit_value = pt_read_shared_u64(&t->ending_value),
		.wait_ns = pt_load_relaxed(&t->wait_ns),
		.waits = pt_load_relaxed(&t->waits),
		.skipped = pt_load_relaxed(&t->skipped),
		.overfull = pt_load_relaxed(&t->overfull),
		.lost_messages = pt_load_relaxed(&t->lost_messages),
		.environment_variables =
			pt_load_relaxed(&t->environment_variables),
		.environment_bytes = pt_load_relaxed(&t->environment_bytes),
		.environment_hash = pt_load_relaxed(&t->environment_hash),
	};
}

uint64_t dm_ring_read_open_window_mask(const struct dm_ring *r)
{
	/* Relaxed: nothing else is read because of it. */
	return r->map ? pt_load_relaxed(&start_of_tool_page(r)->windows) : 0;
}
