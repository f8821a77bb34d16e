#include "CVector.h"
#include "kernels.h"

#include <math.h>
#include <string.h>

void cvector_hadamard(float *vector, size_t n) {
    for (size_t half = 1; half < n; half *= 2) {
        for (size_t start = 0; start < n; start += 2 * half) {
            float *a = vector + start, *b = a + half;
            for (size_t i = 0; i < half; i++) {
                float sum = a[i] + b[i], difference = a[i] - b[i];
                a[i] = sum;
                b[i] = difference;
            }
        }
    }
    float scale = 1 / sqrtf((float)n);
    for (size_t i = 0; i < n; i++) vector[i] *= scale;
}

void cvector_flip(float *vector, const uint64_t *bits, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (bits[i / 64] >> (i % 64) & 1) vector[i] = -vector[i];
    }
}

void cvector_set_entry(const float *difference, size_t n, int64_t docid, uint8_t *entry) {
    float squared = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        squared += difference[i] * difference[i];
        sum += fabsf(difference[i]);
    }
    struct cvector_entry head = {
        .docid = docid, .squared_norm = squared, .scale = sum > 0 ? squared / sum : 0};
    memcpy(entry, &head, sizeof head);
    uint8_t *code = entry + sizeof head;
    memset(code, 0, n / 8);
    for (size_t i = 0; i < n; i++) {
        if (difference[i] > 0) code[i / 8] |= (uint8_t)(1 << (i % 8));
    }
}

void cvector_quantize(const float *vector, size_t n, float *low, float *step, uint8_t *bytes) {
    float least = vector[0], most = vector[0];
    for (size_t i = 0; i < n; i++) {
        least = vector[i] < least ? vector[i] : least;
        most = vector[i] > most ? vector[i] : most;
    }
    *low = least;
    *step = (most - least) / 255;
    float factor = *step > 0 ? 1 / *step : 0;
    for (size_t i = 0; i < n; i++) {
        float byte = (vector[i] - least) * factor + 0.5f;
        bytes[i] = (uint8_t)(byte < 255 ? byte : 255);
    }
}

void cvector_restore(const uint8_t *bytes, size_t n, float low, float step, float *vector) {
    for (size_t i = 0; i < n; i++) vector[i] = low + step * bytes[i];
}

void cvector_add(float *sum, const float *vector, float factor, size_t n) {
    for (size_t i = 0; i < n; i++) sum[i] += vector[i] * factor;
}

void cvector_subtract(const float *a, const float *b, size_t n, float *out) {
    for (size_t i = 0; i < n; i++) out[i] = a[i] - b[i];
}

const struct cvector_kernels *cvector_kernels(enum cvector_set set) {
    switch (set) {
    case CVECTOR_SCALAR: return cvector_scalar();
    case CVECTOR_NEON: return cvector_neon();
    case CVECTOR_AVX2: return cvector_avx2();
    case CVECTOR_AVX512: return cvector_avx512();
    }
    return NULL;
}

const struct cvector_kernels *cvector_fastest(void) {
    const struct cvector_kernels *found = NULL;
    for (int set = CVECTOR_AVX512; set >= CVECTOR_SCALAR && !found; set--) {
        found = cvector_kernels((enum cvector_set)set);
    }
    return found;
}
