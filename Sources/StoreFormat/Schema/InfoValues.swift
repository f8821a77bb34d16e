/// How a file stores the revisions of its documents, as its row `versioning` states.
///
/// Choose the form of a new file with ``DataFileOptions/versioning``: the form decides which
/// versions of Couchbase Lite can read it.
///
/// ```swift
/// let versioning = try file.read { try $0.versioning() }
/// if versioning != .versionVectors {
///     try file.write { try $0.upgradeVersioning(to: .versionVectors) }
/// }
/// ```
///
/// Rows not saved since an upgrade keep their older form; see ``RecordLayout``. A file cannot be
/// converted back, and Couchbase Lite before 4 does not read version vectors.
public enum Versioning: UInt64, Sendable {
    /// Revision trees that contain all bodies: Couchbase Lite 2.
    case treesInBody = 0
    /// Revision trees separate from the current body: Couchbase Lite 3.
    case treesInExtra = 1
    /// Version vectors: Couchbase Lite 4.
    case versionVectors = 2

    /// The bytes stored in the file.
    package var stored: [UInt8] { BigEndian.bytes(rawValue) }
}

/// Numbers in the raw store `info`: 8 bytes, most significant first.
package enum BigEndian {
    package static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    /// Nil unless there are exactly 8 bytes.
    package static func number(_ bytes: [UInt8]) -> UInt64? {
        bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}

/// The 16 bytes that identify a database.
package enum UUIDBytes {
    /// A random UUID, version 4, variant 1 (RFC 9562).
    package static func random() -> [UInt8] {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
