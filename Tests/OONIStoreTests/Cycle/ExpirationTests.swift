import DocumentStore
import StoreTestSupport
import Testing

@testable import OONIStore

@Suite("Results that expire", .timeLimit(.minutes(20)))
struct ExpirationTests {
    private func quietStore() throws -> OONIStore {
        var options = DataFileOptions(access: .create)
        options.maintenance = false
        return try OONIStore(DataFile(inMemory: options))
    }

    private func setExpiration(
        _ timestamp: Int64?, _ result: OONIStore.TestResult, _ store: OONIStore
    ) throws {
        try store.write {
            try store.results.setExpiration(timestamp.map { .at($0) }, of: result.id, in: $0)
        }
    }

    @Test("are removed when they have expired, with what only they had, which is returned")
    func deleteExpired() throws {
        let store = try quietStore()
        let network = try store.join("AS1")
        let (old, other) = (try store.begin(network: network), try store.begin())
        try store.measure(.tor, of: old.id)
        try setExpiration(5_000, old, store)
        try setExpiration(5_001, other, store)
        let none = try store.write { try store.results.deleteExpired(at: .at(4_999), in: $0) }
        #expect(none == .init())
        let deleted = try store.write { try store.results.deleteExpired(at: .at(5_000), in: $0) }
        #expect(deleted.results == [old.id] && deleted.networks == [network])
        #expect(deleted.fileNames == ["Measurement/1_tor.json", "Measurement/1_tor.log"])
        #expect(try store.listed() == [2])
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("keep their expiration through every change, and lose it when it is reset")
    func kept() throws {
        let store = try quietStore()
        let result = try store.begin()
        try setExpiration(7, result, store)
        let id = try store.measure(of: result.id).id
        _ = try store.write {
            try store.results.update(result.id, in: $0) { known in
                known = OONIStore.TestResult(
                    id: .init(9), descriptor: known.descriptor, startTime: .at(2))
            }
        }
        func timestamps() throws -> [Int64?] {
            try store.read { snapshot in
                [
                    try store.results.get(result.id, in: snapshot)?.expirationDate?.milliseconds,
                    try store.results.collection.keyStore.expiration(
                        of: result.id.key, in: snapshot),
                    try store.measurements.collection.keyStore.expiration(
                        of: id.key, in: snapshot),
                ]
            }
        }
        #expect(try timestamps() == [7, 7, 7])
        try setExpiration(nil, result, store)
        #expect(try timestamps() == [nil, nil, nil])
        let none = try store.write { try store.results.deleteExpired(at: .at(.max), in: $0) }
        #expect(none == .init())
    }

    @Test("go by themselves while the file is open, measurements with them")
    func maintenance() async throws {
        let directory = try TemporaryDirectory()
        let store = try OONIStore(path: directory("probe.cblite2"))
        let result = try store.begin()
        try store.measure(of: result.id)
        let counts = store.observe { snapshot in
            [
                try store.results.ids(in: snapshot).count,
                try store.measurements.all(in: snapshot).count,
            ]
        }
        try setExpiration(1, result, store)
        for try await count in counts where count == [0, 0] { break }
        #expect(try await store.read { try store.verify(in: $0) } == [])
    }

    @Test("have their expiration in an export")
    func export() throws {
        let store = try quietStore()
        let result = try store.begin()
        try store.measure(.tor, of: result.id)
        try setExpiration(5_000, result, store)
        var lines: [String] = []
        _ = try store.export { lines.append($0) }
        let copy = try quietStore()
        try copy.importLines(lines)
        var again: [String] = []
        _ = try copy.export { again.append($0) }
        #expect(lines == again)
        let timestamp = try copy.read {
            try copy.measurements.collection.keyStore.expiration(
                of: OONIStore.Measurement.ID(result.id, 1).key, in: $0)
        }
        #expect(timestamp == 5_000)
        let deleted = try copy.write { try copy.results.deleteExpired(at: .at(5_000), in: $0) }
        #expect(deleted.results == [result.id])
    }

    @Test("a missing result has none")
    func unknown() throws {
        let store = try quietStore()
        let error = #expect(throws: OONIStoreError.self) {
            try store.write { try store.results.setExpiration(.at(1), of: .init(1), in: $0) }
        }
        #expect(error?.code == .unknownResult)
    }

    @Test("files that nothing needs any more are found, and strange names are left alone")
    func unusedFiles() throws {
        let store = try quietStore()
        let result = try store.begin()
        let waiting = try store.measure(.tor, of: result.id)
        let uploaded = try store.measure(.signal, of: result.id) {
            ($0.isDone, $0.isUploaded) = (true, true)
        }
        let gone = try store.begin()
        let lost = try store.measure(.tor, of: gone.id)
        _ = try store.write { try store.results.delete([gone.id], in: $0) }
        let names = [
            lost.reportFileName, waiting.reportFileName, uploaded.reportFileName,
            lost.logFileName, waiting.logFileName, "Measurement/99_whatsapp.json",
            "Measurement/-1_tor.json", "Measurement/x_tor.json", "Measurement/1_tor.txt",
            "Measurement/99999999999999999999_tor.json", "1_tor.json", "", "Measurement/",
        ]
        let unused = try store.read { try store.unusedFileNames(among: names, in: $0) }
        #expect(
            unused == [
                "Measurement/3_tor.json", "Measurement/2_signal.json", "Measurement/2_tor.log",
            ])
        let log = "Measurement/1_signal.log"
        #expect(try store.read { try store.unusedFileNames(among: [log], in: $0) } == [])
        _ = try store.write { try store.measurements.delete([uploaded.id], in: $0) }
        #expect(try store.read { try store.unusedFileNames(among: [log], in: $0) } == [log])
    }
}
