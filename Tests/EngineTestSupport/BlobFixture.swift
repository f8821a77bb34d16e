package import DataFileCore
internal import FleeceLite
internal import Foundation
package import SampleData
internal import StoreTestSupport
internal import Testing

/// A data file whose blob files are read and changed without the engine.
package struct BlobFixture: Sendable {
    package let engine: EngineFixture
    /// The bytes of `hello world`, whose SHA-1 is known.
    package static let hello = Array("hello world".utf8)
    package static let helloName = "Kq5sNclPz7QV2+lfQIuc6R7oRu0=.blob"
    package static let helloDigest = "sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu0="

    package init() throws {
        engine = try EngineFixture()
    }

    /// The blob directory.
    package var attachments: String { engine.path + "/Attachments" }

    /// Opens the database; the default grace period is 0 seconds, so that unreferenced blobs are
    /// removed immediately.
    package func open(
        _ access: DataFileOptions.Access = .readWrite, grace: Int = 0,
        _ configure: (inout DataFileOptions) -> Void = { _ in }
    ) throws -> DataFile {
        try engine.open(access) { options in
            options.blobGraceSeconds = grace
            configure(&options)
        }
    }

    /// The file names in the blob directory, sorted; empty if there is no directory.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: attachments)) ?? []).sorted()
    }

    /// Creates a file of the given age in the blob directory, which is created if necessary.
    package func make(_ name: String, _ bytes: [UInt8] = [1, 2, 3], secondsAgo: Double = 0) throws {
        try FileManager.default.createDirectory(
            atPath: attachments, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: "\(attachments)/\(name)"))
        try age(name, secondsAgo: secondsAgo)
    }

    /// Sets the modification time of a file to a number of seconds ago.
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
    /// Starts at the seed of the environment variable `STORE_SEED`, or else at a fixed one.
    package init(printing test: String) {
        let chosen = ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? 20_261_121
        print("\(test): STORE_SEED=\(seed)")
        self.init(seed: seed)
    }

    /// A number of random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
