internal import DataFileCore
internal import Replication
internal import StoreFormat

/// The versions of the protocol.
enum Subprotocol {
    /// With revision trees.
    static let trees = "BLIP_3+CBMobile_3"
    /// With version vectors, too.
    static let vectors = "BLIP_3+CBMobile_4"

    /// Those that a file can speak, the best first. One with trees can send to one with vectors,
    /// but not receive from it.
    static func offered(for database: ReplicatedDatabase) async throws -> [String] {
        let usesVectors = try await database.usesVectors()
        if usesVectors { return [vectors] }
        let pulls = database.collections.contains { $0.direction != .push }
        return pulls ? [trees] : [vectors, trees]
    }
}

extension ReplicatedDatabase {
    /// Whether new revisions of the file have version vectors.
    func usesVectors() async throws -> Bool {
        try await file.read { try $0.versioning() } == .versionVectors
    }
}
