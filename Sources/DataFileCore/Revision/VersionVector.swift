internal import FleeceLite

/// Who changed a document last, and when each other peer did: the revision of Couchbase Lite 4.
///
/// Stored as a zero byte and then, for each version, its time and its source; see
/// `docs/file-format.md`.
public struct VersionVector: Hashable, Sendable {
    /// The peer that made a version.
    public enum Source: Hashable, Sendable {
        /// This database.
        case local
        /// Another one, by the 16 bytes of its id.
        case peer([UInt8])
    }

    /// One peer's latest change.
    public struct Version: Hashable, Sendable {
        /// When it was made.
        public let time: LogicalTime
        /// Who made it.
        public let source: Source
        /// Whether it belongs to the current version and the ones merged into it.
        public let isCurrent: Bool
    }

    /// The versions, the current one first.
    public let versions: [Version]

    /// A vector of these versions, which must not be empty.
    init(versions: [Version]) {
        self.versions = versions
    }
}

extension VersionVector {
    /// The latest time in it.
    public var latestTime: LogicalTime? { versions.map(\.time).max() }

    /// The vector after a change by this database: its new version first, the others' after it.
    func adding(localTime time: LogicalTime) -> VersionVector {
        let others = versions.filter { $0.source != .local }
            .map { Version(time: $0.time, source: $0.source, isCurrent: false) }
        let new = Version(time: time, source: .local, isCurrent: true)
        return VersionVector(versions: [new] + others)
    }
}

extension VersionVector {
    /// The text of the current version, such as `18e9f0b79eed0000@*`.
    public var currentText: String { versions.first?.description ?? "" }
}

extension VersionVector.Version: CustomStringConvertible {
    /// `time@source`, the source being `*` for this database, else unpadded base64.
    public var description: String {
        switch source {
        case .local: "\(time)@*"
        case .peer(let id): "\(time)@\(VersionVector.sourceText(id))"
        }
    }
}

extension VersionVector {
    /// How a database's 16-byte id is written: unpadded base64.
    public static func sourceText(_ id: [UInt8]) -> String {
        var text = JSONText()
        text.append(base64: id)
        return String(text.string.prefix { $0 != "=" })
    }
}
