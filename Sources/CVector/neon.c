#include "kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

static float product(const float *a, const float *b, size_t n) {
    float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
    for (size_t i = 0; i < n; i += 16) {
        s0 = vfmaq_f32(s0, vld1q_f32(a + i), vld1q_f32(b + i));
        s1 = vfmaq_f32(s1, vld1q_f32(a + i + 4), vld1q_f32(b + i + 4));
        s2 = vfmaq_f32(s2, vld1q_f32(a + i + 8), vld1q_f32(b + i + 8));
        s3 = vfmaq_f32(s3, vld1q_f32(a + i + 12), vld1q_f32(b + i + 12));
    }
    return vaddvq_f32(vaddq_f32(vaddq_f32(s0, s1), vaddq_f32(s2, s3)));
}

static float squared_distance(const float *a, const float *b, size_t n) {
    float32x4_t s0 = vdupq_n_f32(0), s1 = s0;
    for (size_t i = 0; i < n; i += 8) {
        float32x4_t d0 = vsubq_f32(vld1q_f32(a + i), vld1q_f32(b + i));
        float32x4_t d1 = vsubq_f32(vld1q_f32(a + i + 4), vld1q_f32(b + i + 4));
        s0 = vfmaq_f32(s0, d0, d0);
        s1 = vfmaq_f32(s1, d1, d1);
    }
    return vaddvq_f32(vaddq_f32(s0, s1));
}

static float byte_product(const float *a, const uint8_t *b, size_t n) {
    float32x4_t s0 = vdupq_n_f32(0), s1 = s0;
    for (size_t i = 0; i < n; i += 8) {
        uint16x8_t bytes = vmovl_u8(vld1_u8(b + i));
        float32x4_t low = vcvtq_f32_u32(vmovl_u16(vget_low_u16(bytes)));
        float32x4_t high = vcvtq_f32_u32(vmovl_u16(vget_high_u16(bytes)));
        s0 = vfmaq_f32(s0, vld1q_f32(a + i), low);
        s1 = vfmaq_f32(s1, vld1q_f32(a + i + 4), high);
    }
    return vaddvq_f32(vaddq_f32(s0, s1));
}

static void row_products(
    const float *vector, const float *rows, size_t count, size_t n, float *out
) {
    for (size_t row = 0; row < count; row++) out[row] = product(vector, rows + row * n, n);
}

static void products(
    const float *vectors, const float *rows, size_t count, size_t n, float *out
) {
    const float *v0 = vectors, *v1 = v0 + n, *v2 = v1 + n, *v3 = v2 + n;
    for (size_t row = 0; row < count; row++, rows += n) {
        float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
        for (size_t i = 0; i < n; i += 4) {
            float32x4_t r = vld1q_f32(rows + i);
            s0 = vfmaq_f32(s0, vld1q_f32(v0 + i), r);
            s1 = vfmaq_f32(s1, vld1q_f32(v1 + i), r);
            s2 = vfmaq_f32(s2, vld1q_f32(v2 + i), r);
            s3 = vfmaq_f32(s3, vld1q_f32(v3 + i), r);
        }
        out[row] = vaddvq_f32(s0);
        out[count + row] = vaddvq_f32(s1);
        out[2 * count + row] = vaddvq_f32(s2);
        out[3 * count + row] = vaddvq_f32(s3);
    }
}

static inline uint64_t ones(uint8x8_t bytes) { return vaddlv_u8(vcnt_u8(bytes)); }

static void estimate(
    const uint8_t *entries, size_t count, size_t n, const struct cvector_query *query,
    struct cvector_candidate *out
) {
    size_t words = n / 64, stride = sizeof(struct cvector_entry) + n / 8;
    for (size_t i = 0; i < count; i++, entries += stride) {
        struct cvector_entry entry;
        memcpy(&entry, entries, sizeof entry);
        uint64_t bits = 0, weighted = 0;
        for (size_t word = 0; word < words; word++) {
            uint8x8_t code = vld1_u8(entries + sizeof entry + word * 8);
            bits += ones(code);
            for (size_t p = 0; p < CVECTOR_PLANES; p++) {
                uint8x8_t plane = vld1_u8((const uint8_t *)(query->planes + p * words + word));
                weighted += ones(vand_u8(code, plane)) << p;
            }
        }
        out[i] = cvector_candidate(&entry, query, (float)bits, (float)weighted);
    }
}

const struct cvector_kernels *cvector_neon(void) {
    static const struct cvector_kernels kernels = {
        product, squared_distance, byte_product, products, row_products,
        cvector_scalar_set_planes, estimate,
    };
    return &kernels;
}

#else

const struct cvector_kernels *cvector_neon(void) { return NULL; }

#endif
