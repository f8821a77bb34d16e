/* Kernels on vectors of single-precision numbers: distances, products, and estimates of distances
   from codes of one bit per dimension.

   Each kernel exists for several instruction sets. `cvector_kernels` returns those that the
   processor has; all give the same result up to rounding. The number of dimensions that they
   receive, `n`, is a multiple of 64. */

#ifndef CVECTOR_H
#define CVECTOR_H

#include <stddef.h>
#include <stdint.h>

/* The instruction sets, the slowest first. */
enum cvector_set {
    CVECTOR_SCALAR = 0,
    CVECTOR_NEON = 1,
    CVECTOR_AVX2 = 2,
    /* AVX-512 with VPOPCNTDQ. */
    CVECTOR_AVX512 = 3,
};

/* The number of bits of a dimension of a query, see `cvector_query`. */
enum { CVECTOR_PLANES = 4 };

/* An entry of a posting list begins with this; the code of `n / 8` bytes follows it. */
struct cvector_entry {
    int64_t docid;
    /* The squared distance from the centroid. */
    float squared_norm;
    /* The distance from the centroid, divided by the product of the code's vector (whose elements
       are 1 and -1) and the direction from the centroid. */
    float scale;
};

/* What the entries of a cell are compared with: the difference of the query and the centroid, in
   four bits per dimension, as four planes of `n` bits. */
struct cvector_query {
    const uint64_t *planes;
    /* A dimension is `low + step * bits`. */
    float low, step;
    /* The sum of the dimensions. */
    float sum;
    /* distance = squared_norm * norm_weight + base - scale * weight * product */
    float norm_weight, base, weight;
    /* The error of an estimate is at most `scale * error`, with high probability. */
    float error;
};

/* The estimated distance of an entry from a query. */
struct cvector_candidate {
    int64_t docid;
    float distance, error;
};

struct cvector_kernels {
    /* The scalar product. */
    float (*product)(const float *a, const float *b, size_t n);
    /* The square of the Euclidean distance. */
    float (*squared_distance)(const float *a, const float *b, size_t n);
    /* The scalar product of numbers and bytes. */
    float (*byte_product)(const float *a, const uint8_t *b, size_t n);
    /* The scalar products of 4 vectors and `count` rows: `out[vector * count + row]`. */
    void (*products)(const float *vectors, const float *rows, size_t count, size_t n, float *out);
    /* The scalar products of one vector and `count` rows. */
    void (*row_products)(
        const float *vector, const float *rows, size_t count, size_t n, float *out);
    /* Writes the planes of a vector, and `low`, `step` and `sum`. */
    void (*set_planes)(
        const float *vector, size_t n, uint64_t *planes, struct cvector_query *query);
    /* Estimates the distances of `count` consecutive entries. */
    void (*estimate)(
        const uint8_t *entries, size_t count, size_t n, const struct cvector_query *query,
        struct cvector_candidate *out);
};

/* The kernels for an instruction set; NULL if the processor does not have it. */
const struct cvector_kernels *cvector_kernels(enum cvector_set set);

/* The fastest kernels. */
const struct cvector_kernels *cvector_fastest(void);

/* The scalar kernels for all that is not worth others. */

/* Replaces a vector by its Walsh-Hadamard transform, scaled so that lengths remain. `n` is a power
   of two. */
void cvector_hadamard(float *vector, size_t n);

/* Changes the signs of the dimensions whose bit is set. */
void cvector_flip(float *vector, const uint64_t *bits, size_t n);

/* Writes the code of a difference from a centroid and the head of the entry. */
void cvector_set_entry(const float *difference, size_t n, int64_t docid, uint8_t *entry);

/* Writes bytes `b` so that `vector = low + step * b` approximately. */
void cvector_quantize(const float *vector, size_t n, float *low, float *step, uint8_t *bytes);

/* The reverse of `cvector_quantize`. */
void cvector_restore(const uint8_t *bytes, size_t n, float low, float step, float *vector);

/* out = a - b */
void cvector_subtract(const float *a, const float *b, size_t n, float *out);

/* sum += vector * factor */
void cvector_add(float *sum, const float *vector, float factor, size_t n);

#endif
