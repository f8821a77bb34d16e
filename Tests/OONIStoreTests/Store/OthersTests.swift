import DocumentStore
import Foundation
import Testing

@testable import OONIStore

@Suite("What others do meanwhile, or have written")
struct OthersTests {
    private let store: OONIStore

    init() throws {
        store = try OONIStore.inMemory()
    }

    private func measurement() throws -> OONIStore.Measurement.ID {
        try store.write { [store] transaction in
            let result = try store.results.insert(
                .init(name: "websites"), at: .init(milliseconds: 1), in: transaction)
            let id = try store.measurements.insert(
                .tor, of: result.id, at: .init(milliseconds: 1), in: transaction
            ).id
            try store.measurements.update(id, in: transaction) { $0.isDone = true }
            return id
        }
    }

    @Test("a measurement that another sweep has uploaded stays unchanged")
    func sweeps() async throws {
        let id = try measurement()
        let outcomes: [OONIStore.Measurements.UploadOutcome] = [
            .reportMissing, .failed(message: "x"), .reportUnreadable(message: "x"),
        ]
        let (uploaded, left) = try await store.uploadMissing { [store] measurement in
            _ = try await store.write {
                try store.measurements.noteUpload(
                    .uploaded(uid: "u", verification: nil), of: measurement.id, in: $0)
            }
            return .reportMissing
        }
        #expect(uploaded == 0 && left == 0)
        try await store.write { [store] transaction in
            for outcome in outcomes {
                try store.measurements.noteUpload(outcome, of: id, in: transaction)
            }
        }
        let now = try await store.read { [store] in try store.measurements.get(id, in: $0) }
        #expect(now?.isUploaded == true && now?.isUploadFailed == false && now?.uid == "u")
    }

    @Test("numbers that nothing can be given are refused, and end no program")
    func numbers() throws {
        var lines: [String] = []
        _ = try store.export { lines.append($0) }
        for last in ["9223372036854775807", "1000000000000"] {
            let header = lines[0].replacing("\"results\":0", with: "\"results\":\(last)")
            #expect(header != lines[0])
            let error = #expect(throws: OONIStoreError.self) {
                try OONIStore.inMemory().importLines([header] + lines.dropFirst())
            }
            #expect(error?.code == .invalidLine)
        }
        try store.write {
            _ = try DocumentCollection(CollectionName("ooni.info")).save("results", in: $0) {
                try $0.writeJSON("{\"last\":9223372036854775807}")
            }
        }
        let error = #expect(throws: OONIStoreError.self) { try measurement() }
        #expect(error?.code == .invalidIdentifier)
    }

    @Test("a version that is none is an error", arguments: ["-1", "0", "\"x\"", "null"])
    func versions(version: String) throws {
        try store.write {
            _ = try DocumentCollection(CollectionName("ooni.info")).save("schema", in: $0) {
                try $0.writeJSON("{\"version\":\(version)}")
            }
        }
        let error = #expect(throws: OONIStoreError.self) { try OONIStore(store.file) }
        #expect(error?.code == .notReadable)
    }

    @Test("bounds of bytes below nothing are nothing")
    func bytes() throws {
        _ = try measurement()
        try store.write { try store.results.markAllAsDone(in: $0) }
        let deleted = try store.write {
            try store.results.apply(.init(bytes: .min), at: Date(), zone: .gmt, in: $0)
        }
        #expect(deleted.results.count == 1)
    }

    @Test("a link that was deleted, or is another one, is not offered")
    func links() async throws {
        var known = OONIStore.TestDescriptor(runID: "10001", revision: 1, name: "n")
        known.dateUpdated = .init(milliseconds: 1)
        var other = known
        (other.runID, other.revision) = ("10002", 2)
        other.dateUpdated = .init(milliseconds: 2)
        let saved = [known, other]
        try await store.write { [store] in try store.descriptors.save(saved, in: $0) }
        let refresh = try await store.refreshDescriptors { [store, other] link in
            if link == "10001" { return other }
            _ = try await store.write { try store.descriptors.delete("10002", in: $0) }
            return other
        }
        #expect(refresh.offered.isEmpty && refresh.saved.isEmpty)
        #expect(refresh.failures.keys.sorted() == ["10001"])
    }

    @Test("properties that this version does not know stay, whatever is written")
    func unknownProperties() throws {
        let id = try measurement()
        try store.write { [store] transaction in
            try store.urls.register(.init("https://a.example/"), in: transaction)
            let link = OONIStore.TestDescriptor(runID: "10004", revision: 1, name: "n")
            try store.descriptors.save([link], in: transaction)
        }
        let documents: [(DocumentCollection, String)] = [
            (store.results.collection, id.result.key), (store.measurements.collection, id.key),
            (store.urls.collection, "https://a.example/"),
            (store.descriptors.collection, "10004/000000000001"),
        ]
        try store.write { transaction in
            for (collection, key) in documents {
                var document = try #require(try collection.get(key, in: transaction)).mutableCopy()
                document["new"] = "kept"
                _ = try collection.save(&document, in: transaction)
            }
        }
        try store.write { [store] transaction in
            try store.results.markAsViewed(id.result, in: transaction)
            try store.results.markAllAsDone(in: transaction)
            try store.measurements.update(id, in: transaction) { $0.isAnomaly = true }
            try store.urls.register(.init("https://a.example/", category: .news), in: transaction)
            try store.descriptors.setAutoUpdate(false, "10004", in: transaction)
        }
        var lines: [String] = []
        _ = try store.export { lines.append($0) }
        let copy = try OONIStore.inMemory()
        try copy.importLines(lines)
        for store in [store, copy] {
            for (collection, key) in documents {
                let kept = try store.read { try collection.get(key, in: $0)?["new"]?.string }
                #expect(kept == "kept", "\(collection.name) \(key)")
            }
        }
    }

    @Test("one document that cannot be read takes no list away")
    func unreadable() throws {
        _ = try measurement()
        try store.write { [store] transaction in
            for collection in [
                store.networks.collection, store.urls.collection, store.articles.collection,
                store.descriptors.collection, store.measurements.collection,
            ] {
                _ = try collection.save("000000000001/000000000009", in: transaction) {
                    try $0.writeJSON("{}")
                }
            }
        }
        try store.read { [store] snapshot in
            _ = try store.statistics(at: Date(), zone: .gmt, in: snapshot)
            _ = try store.descriptors.sorted(at: .init(milliseconds: 0), in: snapshot)
            let shown = try store.measurements.all(of: .init(1), in: snapshot)
            #expect(shown.count == 1)
            let findings = try store.verify(in: snapshot)
            #expect(findings.count == 5)
        }
        try store.write { _ = try store.networks.deleteUnused(in: $0) }
    }
}
