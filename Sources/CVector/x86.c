#include "kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,fma,popcnt")))
#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,avx2,fma,popcnt")))

/* AVX2 */

AVX2 static inline float sum256(__m256 v) {
    __m128 sum = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

AVX2 static float product256(const float *a, const float *b, size_t n) {
    __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
    for (size_t i = 0; i < n; i += 32) {
        s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), s0);
        s1 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8), _mm256_loadu_ps(b + i + 8), s1);
        s2 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 16), _mm256_loadu_ps(b + i + 16), s2);
        s3 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 24), _mm256_loadu_ps(b + i + 24), s3);
    }
    return sum256(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
}

AVX2 static float squared_distance256(const float *a, const float *b, size_t n) {
    __m256 s0 = _mm256_setzero_ps(), s1 = s0;
    for (size_t i = 0; i < n; i += 16) {
        __m256 d0 = _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
        __m256 d1 = _mm256_sub_ps(_mm256_loadu_ps(a + i + 8), _mm256_loadu_ps(b + i + 8));
        s0 = _mm256_fmadd_ps(d0, d0, s0);
        s1 = _mm256_fmadd_ps(d1, d1, s1);
    }
    return sum256(_mm256_add_ps(s0, s1));
}

AVX2 static inline __m256 bytes256(const uint8_t *b) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)b)));
}

AVX2 static float byte_product256(const float *a, const uint8_t *b, size_t n) {
    __m256 s0 = _mm256_setzero_ps(), s1 = s0;
    for (size_t i = 0; i < n; i += 16) {
        s0 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), bytes256(b + i), s0);
        s1 = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8), bytes256(b + i + 8), s1);
    }
    return sum256(_mm256_add_ps(s0, s1));
}

AVX2 static void row_products256(
    const float *vector, const float *rows, size_t count, size_t n, float *out
) {
    for (size_t row = 0; row < count; row++) out[row] = product256(vector, rows + row * n, n);
}

AVX2 static void products256(
    const float *vectors, const float *rows, size_t count, size_t n, float *out
) {
    const float *v0 = vectors, *v1 = v0 + n, *v2 = v1 + n, *v3 = v2 + n;
    for (size_t row = 0; row < count; row++, rows += n) {
        __m256 s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
        for (size_t i = 0; i < n; i += 8) {
            __m256 r = _mm256_loadu_ps(rows + i);
            s0 = _mm256_fmadd_ps(_mm256_loadu_ps(v0 + i), r, s0);
            s1 = _mm256_fmadd_ps(_mm256_loadu_ps(v1 + i), r, s1);
            s2 = _mm256_fmadd_ps(_mm256_loadu_ps(v2 + i), r, s2);
            s3 = _mm256_fmadd_ps(_mm256_loadu_ps(v3 + i), r, s3);
        }
        out[row] = sum256(s0);
        out[count + row] = sum256(s1);
        out[2 * count + row] = sum256(s2);
        out[3 * count + row] = sum256(s3);
    }
}

AVX2 static inline __m256i codes256(const float *vector, __m256 low, __m256 factor) {
    __m256 half = _mm256_set1_ps(0.5f);
    __m256i parts[4];
    for (int i = 0; i < 4; i++) {
        __m256 difference = _mm256_sub_ps(_mm256_loadu_ps(vector + 8 * i), low);
        parts[i] = _mm256_cvttps_epi32(_mm256_fmadd_ps(difference, factor, half));
    }
    /* The instructions that narrow numbers mix the halves of their operands. */
    __m256i words0 = _mm256_permute4x64_epi64(_mm256_packs_epi32(parts[0], parts[1]), 0xd8);
    __m256i words1 = _mm256_permute4x64_epi64(_mm256_packs_epi32(parts[2], parts[3]), 0xd8);
    return _mm256_permute4x64_epi64(_mm256_packus_epi16(words0, words1), 0xd8);
}

AVX2 static void set_planes256(
    const float *vector, size_t n, uint64_t *planes, struct cvector_query *query
) {
    __m256 low = _mm256_loadu_ps(vector), high = low, sum = _mm256_setzero_ps();
    for (size_t i = 0; i < n; i += 8) {
        __m256 v = _mm256_loadu_ps(vector + i);
        low = _mm256_min_ps(low, v);
        high = _mm256_max_ps(high, v);
        sum = _mm256_add_ps(sum, v);
    }
    float lows[8], highs[8];
    _mm256_storeu_ps(lows, low);
    _mm256_storeu_ps(highs, high);
    for (int i = 1; i < 8; i++) {
        lows[0] = lows[i] < lows[0] ? lows[i] : lows[0];
        highs[0] = highs[i] > highs[0] ? highs[i] : highs[0];
    }
    query->low = lows[0];
    query->step = (highs[0] - lows[0]) / ((1 << CVECTOR_PLANES) - 1);
    query->sum = sum256(sum);
    __m256 least = _mm256_set1_ps(query->low);
    __m256 factor = _mm256_set1_ps(query->step > 0 ? 1 / query->step : 0);
    size_t words = n / 64;
    for (size_t word = 0; word < words; word++) {
        __m256i codes0 = codes256(vector + 64 * word, least, factor);
        __m256i codes1 = codes256(vector + 64 * word + 32, least, factor);
        for (int p = 0; p < CVECTOR_PLANES; p++) {
            uint32_t bits0 = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(codes0, 7 - p));
            uint32_t bits1 = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(codes1, 7 - p));
            planes[(size_t)p * words + word] = bits0 | (uint64_t)bits1 << 32;
        }
    }
}

/* The instruction for 64 bits: tables of four bits in 256-bit registers are no faster for codes of
   some hundred bits. */
AVX2 static void estimate256(
    const uint8_t *entries, size_t count, size_t n, const struct cvector_query *query,
    struct cvector_candidate *out
) {
    size_t words = n / 64, stride = sizeof(struct cvector_entry) + n / 8;
    const uint64_t *p0 = query->planes, *p1 = p0 + words, *p2 = p1 + words, *p3 = p2 + words;
    for (size_t i = 0; i < count; i++, entries += stride) {
        struct cvector_entry entry;
        memcpy(&entry, entries, sizeof entry);
        long long bits = 0, c0 = 0, c1 = 0, c2 = 0, c3 = 0;
        for (size_t word = 0; word < words; word++) {
            uint64_t code;
            memcpy(&code, entries + sizeof entry + word * 8, 8);
            bits += _mm_popcnt_u64(code);
            c0 += _mm_popcnt_u64(code & p0[word]);
            c1 += _mm_popcnt_u64(code & p1[word]);
            c2 += _mm_popcnt_u64(code & p2[word]);
            c3 += _mm_popcnt_u64(code & p3[word]);
        }
        out[i] = cvector_candidate(
            &entry, query, (float)bits, (float)(c0 + 2 * c1 + 4 * c2 + 8 * c3));
    }
}

const struct cvector_kernels *cvector_avx2(void) {
    static const struct cvector_kernels kernels = {
        product256, squared_distance256, byte_product256, products256, row_products256,
        set_planes256, estimate256,
    };
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")
        || !__builtin_cpu_supports("popcnt"))
        return NULL;
    return &kernels;
}

/* AVX-512 */

AVX512 static float product512(const float *a, const float *b, size_t n) {
    __m512 s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
    for (size_t i = 0; i < n; i += 64) {
        s0 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), s0);
        s1 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 16), _mm512_loadu_ps(b + i + 16), s1);
        s2 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 32), _mm512_loadu_ps(b + i + 32), s2);
        s3 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 48), _mm512_loadu_ps(b + i + 48), s3);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(s0, s1), _mm512_add_ps(s2, s3)));
}

AVX512 static float squared_distance512(const float *a, const float *b, size_t n) {
    __m512 s0 = _mm512_setzero_ps(), s1 = s0;
    for (size_t i = 0; i < n; i += 32) {
        __m512 d0 = _mm512_sub_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i));
        __m512 d1 = _mm512_sub_ps(_mm512_loadu_ps(a + i + 16), _mm512_loadu_ps(b + i + 16));
        s0 = _mm512_fmadd_ps(d0, d0, s0);
        s1 = _mm512_fmadd_ps(d1, d1, s1);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(s0, s1));
}

AVX512 static inline __m512 bytes512(const uint8_t *b) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)b)));
}

AVX512 static float byte_product512(const float *a, const uint8_t *b, size_t n) {
    __m512 s0 = _mm512_setzero_ps(), s1 = s0;
    for (size_t i = 0; i < n; i += 32) {
        s0 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), bytes512(b + i), s0);
        s1 = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 16), bytes512(b + i + 16), s1);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(s0, s1));
}

AVX512 static void row_products512(
    const float *vector, const float *rows, size_t count, size_t n, float *out
) {
    for (size_t row = 0; row < count; row++) out[row] = product512(vector, rows + row * n, n);
}

AVX512 static void products512(
    const float *vectors, const float *rows, size_t count, size_t n, float *out
) {
    const float *v0 = vectors, *v1 = v0 + n, *v2 = v1 + n, *v3 = v2 + n;
    size_t row = 0;
    for (; row + 2 <= count; row += 2, rows += 2 * n) {
        __m512 a0 = _mm512_setzero_ps(), a1 = a0, a2 = a0, a3 = a0;
        __m512 b0 = a0, b1 = a0, b2 = a0, b3 = a0;
        for (size_t i = 0; i < n; i += 16) {
            __m512 a = _mm512_loadu_ps(rows + i), b = _mm512_loadu_ps(rows + n + i);
            __m512 x0 = _mm512_loadu_ps(v0 + i), x1 = _mm512_loadu_ps(v1 + i);
            __m512 x2 = _mm512_loadu_ps(v2 + i), x3 = _mm512_loadu_ps(v3 + i);
            a0 = _mm512_fmadd_ps(x0, a, a0);
            a1 = _mm512_fmadd_ps(x1, a, a1);
            a2 = _mm512_fmadd_ps(x2, a, a2);
            a3 = _mm512_fmadd_ps(x3, a, a3);
            b0 = _mm512_fmadd_ps(x0, b, b0);
            b1 = _mm512_fmadd_ps(x1, b, b1);
            b2 = _mm512_fmadd_ps(x2, b, b2);
            b3 = _mm512_fmadd_ps(x3, b, b3);
        }
        out[row] = _mm512_reduce_add_ps(a0);
        out[row + 1] = _mm512_reduce_add_ps(b0);
        out[count + row] = _mm512_reduce_add_ps(a1);
        out[count + row + 1] = _mm512_reduce_add_ps(b1);
        out[2 * count + row] = _mm512_reduce_add_ps(a2);
        out[2 * count + row + 1] = _mm512_reduce_add_ps(b2);
        out[3 * count + row] = _mm512_reduce_add_ps(a3);
        out[3 * count + row + 1] = _mm512_reduce_add_ps(b3);
    }
    if (row == count) return;
    const float *all[4] = {v0, v1, v2, v3};
    for (size_t i = 0; i < 4; i++) out[i * count + row] = product512(all[i], rows, n);
}

AVX512 static inline __m128i codes512(const float *vector, __m512 low, __m512 factor) {
    __m512 difference = _mm512_sub_ps(_mm512_loadu_ps(vector), low);
    __m512 code = _mm512_fmadd_ps(difference, factor, _mm512_set1_ps(0.5f));
    return _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(code));
}

AVX512 static void set_planes512(
    const float *vector, size_t n, uint64_t *planes, struct cvector_query *query
) {
    __m512 low = _mm512_loadu_ps(vector), high = low, sum = _mm512_setzero_ps();
    for (size_t i = 0; i < n; i += 16) {
        __m512 v = _mm512_loadu_ps(vector + i);
        low = _mm512_min_ps(low, v);
        high = _mm512_max_ps(high, v);
        sum = _mm512_add_ps(sum, v);
    }
    query->low = _mm512_reduce_min_ps(low);
    query->step = (_mm512_reduce_max_ps(high) - query->low) / ((1 << CVECTOR_PLANES) - 1);
    query->sum = _mm512_reduce_add_ps(sum);
    __m512 least = _mm512_set1_ps(query->low);
    __m512 factor = _mm512_set1_ps(query->step > 0 ? 1 / query->step : 0);
    size_t words = n / 64;
    for (size_t word = 0; word < words; word++) {
        const float *part = vector + 64 * word;
        __m512i codes = _mm512_castsi128_si512(codes512(part, least, factor));
        codes = _mm512_inserti32x4(codes, codes512(part + 16, least, factor), 1);
        codes = _mm512_inserti32x4(codes, codes512(part + 32, least, factor), 2);
        codes = _mm512_inserti32x4(codes, codes512(part + 48, least, factor), 3);
        for (int p = 0; p < CVECTOR_PLANES; p++) {
            __mmask64 bits = _mm512_test_epi8_mask(codes, _mm512_set1_epi8((char)(1 << p)));
            planes[(size_t)p * words + word] = bits;
        }
    }
}

AVX512 static void estimate512(
    const uint8_t *entries, size_t count, size_t n, const struct cvector_query *query,
    struct cvector_candidate *out
) {
    size_t words = n / 64, stride = sizeof(struct cvector_entry) + n / 8;
    const uint64_t *p0 = query->planes, *p1 = p0 + words, *p2 = p1 + words, *p3 = p2 + words;
    for (size_t i = 0; i < count; i++, entries += stride) {
        struct cvector_entry entry;
        memcpy(&entry, entries, sizeof entry);
        const uint8_t *bytes = entries + sizeof entry;
        __m512i bits = _mm512_setzero_si512(), weighted = bits;
        for (size_t word = 0; word < words; word += 8) {
            size_t left = words - word;
            __mmask8 mask = left >= 8 ? 0xff : (__mmask8)((1u << left) - 1);
            __m512i code = _mm512_maskz_loadu_epi64(mask, bytes + word * 8);
            bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(code));
            __m512i c0 = _mm512_popcnt_epi64(
                _mm512_and_si512(code, _mm512_maskz_loadu_epi64(mask, p0 + word)));
            __m512i c1 = _mm512_popcnt_epi64(
                _mm512_and_si512(code, _mm512_maskz_loadu_epi64(mask, p1 + word)));
            __m512i c2 = _mm512_popcnt_epi64(
                _mm512_and_si512(code, _mm512_maskz_loadu_epi64(mask, p2 + word)));
            __m512i c3 = _mm512_popcnt_epi64(
                _mm512_and_si512(code, _mm512_maskz_loadu_epi64(mask, p3 + word)));
            __m512i low = _mm512_add_epi64(c0, _mm512_slli_epi64(c1, 1));
            __m512i high = _mm512_add_epi64(_mm512_slli_epi64(c2, 2), _mm512_slli_epi64(c3, 3));
            weighted = _mm512_add_epi64(weighted, _mm512_add_epi64(low, high));
        }
        out[i] = cvector_candidate(
            &entry, query, (float)_mm512_reduce_add_epi64(bits),
            (float)_mm512_reduce_add_epi64(weighted));
    }
}

const struct cvector_kernels *cvector_avx512(void) {
    static const struct cvector_kernels kernels = {
        product512, squared_distance512, byte_product512, products512, row_products512,
        set_planes512, estimate512,
    };
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw")
        || !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq")
        || !__builtin_cpu_supports("avx512vpopcntdq"))
        return NULL;
    return &kernels;
}

#else

const struct cvector_kernels *cvector_avx2(void) { return NULL; }
const struct cvector_kernels *cvector_avx512(void) { return NULL; }

#endif
