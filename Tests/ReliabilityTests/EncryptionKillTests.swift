import DocumentStore
import Foundation
import SQLPlus
import StoreTestSupport
import Testing

/// A process that changes the encryption of a file is killed repeatedly.
///
/// `STORE_KILLS` is the number of kills for each workload.
@Suite("After a kill the file has the old or the new key, and is complete", .serialized)
struct EncryptionKillTests {
    private static let rounds = TestEnvironment.number("STORE_KILLS", or: 60)
    private static let documents = DocumentCollection(.default)
    private let directory: TemporaryDirectory
    private let path: String
    /// The keys that `CrashWriter` uses.
    private let keys: [EncryptionKey]

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("store.cblite2")
        keys = try [1, 2].map { try EncryptionKey(raw: [UInt8](repeating: $0, count: 32)) }
    }

    private func open(
        _ key: EncryptionKey?, _ access: DataFileOptions.Access = .readWrite
    ) throws -> DataFile {
        var options = DataFileOptions(access: access)
        options.encryption = key
        options.maintenance = false
        return try DataFile(path: path, options: options)
    }

    private func fill(_ key: EncryptionKey?) throws -> [Blob] {
        let file = try open(key, .create)
        defer { file.close() }
        let blobs = try (0..<3).map { try file.blobs.put([UInt8](repeating: $0, count: 70_000)) }
        try file.write { transaction in
            for number in 0..<100 {
                _ = try Self.documents.save("d\(number)", in: transaction) {
                    try $0.writeJSON(
                        #"{"n": \#(number), "text": "\#(String(repeating: "x", count: 400))"}"#)
                }
            }
        }
        return blobs
    }

    /// Opens the file with the only one of the keys that fits, and checks its contents.
    private func check(
        _ keys: [EncryptionKey?], _ blobs: [Blob], _ round: CrashHarness.Round
    ) throws {
        let files = keys.compactMap { try? open($0) }
        defer { for file in files { file.close() } }
        guard files.count == 1, let file = files.first else {
            Issue.record("\(files.count) keys fit: \(round)")
            return
        }
        #expect(try file.integrityCheck().isIntact, "\(round)")
        var sum: Int64 = 0
        try file.read { snapshot in
            try Self.documents.forEach(in: snapshot) { sum += try $0.get()["n"]?.int ?? 0 }
        }
        #expect(sum == 4950, "\(round)")
        for blob in blobs { try file.blobs.verify(blob) }
        try requireNothingPlain(file, round)
    }

    /// Checks that after an encrypted database was opened for writing none of its blobs is plain.
    private func requireNothingPlain(_ file: DataFile, _ round: CrashHarness.Round) throws {
        guard file.options.encryption != nil else { return }
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/Attachments")
        #expect(!names.contains { $0.hasSuffix(".blob") }, "\(round)")
    }

    private func kill(_ workload: String, check: (CrashHarness.Round) throws -> Void) throws {
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        var harness = CrashHarness(program: program, arguments: [path, workload], seed: 41)
        harness.mostAcknowledgements = 4
        var said = 0
        try harness.run(rounds: Self.rounds) { round in
            said += round.acknowledged.count
            try check(round)
        }
        Figures.note("\(workload): \(Self.rounds) kills, \(said) steps acknowledged")
        #expect(said > Self.rounds / 2)
    }

    @Test("while its key is changed")
    func rekey() throws {
        let blobs = try fill(keys[0])
        try kill("rekey") { try check(keys, blobs, $0) }
    }

    @Test("while it is encrypted and decrypted in place")
    func inPlace() throws {
        let blobs = try fill(nil)
        try kill("encrypt") { try check([nil, keys[1]], blobs, $0) }
    }

    @Test("while its WAL is checkpointed: acknowledged transactions are present")
    func checkpoint() throws {
        _ = try fill(keys[1])
        var last: Int64 = 0
        try kill("checkpoint") { round in
            let file = try open(keys[1])
            defer { file.close() }
            #expect(try file.integrityCheck().isIntact, "\(round)")
            let said = round.acknowledged.last.flatMap { Int64($0) } ?? last
            last = try file.read { try Self.documents.get("last", in: $0)?["n"]?.int ?? 0 }
            #expect((said...said + 1).contains(last), "\(last), \(round)")
        }
    }
}
