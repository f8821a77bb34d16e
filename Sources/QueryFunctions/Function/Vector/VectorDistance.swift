internal import FleeceLite
internal import SQLCore

/// The distance of two arrays of numbers.
///
/// MISSING unless both are arrays of numbers with equal length.
enum VectorDistance {
    static var table: [NamedFunction] {
        [
            NamedFunction("euclidean_distance") { context, count, arguments in
                let call = SQLRawCall(context, count, arguments)
                call.withState(FunctionContext.self) { VectorDistance.euclidean(call, $0) }
            },
            NamedFunction("cosine_distance") { context, count, arguments in
                let call = SQLRawCall(context, count, arguments)
                call.withState(FunctionContext.self) { VectorDistance.cosine(call, $0) }
            },
        ]
    }

    /// `euclidean_distance(a, b[, power])`: with a power of 2 it is the square of the distance.
    private static func euclidean(_ call: SQLRawCall, _ functions: FunctionContext) {
        var power: Int64 = 1
        if call.count == 3 {
            if call.isNull(at: 2) { return call.setNull() }
            power = call.int64(at: 2)
            guard power == 1 || power == 2 else {
                return call.setError("euclidean_distance: the power must be 1 or 2")
            }
        }
        var sum = SIMD8<Double>.zero
        let isWhole = forEachStep(call, functions) { a, b in
            let difference = a - b
            sum += difference * difference
        }
        guard isWhole else { return call.setNull() }
        call.setResult(power == 2 ? sum.sum() : sum.sum().squareRoot())
    }

    /// `cosine_distance(a, b)`: 1 minus the cosine of the angle, between 0 and 2; MISSING if one of
    /// them is zero.
    private static func cosine(_ call: SQLRawCall, _ functions: FunctionContext) {
        var product = SIMD8<Double>.zero
        var first = SIMD8<Double>.zero
        var second = SIMD8<Double>.zero
        let isWhole = forEachStep(call, functions) { a, b in
            product += a * b
            first += a * a
            second += b * b
        }
        guard isWhole else { return call.setNull() }
        // 0 / 0 is NaN, which SQLite stores as NULL.
        call.setResult(1 - product.sum() / (first.sum().squareRoot() * second.sum().squareRoot()))
    }
}

extension VectorDistance {
    /// How many numbers of each array are read at a time; a multiple of 8.
    private static let stride = 128

    /// Calls `body` with eight numbers of each array at a time, padded with zeros.
    ///
    /// False unless both are arrays of numbers with equal length.
    private static func forEachStep(
        _ call: SQLRawCall, _ functions: FunctionContext,
        _ body: (SIMD8<Double>, SIMD8<Double>) -> Void
    ) -> Bool {
        guard case .collection(let first) = call.value(at: 0, functions),
            case .collection(let second) = call.value(at: 1, functions),
            case .array = first.content, case .array = second.content,
            first.elementCount == second.elementCount
        else { return false }
        let count = first.elementCount
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * stride) { buffer in
            var start = 0
            while start < count {
                let filled = min(stride, count - start)
                let a = UnsafeMutableBufferPointer(rebasing: buffer[..<filled])
                let b = UnsafeMutableBufferPointer(rebasing: buffer[stride..<(stride + filled)])
                guard first.readNumbers(from: start, into: a),
                    second.readNumbers(from: start, into: b)
                else { return false }
                addStep(UnsafeRawBufferPointer(buffer), zeroing: buffer, from: filled, body)
                start += filled
            }
            return true
        }
    }

    private static func addStep(
        _ bytes: UnsafeRawBufferPointer, zeroing buffer: UnsafeMutableBufferPointer<Double>,
        from filled: Int, _ body: (SIMD8<Double>, SIMD8<Double>) -> Void
    ) {
        let end = (filled + 7) / 8 * 8
        for index in filled..<end {
            buffer[index] = 0
            buffer[stride + index] = 0
        }
        for offset in Swift.stride(from: 0, to: 8 * end, by: 64) {
            body(
                bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self),
                bytes.loadUnaligned(fromByteOffset: offset + 8 * stride, as: SIMD8<Double>.self))
        }
    }
}
