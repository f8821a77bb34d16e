import DocumentStore
import SQLCore
import StoreTestSupport
import Testing

/// A power failure at each point of a workload.
///
/// `STORE_POWER_STRIDE` is the distance between the tested points, `STORE_POWER_IMAGES` the number
/// of disk images that are checked for each.
@Suite("After a power failure a data file is intact")
struct PowerLossTests {
    private static let documents = DocumentCollection(.default)
    private static let store = KeyStore(.default)
    private static let parts = 8

    private static var sweep: PowerLossSweep {
        var sweep = PowerLossSweep(seed: 77)
        sweep.stride = TestEnvironment.number("STORE_POWER_STRIDE", or: 5)
        sweep.imagesPerPoint = TestEnvironment.number("STORE_POWER_IMAGES", or: 4)
        return sweep
    }

    private static func options(
        _ synchronous: DataFileOptions.Synchronous
    ) -> DataFileOptions {
        var options = DataFileOptions(access: .readWrite)
        options.synchronous = synchronous
        options.maintenance = false
        return options
    }

    /// Transaction n creates its documents, deletes those of n - 2, and purges those of n - 3.
    private static func write(_ number: Int, in file: DataFile) throws {
        let text = String(repeating: "x", count: 300)
        try file.write { transaction in
            for part in 0..<parts {
                _ = try documents.save("\(number)-\(part)", in: transaction) {
                    try $0.writeJSON(#"{"n": \#(number), "text": "\#(text)"}"#)
                }
                if number > 2 {
                    _ = try documents.delete("\(number - 2)-\(part)", in: transaction)
                }
                if number > 3 { try store.purge("\(number - 3)-\(part)", in: transaction) }
            }
            _ = try documents.save("last", in: transaction) {
                try $0.writeJSON(#"{"n": \#(number)}"#)
            }
        }
    }

    /// The number of the last transaction; records an issue if the contents are not those after it.
    private static func last(_ image: PowerLossSweep.Image) throws -> Int {
        let file = try DataFile(path: image("store.cblite2"), options: options(.normal))
        defer { file.close() }
        let report = try file.integrityCheck()
        #expect(report.isIntact, "\(report.findings): \(image)")
        return try file.read { snapshot in
            let last = Int(try documents.get("last", in: snapshot)?["n"]?.int ?? 0)
            var live: Set<String> = last > 0 ? ["last"] : []
            var tombstones: Set<String> = []
            for part in 0..<parts {
                for number in max(1, last - 1)..<last + 1 { live.insert("\(number)-\(part)") }
                if last > 2 { tombstones.insert("\(last - 2)-\(part)") }
            }
            var options = RecordEnumerator.Options()
            options.includesDeleted = true
            var (foundLive, foundTombstones): (Set<String>, Set<String>) = ([], [])
            try documents.forEach(options, in: snapshot) { row in
                let document = try row.get()
                if document.isDeleted {
                    foundTombstones.insert(document.id)
                } else {
                    foundLive.insert(document.id)
                }
            }
            #expect(foundLive == live && foundTombstones == tombstones, "after \(last): \(image)")
            #expect(
                try store.purgeCount(in: snapshot) == Int64(max(0, last - 3) * parts), "\(image)")
            return last
        }
    }

    @Test(
        "in transactions: all acknowledged ones are present if they sync, else a prefix of them",
        arguments: [DataFileOptions.Synchronous.full, .normal])
    func transactions(synchronous: DataFileOptions.Synchronous) throws {
        let template = try TemporaryStore()
        template.file.close()
        var (acknowledged, closed, lost) = (0, 0, 0)
        let images = try Self.sweep.run(copying: template.path) { round in
            (acknowledged, closed) = (0, 0)
            for numbers in [1...3, 4...6, 7...8] {
                let file = try DataFile(
                    path: round("store.cblite2"), options: Self.options(synchronous))
                defer { file.close() }
                for number in numbers {
                    try Self.write(number, in: file)
                    acknowledged = number
                }
                file.close()
                // Writes after the power failure do not count.
                if round.vfs.fault == nil { closed = acknowledged }
            }
        } check: { image in
            let last = try Self.last(image)
            let least = synchronous == .full ? acknowledged : closed
            // The last one may be on the disk before it is acknowledged.
            #expect((least...acknowledged + 1).contains(last), "\(last): \(image)")
            if last < acknowledged { lost += 1 }
        }
        Figures.note(
            "power loss in transactions, \(synchronous): \(images) disks, on \(lost) something "
                + "acknowledged was lost")
        #expect(images > 50)
        if synchronous == .normal { #expect(lost > 0) }
    }

    @Test("in compacting", arguments: [false, true])
    func compaction(usesVacuum: Bool) throws {
        let template = try TemporaryStore()
        for number in 1...12 { try Self.write(number, in: template.file) }
        template.file.close()
        if usesVacuum {
            let context = try SQLContext(
                path: template.path + "/db.sqlite3", flags: .readWrite)
            try context.exec(sql: "PRAGMA auto_vacuum = 0; VACUUM")
            try context.close()
        }
        let images = try Self.sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.normal))
            defer { file.close() }
            try file.compact()
            try Self.write(13, in: file)
        } check: { image in
            let last = try Self.last(image)
            #expect([12, 13].contains(last), "\(last): \(image)")
        }
        Figures.note("power loss in compacting, with VACUUM: \(usesVacuum): \(images) disks")
        #expect(images > 5)
    }
}
