extension VersionVector {
    /// The 16 bytes by which a database is known to others: its `publicUUID`.
    ///
    /// Two numbers, so that a version needs no memory of its own.
    public struct PeerID: Hashable, Sendable {
        /// The first 8 bytes, the first one highest.
        let high: UInt64
        /// The last 8 bytes.
        let low: UInt64

        init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// The peer that made a version.
    public enum Source: Hashable, Sendable {
        /// This database.
        case local
        /// Another one.
        case peer(PeerID)
    }
}

extension VersionVector.PeerID {
    /// How many bytes an id has.
    static let size = 16

    /// Takes the bytes of an id.
    ///
    /// Throws `.invalidParameter` unless there are 16.
    public init(_ bytes: [UInt8]) throws {
        guard bytes.count == Self.size else {
            throw StoreError(
                .invalidParameter,
                "the id of a database has \(Self.size) bytes, not \(bytes.count)")
        }
        self = bytes.withUnsafeBytes { Self(stored: $0, at: 0) }
    }

    /// Reads 16 bytes at an offset, which must be there.
    @inline(__always)
    init(stored bytes: UnsafeRawBufferPointer, at offset: Int) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    /// The 16 bytes.
    public var bytes: [UInt8] { BigEndian.bytes(high) + BigEndian.bytes(low) }

    /// The source of versions that stand for revisions of a tree (Couchbase Lite 3), which is no
    /// database's id. The same in all files of LiteCore.
    public static let legacy = Self(high: 0x45EB_E2B2_2A27_F93A, low: 0xDE7B_E127_7287_629E)
}

extension VersionVector.Source {
    /// Another database, by the 16 bytes of its id.
    ///
    /// Throws `.invalidParameter` unless there are 16.
    public static func peer(bytes: [UInt8]) throws -> Self {
        .peer(try VersionVector.PeerID(bytes))
    }

    /// The source of versions that stand for revisions of a tree.
    public static let legacy = Self.peer(.legacy)
}
