/// A type that is a scalar, or an array of scalars.
struct ScalarType {
    fileprivate let scalar: any FleeceScalar.Type
    fileprivate let isArray: Bool

    // `Value` must be the type for which this instance was returned.

    /// The reason why a value cannot be written; nil if it can.
    @inline(__always)
    func refusal<Value>(
        of value: Value, _ dates: FleeceRowEncoder.DateForm
    ) -> WriteRefusal? {
        withUnsafePointer(to: value) { scalar.refusal(at: $0, isArray: isArray, dates) }
    }

    /// Writes a value that has no `refusal`.
    @inline(__always)
    func write<Value>(
        _ value: Value, into encoder: inout FleeceEncoder, _ dates: FleeceRowEncoder.DateForm
    ) throws {
        try withUnsafePointer(to: value) {
            try scalar.write(at: $0, isArray: isArray, into: &encoder, dates)
        }
    }

    @inline(__always)
    func read<Value>(
        _ value: RawValue, _ source: DecodingSource, as type: Value.Type
    ) throws(ReadFailure) -> Value {
        let buffer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { buffer.deallocate() }
        try scalar.read(value, source, isArray: isArray, at: buffer)
        return buffer.move()
    }
}

/// Determines which types are scalars: a table of metatypes, searched for every
/// value of a generic type.
///
/// A comparison of addresses costs much less than a dynamic conformance check.
struct ScalarTypes: @unchecked Sendable {
    // Unchecked because of the pointer: its memory is written once, before it is
    // shared, and is never freed.

    private struct Slot {
        let type: UInt
        let scalar: ScalarType
    }

    private static let capacity = 256
    private let slots: UnsafeMutablePointer<Slot?>

    static let all = ScalarTypes()

    private init() {
        slots = .allocate(capacity: Self.capacity)
        slots.initialize(repeating: nil, count: Self.capacity)
        // The types of Foundation, if the module is built with them.
        let others = (OtherScalars.self as Any.Type) as? any OtherScalarTypes.Type
        for type in Self.standard + (others?.types ?? []) {
            insert(type, ScalarType(scalar: type, isArray: false))
            insert(arrayType(type), ScalarType(scalar: type, isArray: true))
        }
    }

    private static var standard: [any FleeceScalar.Type] {
        [
            Bool.self, String.self, Double.self, Float.self,
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
            UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
        ]
    }

    private func arrayType<Scalar: FleeceScalar>(_ type: Scalar.Type) -> Any.Type {
        [Scalar].self
    }

    private func insert(_ type: Any.Type, _ scalar: ScalarType) {
        let address = UInt(bitPattern: ObjectIdentifier(type))
        var slotIndex = Self.slotIndex(of: address)
        while slots[slotIndex] != nil { slotIndex = (slotIndex + 1) & (Self.capacity - 1) }
        slots[slotIndex] = Slot(type: address, scalar: scalar)
    }

    @inline(__always)
    private static func slotIndex(of address: UInt) -> Int {
        Int(truncatingIfNeeded: address >> 4 ^ address >> 11) & (capacity &- 1)
    }

    /// The scalar type of `type`; nil if it is not a scalar.
    @inline(__always)
    func scalar(_ type: Any.Type) -> ScalarType? {
        let address = UInt(bitPattern: ObjectIdentifier(type))
        var slotIndex = Self.slotIndex(of: address)
        while let slot = slots[slotIndex] {
            if slot.type == address { return slot.scalar }
            slotIndex = (slotIndex &+ 1) & (Self.capacity &- 1)
        }
        return nil
    }
}

/// Provides the scalar types beyond those of the standard library.
protocol OtherScalarTypes {
    static var types: [any FleeceScalar.Type] { get }
}

/// Conforms to `OtherScalarTypes` if the module is built with more than the standard library.
enum OtherScalars {}
