import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// A database that real Couchbase Lite or LiteCore wrote, and facts about it.
///
/// The counts and sequences are those of `golden/litecore/expected`, which LiteCore's own tool
/// printed, and those of the files' `kvmeta`.
struct GoldenDatabase: CustomTestStringConvertible, Sendable {
    let name: String
    let schemaVersion: Int
    let versioning: Versioning
    /// By collection: the number of live documents, and of tombstones.
    let counts: [String: [Int]]
    let indexes: [String]

    var testDescription: String { name }

    static let all = [
        GoldenDatabase(
            name: "upgrade_2.7", schemaVersion: 302, versioning: .treesInBody,
            counts: ["_default": [50, 50]], indexes: []),
        GoldenDatabase(
            name: "upgrade_2.8_index", schemaVersion: 302, versioning: .treesInBody,
            counts: ["_default": [2, 0]], indexes: ["default.index1"]),
        GoldenDatabase(
            name: "db_3_0_0_names_100_with_deleted", schemaVersion: 400,
            versioning: .treesInExtra, counts: ["_default": [78, 22]], indexes: []),
        GoldenDatabase(
            name: "upgrade_3.1_peerCheckpoints", schemaVersion: 500, versioning: .treesInExtra,
            counts: ["_default": [0, 0], "loopback.test": [100, 0]], indexes: []),
        GoldenDatabase(
            name: "sample_revtree_503", schemaVersion: 503, versioning: .treesInExtra,
            counts: ["_default": [107, 1], "hr.Employees": [10, 1]], indexes: sampleIndexes),
        GoldenDatabase(
            name: "sample_vectors_503", schemaVersion: 503, versioning: .versionVectors,
            counts: ["_default": [107, 1], "hr.Employees": [10, 1]], indexes: sampleIndexes),
    ]

    private static let sampleIndexes = [
        ".hr.Employees.bySalary", "default.byName", "default.byState", "default.byStreet",
        "default.likesIdx", "default.partialBday",
    ]

    static func named(_ name: String) throws -> GoldenDatabase {
        try #require(all.first { $0.name == name })
    }

    /// A copy to work on: even reading can create temporary files beside the database.
    func copy(to directory: TemporaryDirectory) throws -> String {
        try directory.copy(of: GoldenFiles.file("litecore/\(name).cblite2"))
    }

    /// The output of LiteCore's own tool for the database.
    func expected(_ suffix: String) throws -> String {
        try String(
            contentsOfFile: GoldenFiles.file("litecore/expected/\(name).\(suffix)"),
            encoding: .utf8)
    }
}
