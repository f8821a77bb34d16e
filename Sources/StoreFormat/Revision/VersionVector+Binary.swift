internal import FleeceLite

// A vector's bytes:
//
//   00 | time₁ source₁ | time₂ source₂ | …
//
// time₁ is the packed time as a varint; each later one is the packed difference from the time
// before. Packed is t·2 + 1, or t / 2¹⁵ if the low 16 bits, the counter, are zero. A source is a
// byte whose low 7 bits are the number of bytes that follow, 0 for this database; its high bit
// marks the current version and those merged into it. If none is marked, the first one is current.
// The source of the first version may occur a second time, among those merged into it.
extension VersionVector {
    /// Whether a `version` column contains a vector; a tree revision starts with its generation.
    package static func isVector(_ bytes: [UInt8]) -> Bool { bytes.first == 0 }

    /// Whether a `version` column contains a vector.
    package static func isVector(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.first == 0 }

    /// Reads a `version` column.
    ///
    /// - Parameter bytes: the bytes, which are those of ``binary``.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` if it is not a well-formed vector, or has
    ///   more than ``maximumVersions`` versions.
    public init(binary bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { try VersionVector(binary: $0) }
    }

    /// Reads a borrowed `version` column.
    ///
    /// - Parameter bytes: the bytes, which are needed only during the call.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` if it is not a well-formed vector, or has
    ///   more than ``maximumVersions`` versions.
    public init(binary bytes: UnsafeRawBufferPointer) throws {
        guard bytes.first == 0 else { throw Self.damage(bytes, "it does not begin with 0") }
        var position = 1
        let first = try Self.version(in: bytes, at: &position, after: nil)
        var others: [Version] = []
        var sources = SourceSet(first)
        var before = first.time
        while position < bytes.count {
            let version = try Self.version(in: bytes, at: &position, after: before)
            guard sources.insert(version, afterAll: others) else {
                throw Self.damage(bytes, "a source occurs twice")
            }
            others.append(version)
            before = version.time
            guard others.count < Self.maximumVersions else {
                throw Self.damage(bytes, "it has over \(Self.maximumVersions) versions")
            }
        }
        self.init(first: first, others: others)
    }

    private static func damage(_ bytes: UnsafeRawBufferPointer, _ reason: String) -> StoreError {
        StoreError(
            .corruptRevisionData,
            "a version vector of \(bytes.count) bytes is damaged: \(reason)")
    }

    private static func version(
        in bytes: UnsafeRawBufferPointer, at position: inout Int, after before: LogicalTime?
    ) throws -> Version {
        guard let base = bytes.baseAddress,
            let (packed, end) = Varint.read(base, at: position, limit: bytes.count),
            end < bytes.count
        else { throw damage(bytes, "it is cut off") }
        let time = before.map { unpacked(packed, after: $0) } ?? unpacked(packed)
        guard let time, LogicalTime.valid.contains(time) else {
            throw damage(bytes, "a time is out of range")
        }
        let mark = bytes[end]
        let length = Int(mark & ~currentMark)
        guard length == 0 || length == PeerID.size, length < bytes.count - end else {
            throw damage(bytes, "the id of a source has \(length) bytes, or is cut off")
        }
        position = end + 1 + length
        let source: Source = length == 0 ? .local : .peer(PeerID(stored: bytes, at: end + 1))
        return Version(time: time, source: source, isCurrent: mark & currentMark != 0)
    }

    private static let currentMark: UInt8 = 0x80
}

// Times.
extension VersionVector {
    /// Nil if it cannot be the packed form of a 64-bit time.
    @inline(__always)
    private static func unpacked(_ packed: UInt64) -> LogicalTime? {
        if packed & 1 != 0 { return LogicalTime(rawValue: packed >> 1) }
        guard packed >> 49 == 0 else { return nil }
        return LogicalTime(rawValue: packed << 15)
    }

    /// Packing drops the highest bit of a difference, which is never set for a valid time.
    private static func unpacked(_ packed: UInt64, after before: LogicalTime) -> LogicalTime? {
        let signed = Int64(bitPattern: packed)
        if packed & 1 != 0 {
            let time = before.rawValue &- UInt64(bitPattern: signed >> 1)
            return LogicalTime(rawValue: time & LogicalTime.valid.upperBound.rawValue)
        }
        let step = signed << 15
        guard step >> 15 == signed else { return nil }
        return LogicalTime(rawValue: before.rawValue &- UInt64(bitPattern: step))
    }

    @inline(__always)
    private static func packed(_ time: LogicalTime) -> UInt64 {
        let time = time.rawValue
        return time & 0xFFFF != 0 ? time << 1 | 1 : time >> 15
    }

    private static func packed(_ time: LogicalTime, after before: LogicalTime) -> UInt64 {
        let step = Int64(bitPattern: before.rawValue &- time.rawValue)
        return UInt64(bitPattern: step & 0xFFFF != 0 ? step << 1 | 1 : step >> 15)
    }
}

// Writing.
extension VersionVector {
    /// The bytes of a `version` column.
    ///
    /// A vector of one local version usually has 9 or 11 bytes, each version of another database
    /// about 25 more.
    public var binary: [UInt8] { withBinary { [UInt8]($0) } }

    /// Lends the bytes of a `version` column, which are on the stack if they are few.
    @inlinable @inline(__always)
    package func withBinary<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try withUnsafeTemporaryAllocation(byteCount: binaryCapacity, alignment: 8) { bytes in
            let end = write(to: bytes)
            return try body(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        }
    }

    /// An upper bound of the length of a `version` column: for each version a varint, the source's
    /// length byte and its ID.
    @usableFromInline
    var binaryCapacity: Int { 1 + count * (Varint.maximumLength + 1 + PeerID.size) }

    /// Writes the vector into a sufficiently large buffer; returns its length.
    @usableFromInline
    func write(to bytes: UnsafeMutableRawBufferPointer) -> Int {
        bytes[0] = 0
        var end = 1
        Self.write(first, Self.packed(first.time), to: bytes, at: &end)
        var before = first.time
        for version in others {
            Self.write(version, Self.packed(version.time, after: before), to: bytes, at: &end)
            before = version.time
        }
        return end
    }

    @inline(__always)
    private static func write(
        _ version: Version, _ packedTime: UInt64, to bytes: UnsafeMutableRawBufferPointer,
        at end: inout Int
    ) {
        end = Varint.store(packedTime, in: bytes, at: end)
        let mark = version.isCurrent ? currentMark : 0
        guard case .peer(let id) = version.source else {
            bytes[end] = mark
            end += 1
            return
        }
        bytes[end] = mark | UInt8(PeerID.size)
        bytes.storeBytes(of: id.high.bigEndian, toByteOffset: end + 1, as: UInt64.self)
        bytes.storeBytes(of: id.low.bigEndian, toByteOffset: end + 9, as: UInt64.self)
        end += 1 + PeerID.size
    }
}

/// The sources of a vector that is being read.
///
/// Compares few sources one by one; creates a set only when there are many.
struct SourceSet {
    private let first: VersionVector.Version
    /// Whether the first version's source has occurred again.
    private var hasRepeated = false
    private var many: Set<VersionVector.Source> = []

    init(_ first: VersionVector.Version) {
        self.first = first
    }

    /// Adds the source of a version that follows `others`; false if it may not occur again.
    mutating func insert(
        _ version: VersionVector.Version, afterAll others: [VersionVector.Version]
    ) -> Bool {
        if version.source == first.source {
            // An older version of the same source, merged into the first one.
            guard !hasRepeated, version.isCurrent, version.time < first.time else { return false }
            hasRepeated = true
            return true
        }
        if others.count < 8 { return !others.contains { $0.source == version.source } }
        if many.isEmpty { many = Set(others.map(\.source)) }
        return many.insert(version.source).inserted
    }
}
