/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - enlarges arrays
 *
 * An array is a pointer to its first element, NULL at first, with a capacity:
 * the number of elements that are allocated, 0 at first. The owner frees the
 * array with free().
 *
 * Threads: one at a time for each array.
 */
#ifndef BASE_TABLES_ARRAY_H
#define BASE_TABLES_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * al_array_grow() - Enlarge an array that is too small.
 * @array: address of the pointer to the first element, which is changed.
 * @capacity: number of allocated elements; changed: doubled at least.
 * @min_count: least new capacity, more than *@capacity.
 * @element_size: [bytes]
 * @set_to_zero: whether the bytes of new elements are set to 0; if not, their
 *         values are undefined.
 *
 * Return: 0; -ENOMEM, with the array unchanged.
 */
int al_array_grow(void *array, size_t *capacity, size_t min_count,
		  size_t element_size, bool set_to_zero);

/* Call al_array_grow() if @n is greater than @capacity. @array and @capacity
   are variables, evaluated more than once; @capacity has an unsigned type that
   can hold 2 * @n and 64. The value is 0 or -ENOMEM. */
#define AL_ARRAY_RESERVE(array, capacity, n, set_to_zero)                      \
	({                                                                     \
		size_t capacity_ = (capacity), n_ = (n);                       \
		int err_ = 0;                                                  \
                                                                               \
		if (n_ > capacity_) {                                          \
			err_ = al_array_grow(&(array), &capacity_, n_,         \
					     sizeof(*(array)), (set_to_zero)); \
			(capacity) = (__typeof__(capacity))capacity_;          \
		}                                                              \
		err_;                                                          \
	})

/* Make room for @n elements in total in an array. Values of new elements are
   undefined. The value is 0 or -ENOMEM. */
#define al_array_reserve(array, capacity, n)                                   \
	AL_ARRAY_RESERVE(array, capacity, n, false)

/* Make room for @n elements in total in an array. Bytes of new elements are 0.
   The value is 0 or -ENOMEM. */
#define al_array_reserve_zeroed(array, capacity, n)                            \
	AL_ARRAY_RESERVE(array, capacity, n, true)

#endif
