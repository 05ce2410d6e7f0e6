/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_map.h - the data objects (each heap block, variable, stack, mapping ...,
 *              see <alleria/data.h>) of all images of a profile
 *
 * Threads: any, after alleria_data_open(): the map is not changed.
 */
#ifndef LIBALLERIA_DATA_DATA_MAP_H
#define LIBALLERIA_DATA_DATA_MAP_H

#include <alleria/data.h>

#include "liballeria/data/lifetime_index.h"
#include "liballeria/data/lifetimes.h"
#include "liballeria/profile.h"

/* The data objects of an image, with ids that follow those of earlier
   images. */
struct ap_image_data {
	struct ap_lifetimes lifetimes;
	struct ap_lifetime_index index[AP_DATA_RANKS];
	uint64_t first_id;	/* id of the image's first data object */
	uint32_t first_site;	/* number of the image's first site */
	const char **site_name; /* [n_sites] function of the innermost caller */
};

struct alleria_data_map {
	struct alleria_profile *profile;
	struct ap_heap_types *heap_types; /* locks itself */
	struct ap_image_data *image; /* [n_images] those that have events, in
					the order of profile->order */
	uint32_t n_images, images_size;
	uint64_t n_objects;
	uint32_t n_sites;
};

/* Return the data objects of the exec image (program that a process ran) to
   which data object @id belongs; NULL: no data object has this id. */
const struct ap_image_data *
ap_data_map_find_image_of_object(const struct alleria_data_map *, uint64_t id);

/* Return the data objects of the exec image that wrote a stream; NULL: it has
   none. */
const struct ap_image_data *
ap_data_map_find_image_of_stream(const struct alleria_data_map *,
				 const struct ap_stream *);

/* Return the lifetime of the data object of an exec image that contains
   @address at access number @access; of several, the first by enum
   ap_data_rank; NULL: there is none. */
const struct ap_lifetime *
ap_image_data_find_live_lifetime(const struct ap_image_data *, uint64_t address,
				 uint64_t access);

/* Find the name of the code that was at @address when @site, the call stack of
   an allocation, was recorded. Return: 0; enum alleria_error. */
int ap_site_find_name_of_code(const struct alleria_data_map *,
			      const struct ap_image_data *,
			      const struct ap_data_site *site, uint64_t address,
			      struct alleria_name *out);

/* Return the line of the user's own code that the code with a name was inlined
   into, as in struct an_symbol; 0: none is known. */
uint32_t ap_site_inline_call_line_of_name_or_0(const struct alleria_data_map *,
					       const struct alleria_name *);

/* Find the function and line that contain the call before @return_address.
   Return: 0; enum alleria_error. */
int ap_site_find_name_of_caller(const struct alleria_data_map *,
				const struct ap_image_data *,
				const struct ap_data_site *,
				uint64_t return_address,
				struct alleria_name *out);

#endif
