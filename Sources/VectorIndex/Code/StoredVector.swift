internal import CVector
internal import StoreFormat

/// A vector of a query, in the index's space.
struct QueryVector {
    let numbers: [Float]
    let squaredLength: Float
    /// The sum of the numbers.
    let sum: Float

    init(_ numbers: [Float], _ space: VectorSpace) {
        self.numbers = numbers
        squaredLength = space.kernels.pointee.product(numbers, numbers, space.count)
        sum = numbers.reduce(0, +)
    }
}

/// The form in which an index stores the copies of vectors.
///
/// Without a quantizer: the numbers. With one byte for each: the least number, the step, the
/// squared length, and the bytes. All numbers are little-endian single precision.
struct StoredVector {
    let space: VectorSpace
    let encoding: VectorEncoding

    private static let headSize = 12

    /// The number of bytes of a stored vector.
    var size: Int {
        switch encoding {
        case .none: 4 * space.count
        case .scalarQuantizer: Self.headSize + space.count
        }
    }

    func encoded(_ vector: [Float]) -> [UInt8] {
        switch encoding {
        case .none: return vector.withUnsafeBytes { Array($0) }
        case .scalarQuantizer:
            var bytes = [UInt8](repeating: 0, count: size)
            var head = (low: Float(0), step: Float(0))
            bytes.withUnsafeMutableBytes { bytes in
                let codes = bytes.baseAddress.map { $0 + Self.headSize }
                cvector_quantize(
                    vector, space.count, &head.low, &head.step,
                    codes?.assumingMemoryBound(to: UInt8.self))
                let squaredLength = space.kernels.pointee.product(vector, vector, space.count)
                bytes.storeBytes(of: head.low, as: Float.self)
                bytes.storeBytes(of: head.step, toByteOffset: 4, as: Float.self)
                bytes.storeBytes(of: squaredLength, toByteOffset: 8, as: Float.self)
            }
            return bytes
        }
    }

    /// The vector of stored bytes, approximately if there is a quantizer.
    ///
    /// Throws `.corruptData` for bytes of another length.
    func decoded(_ bytes: UnsafeRawBufferPointer) throws -> [Float] {
        try requireSize(bytes)
        return [Float](unsafeUninitializedCapacity: space.count) { vector, count in
            count = space.count
            switch encoding {
            case .none: UnsafeMutableRawBufferPointer(vector).copyMemory(from: bytes)
            case .scalarQuantizer:
                let low = bytes.loadUnaligned(as: Float.self)
                let step = bytes.loadUnaligned(fromByteOffset: 4, as: Float.self)
                cvector_restore(Self.codes(bytes), space.count, low, step, vector.baseAddress)
            }
        }
    }

    /// The order of a stored vector among those near a query: the squared distance, or the negated
    /// product.
    ///
    /// Throws `.corruptData` for bytes of another length.
    func order(_ bytes: UnsafeRawBufferPointer, from query: QueryVector) throws -> Float {
        try requireSize(bytes)
        switch encoding {
        case .none:
            let numbers = bytes.baseAddress?.assumingMemoryBound(to: Float.self)
            return space.metric.isProduct
                ? -space.kernels.pointee.product(query.numbers, numbers, space.count)
                : space.kernels.pointee.squared_distance(query.numbers, numbers, space.count)
        case .scalarQuantizer:
            let low = bytes.loadUnaligned(as: Float.self)
            let step = bytes.loadUnaligned(fromByteOffset: 4, as: Float.self)
            let codes = space.kernels.pointee.byte_product(
                query.numbers, Self.codes(bytes), space.count)
            let product = low * query.sum + step * codes
            if space.metric.isProduct { return -product }
            let squaredLength = bytes.loadUnaligned(fromByteOffset: 8, as: Float.self)
            return query.squaredLength + squaredLength - 2 * product
        }
    }

    /// The usual length of the difference of a vector and its copy.
    func rounding(_ bytes: UnsafeRawBufferPointer) -> Float {
        guard encoding == .scalarQuantizer else { return 0 }
        let step = bytes.loadUnaligned(fromByteOffset: 4, as: Float.self)
        return step * (Float(space.count) / 12).squareRoot()
    }

    private static func codes(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
        bytes.baseAddress.map { ($0 + headSize).assumingMemoryBound(to: UInt8.self) }
    }

    private func requireSize(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count == size else {
            throw StoreError.vectorIndexDamage(
                "a stored vector has \(bytes.count) bytes instead of \(size)")
        }
    }
}
