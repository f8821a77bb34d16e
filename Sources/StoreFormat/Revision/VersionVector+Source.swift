extension VersionVector {
    /// The 16 bytes that identify a database to others: its `publicUUID`.
    ///
    /// Stored as two integers, so that a version does not allocate memory. ``FileInfo/publicUUID``
    /// has the bytes.
    public struct PeerID: Hashable, Sendable {
        /// The first 8 bytes, big-endian.
        let high: UInt64
        /// The last 8 bytes, big-endian.
        let low: UInt64

        init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// The peer that created a version: this database, or another one by its ID.
    ///
    /// The text of this database is `*`; its own ID does not occur in the vectors that it stores.
    public enum Source: Hashable, Sendable {
        /// This database.
        case local
        /// Another database.
        case peer(PeerID)
    }
}

extension VersionVector.PeerID {
    /// The length of an ID in bytes.
    static let size = 16

    /// Creates an ID from its bytes.
    ///
    /// - Parameter bytes: 16 bytes.
    /// - Throws: ``StoreError/Code/invalidParameter`` unless there are 16.
    public init(_ bytes: [UInt8]) throws {
        guard bytes.count == Self.size else {
            throw StoreError(
                .invalidParameter,
                "the id of a database has \(Self.size) bytes, not \(bytes.count)")
        }
        self = bytes.withUnsafeBytes { Self(stored: $0, at: 0) }
    }

    /// Reads 16 bytes at a valid offset.
    @inline(__always)
    init(stored bytes: UnsafeRawBufferPointer, at offset: Int) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    /// The 16 bytes, in the order in which the file stores them.
    public var bytes: [UInt8] { BigEndian.bytes(high) + BigEndian.bytes(low) }

    /// The source of versions that represent tree revisions (Couchbase Lite 3). It is not the ID of
    /// a database, and the same in all of LiteCore's files.
    public static let legacy = Self(high: 0x45EB_E2B2_2A27_F93A, low: 0xDE7B_E127_7287_629E)
}

extension VersionVector.Source {
    /// Another database, by the 16 bytes of its ID.
    ///
    /// - Parameter bytes: 16 bytes.
    /// - Throws: ``StoreError/Code/invalidParameter`` unless there are 16.
    public static func peer(bytes: [UInt8]) throws -> Self {
        .peer(try VersionVector.PeerID(bytes))
    }

    /// The source of versions that represent tree revisions; see
    /// ``VersionVector/Version/isLegacy``.
    public static let legacy = Self.peer(.legacy)
}
