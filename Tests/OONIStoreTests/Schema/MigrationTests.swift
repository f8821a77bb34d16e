import DocumentStore
import Testing

@testable import OONIStore

@Suite("Versions of a store")
struct MigrationTests {
    /// A later version, which gives each result whose descriptor has a name the link of its card.
    private static let linksOfCards = CollectionMigration("links of default cards") { transaction in
        let collections = Collections(try ProbeSchema())
        for var result in try collections.results.all(in: transaction)
        where result.descriptor.key == nil {
            guard let card = result.descriptor.name.flatMap({ OONIStore.DefaultCard(rawValue: $0) })
            else { continue }
            result.descriptor.key = .init(card.runID, revision: 1)
            try collections.results.put(result, result.id.key, in: transaction)
        }
    }

    private struct Stop: Error {}

    private func filled() throws -> DataFile {
        let file = try DataFile(inMemory: DataFileOptions(access: .create))
        let store = try OONIStore(file)
        try store.write { transaction in
            let link = OONIStore.TestDescriptor(runID: "10004", revision: 1, name: "n")
            try store.descriptors.save([link], in: transaction)
            for number in 0..<20 {
                let result = try store.results.insert(
                    number % 2 == 0 ? .init(name: "websites") : .init(link),
                    at: .init(milliseconds: Int64(number)), in: transaction)
                _ = try store.measurements.insert(
                    .tor, of: result.id, at: .init(milliseconds: Int64(number)), in: transaction)
            }
        }
        return file
    }

    @Test("an older one is brought up to date when it is opened, once, with all that it has")
    func older() throws {
        let file = try filled()
        let store = try OONIStore(file, CollectionMigration.all + [Self.linksOfCards])
        let results = try store.read { try store.results.page(in: $0).results }
        #expect(results.count == 20)
        #expect(results.count { $0.descriptor.key == .init("00104", revision: 1) } == 10)
        #expect(results.allSatisfy { $0.counts.measurements == 1 })
        #expect(try store.read { try store.verify(in: $0) }.isEmpty)
        let version = try store.read { try store.version(in: $0) }
        #expect(version == CollectionMigration.all.count + 1)
        // A second time nothing is done.
        let stops = CollectionMigration("") { _ in throw Stop() }
        _ = try OONIStore(file, CollectionMigration.all + [stops])
    }

    @Test("a step that fails leaves the store as it was")
    func failure() throws {
        let file = try filled()
        let stops = CollectionMigration("") { _ in throw Stop() }
        #expect(throws: Stop.self) {
            try OONIStore(file, CollectionMigration.all + [Self.linksOfCards, stops])
        }
        let store = try OONIStore(file)
        #expect(
            try store.read { try store.results.page(in: $0).results }
                .allSatisfy { $0.descriptor.key?.runID != "00104" })
    }

    @Test("a newer one is not opened, and is not changed")
    func newer() throws {
        let file = try filled()
        _ = try OONIStore(file, CollectionMigration.all + [Self.linksOfCards])
        let error = #expect(throws: OONIStoreError.self) { try OONIStore(file) }
        #expect(error?.code == .newerVersion)
        #expect(
            error?.message == "the file has version 2 of this store, and this program only has "
                + "versions up to 1: open it with a newer program")
    }
}
