/* The kernels of each instruction set; NULL if the processor, or the compiler's target, does not
   have it. */

#ifndef CVECTOR_KERNELS_H
#define CVECTOR_KERNELS_H

#include "CVector.h"

const struct cvector_kernels *cvector_scalar(void);
const struct cvector_kernels *cvector_neon(void);
const struct cvector_kernels *cvector_avx2(void);
const struct cvector_kernels *cvector_avx512(void);

/* The scalar kernel, where no other one is faster. */
void cvector_scalar_set_planes(
    const float *vector, size_t n, uint64_t *planes, struct cvector_query *query);

/* The candidate of an entry, from the number of set bits in the code, and in the code and each
   plane, weighted by the planes' values. */
static inline struct cvector_candidate cvector_candidate(
    const struct cvector_entry *entry, const struct cvector_query *query, float count,
    float weighted
) {
    float product = 2 * (query->low * count + query->step * weighted) - query->sum;
    return (struct cvector_candidate){
        .docid = entry->docid,
        .distance = entry->squared_norm * query->norm_weight + query->base
                    - entry->scale * query->weight * product,
        .error = entry->scale * query->error,
    };
}

#endif
