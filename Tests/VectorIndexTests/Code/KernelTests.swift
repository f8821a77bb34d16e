import CVector
import SampleData
import Testing

@Suite("The kernels of each instruction set")
struct KernelTests {
    /// Those that this processor has, besides the scalar ones.
    private static let sets = [CVECTOR_NEON, CVECTOR_AVX2, CVECTOR_AVX512].filter {
        cvector_kernels($0) != nil
    }
    private static let counts = [64, 128, 192, 384, 768, 1024, 4096]

    private func vectors(_ number: Int, _ count: Int, seed: UInt64) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        return (0..<number * count).map { _ in Float.random(in: -1...1, using: &generator) }
    }

    private func isNear(_ one: Float, _ other: Float, _ count: Int) -> Bool {
        abs(one - other) <= 1e-5 * Float(count)
    }

    @Test("compute the same products and distances as the scalar ones", arguments: counts)
    func products(count: Int) {
        let scalar = cvector_kernels(CVECTOR_SCALAR)!.pointee
        let (a, b) = (vectors(1, count, seed: 1), vectors(1, count, seed: 2))
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for set in Self.sets {
            let fast = cvector_kernels(set)!.pointee
            #expect(isNear(fast.product(a, b, count), scalar.product(a, b, count), count))
            #expect(
                isNear(
                    fast.squared_distance(a, b, count), scalar.squared_distance(a, b, count), count)
            )
            #expect(
                isNear(
                    fast.byte_product(a, bytes, count) / 255,
                    scalar.byte_product(a, bytes, count) / 255, count))
        }
    }

    @Test("compute the products of several vectors and rows", arguments: counts, [1, 2, 7])
    func manyProducts(count: Int, rows: Int) {
        let scalar = cvector_kernels(CVECTOR_SCALAR)!.pointee
        let (four, table) = (vectors(4, count, seed: 3), vectors(rows, count, seed: 4))
        for set in Self.sets {
            let fast = cvector_kernels(set)!.pointee
            var found = [Float](repeating: .nan, count: 4 * rows)
            fast.products(four, table, rows, count, &found)
            var one = [Float](repeating: .nan, count: rows)
            fast.row_products(four, table, rows, count, &one)
            for vector in 0..<4 {
                for row in 0..<rows {
                    let expected = scalar.product(
                        Array(four[(vector * count)..<(vector + 1) * count]),
                        Array(table[(row * count)..<(row + 1) * count]), count)
                    #expect(isNear(found[vector * rows + row], expected, count))
                    if vector == 0 { #expect(isNear(one[row], expected, count)) }
                }
            }
        }
    }

    @Test("estimate the same distances from codes", arguments: counts)
    func estimates(count: Int) {
        let number = 5
        let differences = vectors(number, count, seed: 5)
        let size = MemoryLayout<cvector_entry>.size + count / 8
        var entries = [UInt8](repeating: 0, count: number * size)
        for index in 0..<number {
            entries.withUnsafeMutableBufferPointer {
                cvector_set_entry(
                    Array(differences[(index * count)..<(index + 1) * count]), count,
                    Int64(100 + index), $0.baseAddress! + index * size)
            }
        }
        func estimate(_ set: cvector_set) -> [cvector_candidate] {
            let vector = vectors(1, count, seed: 6)
            var planes = [UInt64](repeating: 0, count: 4 * count / 64)
            var query = cvector_query()
            cvector_kernels(set)!.pointee.set_planes(vector, count, &planes, &query)
            query.norm_weight = 1
            query.weight = 2
            query.base = 3
            query.error = 4
            var found = [cvector_candidate](repeating: .init(), count: number)
            planes.withUnsafeBufferPointer {
                query.planes = $0.baseAddress
                cvector_kernels(set)!.pointee.estimate(entries, number, count, &query, &found)
            }
            return found
        }
        let expected = estimate(CVECTOR_SCALAR)
        #expect(expected.map(\.docid) == [100, 101, 102, 103, 104])
        for set in Self.sets {
            let found = estimate(set)
            #expect(found.map(\.docid) == expected.map(\.docid))
            for (one, other) in zip(found, expected) {
                #expect(isNear(one.distance, other.distance, count))
                #expect(isNear(one.error, other.error, count))
            }
        }
    }

    @Test("write the same planes", arguments: counts)
    func planes(count: Int) {
        let vector = vectors(1, count, seed: 9)
        func planes(_ set: cvector_set) -> ([UInt64], cvector_query) {
            var planes = [UInt64](repeating: 0, count: 4 * count / 64)
            var query = cvector_query()
            cvector_kernels(set)!.pointee.set_planes(vector, count, &planes, &query)
            return (planes, query)
        }
        let (expected, form) = planes(CVECTOR_SCALAR)
        for set in Self.sets {
            let (found, other) = planes(set)
            let differences = zip(found, expected).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            // Numbers halfway between two codes are rounded to either.
            #expect(differences <= count / 50)
            #expect(form.low == other.low && form.step == other.step)
            #expect(isNear(form.sum, other.sum, count))
        }
    }

    @Test("The estimated distance is near the true one, within its error for nearly all vectors")
    func errors() {
        let (count, number) = (384, 2000)
        let scalar = cvector_kernels(CVECTOR_SCALAR)!.pointee
        let query = vectors(1, count, seed: 7)
        var planes = [UInt64](repeating: 0, count: 4 * count / 64)
        var form = cvector_query()
        scalar.set_planes(query, count, &planes, &form)
        form.norm_weight = 1
        form.weight = 2
        form.base = scalar.product(query, query, count)
        form.error = 2 * 1.9 * 0.6 * form.base.squareRoot()
        let differences = vectors(number, count, seed: 8)
        var outside = 0
        for index in 0..<number {
            let difference = Array(differences[(index * count)..<(index + 1) * count])
            var entry = [UInt8](repeating: 0, count: 16 + count / 8)
            cvector_set_entry(difference, count, 0, &entry)
            var found = cvector_candidate()
            planes.withUnsafeBufferPointer {
                form.planes = $0.baseAddress
                scalar.estimate(entry, 1, count, &form, &found)
            }
            let distance = scalar.squared_distance(query, difference, count)
            if abs(found.distance - distance) > found.error { outside += 1 }
        }
        // 1.9 standard deviations of a normal distribution leave 6 % outside.
        #expect((40...200).contains(outside), "\(outside)")
    }
}
