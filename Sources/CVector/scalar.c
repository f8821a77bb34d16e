#include "kernels.h"

#include <string.h>

static float product(const float *a, const float *b, size_t n) {
    /* Several sums, which the compiler can compute at once. */
    float sums[8] = {0};
    for (size_t i = 0; i < n; i += 8) {
        for (size_t j = 0; j < 8; j++) sums[j] += a[i + j] * b[i + j];
    }
    float sum = 0;
    for (size_t j = 0; j < 8; j++) sum += sums[j];
    return sum;
}

static float squared_distance(const float *a, const float *b, size_t n) {
    float sums[8] = {0};
    for (size_t i = 0; i < n; i += 8) {
        for (size_t j = 0; j < 8; j++) {
            float difference = a[i + j] - b[i + j];
            sums[j] += difference * difference;
        }
    }
    float sum = 0;
    for (size_t j = 0; j < 8; j++) sum += sums[j];
    return sum;
}

static float byte_product(const float *a, const uint8_t *b, size_t n) {
    float sums[8] = {0};
    for (size_t i = 0; i < n; i += 8) {
        for (size_t j = 0; j < 8; j++) sums[j] += a[i + j] * b[i + j];
    }
    float sum = 0;
    for (size_t j = 0; j < 8; j++) sum += sums[j];
    return sum;
}

static void row_products(
    const float *vector, const float *rows, size_t count, size_t n, float *out
) {
    for (size_t row = 0; row < count; row++) out[row] = product(vector, rows + row * n, n);
}

static void products(
    const float *vectors, const float *rows, size_t count, size_t n, float *out
) {
    for (size_t i = 0; i < 4; i++) row_products(vectors + i * n, rows, count, n, out + i * count);
}

void cvector_scalar_set_planes(
    const float *vector, size_t n, uint64_t *planes, struct cvector_query *query
) {
    float low = vector[0], high = vector[0], sum = 0;
    for (size_t i = 0; i < n; i++) {
        low = vector[i] < low ? vector[i] : low;
        high = vector[i] > high ? vector[i] : high;
        sum += vector[i];
    }
    const float most = (1 << CVECTOR_PLANES) - 1;
    float step = (high - low) / most;
    float factor = step > 0 ? 1 / step : 0;
    size_t words = n / 64;
    for (size_t word = 0; word < words; word++) {
        uint64_t plane[CVECTOR_PLANES] = {0};
        for (size_t i = 0; i < 64; i++) {
            uint64_t bits = (uint64_t)((vector[word * 64 + i] - low) * factor + 0.5f);
            for (int p = 0; p < CVECTOR_PLANES; p++) plane[p] |= (bits >> p & 1) << i;
        }
        for (int p = 0; p < CVECTOR_PLANES; p++) planes[p * words + word] = plane[p];
    }
    query->low = low;
    query->step = step;
    query->sum = sum;
}

static void estimate(
    const uint8_t *entries, size_t count, size_t n, const struct cvector_query *query,
    struct cvector_candidate *out
) {
    size_t words = n / 64, stride = sizeof(struct cvector_entry) + n / 8;
    for (size_t i = 0; i < count; i++, entries += stride) {
        struct cvector_entry entry;
        memcpy(&entry, entries, sizeof entry);
        unsigned long bits = 0, weighted = 0;
        for (size_t word = 0; word < words; word++) {
            uint64_t code;
            memcpy(&code, entries + sizeof entry + word * 8, 8);
            bits += (unsigned long)__builtin_popcountll(code);
            for (size_t p = 0; p < CVECTOR_PLANES; p++) {
                uint64_t common = code & query->planes[p * words + word];
                weighted += (unsigned long)__builtin_popcountll(common) << p;
            }
        }
        out[i] = cvector_candidate(&entry, query, (float)bits, (float)weighted);
    }
}

const struct cvector_kernels *cvector_scalar(void) {
    static const struct cvector_kernels kernels = {
        product, squared_distance, byte_product, products, row_products,
        cvector_scalar_set_planes, estimate,
    };
    return &kernels;
}
