/// A type that is a scalar, or an array of scalars.
struct ScalarType {
    fileprivate let scalar: any FleeceScalar.Type
    fileprivate let isArray: Bool

    // `Value` must be the type that this was found for.

    /// Why a value cannot be written, nil if it can.
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
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { place.deallocate() }
        try scalar.read(value, source, isArray: isArray, at: place)
        return place.move()
    }
}

/// Which types are scalars: a table of metatypes, asked for every value of a generic type.
///
/// A comparison of addresses costs much less than asking the runtime for a conformance.
struct ScalarTypes: @unchecked Sendable {
    // Unchecked because of the pointer: what it points to is written once, before anyone sees it,
    // and stays as long as the process.

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
        // The types of Foundation, if the module was built with them.
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
        var place = Self.place(of: address)
        while slots[place] != nil { place = (place + 1) & (Self.capacity - 1) }
        slots[place] = Slot(type: address, scalar: scalar)
    }

    @inline(__always)
    private static func place(of address: UInt) -> Int {
        Int(truncatingIfNeeded: address >> 4 ^ address >> 11) & (capacity &- 1)
    }

    /// The type as a scalar one, nil if it is none.
    @inline(__always)
    func scalar(_ type: Any.Type) -> ScalarType? {
        let address = UInt(bitPattern: ObjectIdentifier(type))
        var place = Self.place(of: address)
        while let slot = slots[place] {
            if slot.type == address { return slot.scalar }
            place = (place &+ 1) & (Self.capacity &- 1)
        }
        return nil
    }
}

/// What says which types other than those of the standard library are scalars.
protocol OtherScalarTypes {
    static var types: [any FleeceScalar.Type] { get }
}

/// Conforms to `OtherScalarTypes` where the module knows more than the standard library.
enum OtherScalars {}
