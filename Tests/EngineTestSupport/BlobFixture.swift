package import DataFileCore
internal import FleeceLite
internal import Foundation
package import SampleData
internal import StoreTestSupport
internal import Testing

/// A data file whose blobs are looked at from outside.
package struct BlobFixture: Sendable {
    package let engine: EngineFixture
    /// `hello world`, of which the SHA-1 is known.
    package static let hello = Array("hello world".utf8)
    package static let helloName = "Kq5sNclPz7QV2+lfQIuc6R7oRu0=.blob"
    package static let helloDigest = "sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu0="

    package init() throws {
        engine = try EngineFixture()
    }

    /// The directory of blobs.
    package var attachments: String { engine.path + "/Attachments" }

    /// The database; with a grace of 0 seconds if not told otherwise, so that what nothing refers
    /// to is collected at once.
    package func open(
        _ access: DataFileOptions.Access = .readWrite, grace: Int = 0,
        _ configure: (inout DataFileOptions) -> Void = { _ in }
    ) throws -> DataFile {
        try engine.open(access) { options in
            options.blobGraceSeconds = grace
            configure(&options)
        }
    }

    /// The names in the directory of blobs, sorted; none if there is no directory.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: attachments)) ?? []).sorted()
    }

    /// Makes a file in the directory of blobs, which is made if need be, so many seconds old.
    package func make(_ name: String, _ bytes: [UInt8] = [1, 2, 3], secondsAgo: Double = 0) throws {
        try FileManager.default.createDirectory(
            atPath: attachments, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: "\(attachments)/\(name)"))
        try age(name, secondsAgo: secondsAgo)
    }

    /// Makes a file look as if it was changed some time ago.
    package func age(_ name: String, secondsAgo: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)],
            ofItemAtPath: "\(attachments)/\(name)")
    }

    package func contents(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "\(attachments)/\(name)")))
    }

    /// Saves a record whose body is `{"photo": blob}`.
    package func save(_ key: String, _ blob: Blob, in file: DataFile) throws {
        try file.write { try save(key, blob, in: $0) }
    }

    package func save(_ key: String, _ blob: Blob, in transaction: Transaction) throws {
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        try encoder.writeKey("photo")
        try encoder.write(blob)
        try encoder.endDictionary()
        let result = try engine.store.put(
            RecordUpdate(key, version: [1], body: try encoder.finish(), expecting: .absent),
            in: transaction)
        #expect(result != .conflict)
    }
}

extension SeededGenerator {
    /// Begins at the seed of the environment variable `STORE_SEED`, or else at a fixed one.
    package init(printing test: String) {
        let chosen = ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? 20_261_121
        print("\(test): STORE_SEED=\(seed)")
        self.init(seed: seed)
    }

    /// So many bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
