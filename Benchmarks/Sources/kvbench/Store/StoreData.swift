import CBaseline
import DocumentStore
import Foundation
import SampleData

/// People of about 390 bytes of JSON, as documents and as records, and files filled with them.
final class StoreData: @unchecked Sendable {
    // Unchecked because of the pointers: their targets are written once, in `init`.

    /// The number of people.
    static let count = BenchmarkSize.people
    /// The number of people that are read, changed or removed at random.
    static let sampleCount = count / 20
    /// When the records of the file `expiring` expire.
    static let expiration: Int64 = 32_000_000_000_000

    /// A file that passes use, or copy at the start.
    enum Template: String {
        /// No records.
        case empty
        /// All records.
        case filled
        /// With an expiration for a twentieth of the records.
        case expiring
    }

    private static let made = Result { try StoreData() }

    static func get() throws -> StoreData { try made.get() }

    /// The directory of all files of this process, in memory.
    static let directory = "/dev/shm/kvbench-\(ProcessInfo.processInfo.processIdentifier)"
    /// The directory on a disk: below the working directory, or in `KVBENCH_DISK`.
    static let diskDirectory =
        (ProcessInfo.processInfo.environment["KVBENCH_DISK"] ?? ".build/kvbench")
        + "/\(ProcessInfo.processInfo.processIdentifier)"

    static func removeDirectories() {
        try? FileManager.default.removeItem(atPath: directory)
        try? FileManager.default.removeItem(atPath: diskDirectory)
    }

    let keys: [String]
    /// Without the property `_id`, which a document cannot have.
    let json: [String]
    let ages: [Int]
    /// The people as values of a type.
    let persons: [StorePerson]
    /// The insertion of each record, with its body encoded.
    let inserts: [RecordUpdate]
    /// The records for C.
    let records: UnsafePointer<baseline_records>
    /// Different random numbers of records.
    let sample: [Int32]

    var ageKey: Int32 { records.pointee.age_key }

    private init() throws {
        let people = Array(People(count: Self.count))
        let ids = people.map(Self.id)
        keys = ids
        json = people.map(Self.withoutID)
        ages = people.map(Self.age)
        let decoder = JSONDecoder()
        persons = try json.map { try decoder.decode(StorePerson.self, from: Data($0.utf8)) }
        sample = Self.randomNumbers()
        try FileManager.default.createDirectory(
            atPath: Self.directory, withIntermediateDirectories: true)
        let texts = json
        inserts = try Self.makeFiles(ids, texts)
        records = try Self.pack(inserts, ageKey: Self.ageKey())
        try Self.makeExpiring(sample.map { ids[Int($0)] })
    }

    static func path(_ template: Template) -> String { "\(directory)/\(template).cblite2" }

    static func options(_ access: DataFileOptions.Access) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        // Its time would be counted.
        options.maintenance = false
        return options
    }

    /// The value of `"_id"`.
    static func id(_ person: String) -> String {
        let start = person.index(person.startIndex, offsetBy: 8)
        return String(person[start...].prefix { $0 != "\"" })
    }

    static func withoutID(_ person: String) -> String {
        guard let comma = person.firstIndex(of: ",") else { return person }
        return "{" + person[person.index(after: comma)...]
    }

    static func age(_ person: String) -> Int {
        guard let name = person.range(of: #""age":"#) else { return -1 }
        return Int(person[name.upperBound...].prefix { $0 != "," }) ?? -1
    }

    /// The first records if `KVBENCH_ORDER` is `stored`, so that neighbors share their pages.
    private static func randomNumbers() -> [Int32] {
        if ProcessInfo.processInfo.environment["KVBENCH_ORDER"] == "stored" {
            return (0..<Int32(sampleCount)).map { $0 }
        }
        var random = SeededGenerator(seed: 4)
        var all = (0..<Int32(count)).map { $0 }
        for index in 0..<sampleCount {
            all.swapAt(index, index + random.below(count - index))
        }
        return Array(all.prefix(sampleCount))
    }
}

// Files.
extension StoreData {
    private static func makeFiles(_ keys: [String], _ json: [String]) throws -> [RecordUpdate] {
        try makeEmpty(keys[0], json[0])
        let file = try DataFile(path: path(.filled), options: options(.create))
        defer { file.close() }
        let people = DocumentCollection(.default)
        try file.write { transaction in
            for (key, text) in zip(keys, json) {
                _ = try people.save(key, in: transaction) { try $0.writeJSON(text) }
            }
        }
        return try file.read { snapshot in
            try keys.map { key in
                guard let record = try people.keyStore.get(key, in: snapshot) else {
                    throw BenchmarkError(message: "\(key) is missing")
                }
                return RecordUpdate(
                    key, version: record.version, body: record.body, expecting: .absent)
            }
        }
    }

    /// Makes the file without records. It has the shared keys of the people, without which encoded
    /// bodies cannot be stored in it.
    private static func makeEmpty(_ key: String, _ json: String) throws {
        let file = try DataFile(path: path(.empty), options: options(.create))
        try file.write { transaction in
            let people = DocumentCollection(.default)
            _ = try people.save(key, in: transaction) { try $0.writeJSON(json) }
            _ = try people.keyStore.purge(key, in: transaction)
        }
        file.close()
        guard let database = baseline_open(path(.empty) + "/db.sqlite3") else {
            throw BenchmarkError(message: "SQLite cannot be opened")
        }
        defer { baseline_close(database) }
        // The next record gets the sequence 1 again.
        guard baseline_exec(database, "DELETE FROM kvmeta") == 0 else {
            throw BenchmarkError(message: "kvmeta cannot be emptied")
        }
    }

    private static func ageKey() throws -> Int32 {
        let file = try DataFile(path: path(.filled), options: options(.readOnly))
        defer { file.close() }
        return try file.read { Int32($0.sharedKeys.index(of: "age") ?? -1) }
    }

    private static func makeExpiring(_ keys: [String]) throws {
        try FileManager.default.copyItem(atPath: path(.filled), toPath: path(.expiring))
        let file = try DataFile(path: path(.expiring), options: options(.readWrite))
        defer { file.close() }
        try file.write { transaction in
            for key in keys {
                try KeyStore(.default).setExpiration(expiration, of: key, in: transaction)
            }
        }
    }

    /// Stores records contiguously, permanently.
    static func pack(
        _ updates: [RecordUpdate], ageKey: Int32
    ) throws -> UnsafePointer<baseline_records> {
        let keys = packed(updates.map { Array($0.key.utf8) })
        let bodies = packed(updates.map { $0.body ?? [] })
        let version = packed([updates[0].version])
        let records = UnsafeMutablePointer<baseline_records>.allocate(capacity: 1)
        records.initialize(
            to: baseline_records(
                count: Int64(updates.count),
                keys: UnsafeRawPointer(keys.bytes).assumingMemoryBound(to: CChar.self),
                key_offsets: keys.offsets, bodies: bodies.bytes, body_offsets: bodies.offsets,
                version: version.bytes, version_size: Int32(updates[0].version.count),
                age_key: ageKey))
        return UnsafePointer(records)
    }

    private static func packed(
        _ items: [[UInt8]]
    ) -> (bytes: UnsafePointer<UInt8>, offsets: UnsafePointer<Int64>) {
        let size = items.reduce(0) { $0 + $1.count }
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 1)
        let offsets = UnsafeMutablePointer<Int64>.allocate(capacity: items.count + 1)
        var position = 0
        for (index, item) in items.enumerated() {
            offsets[index] = Int64(position)
            for byte in item {
                bytes[position] = byte
                position += 1
            }
        }
        offsets[items.count] = Int64(position)
        return (UnsafePointer(bytes), UnsafePointer(offsets))
    }
}

// Expected results.
extension StoreData {
    var ageSum: Int { ages.reduce(0, +) }
    var sampleAgeSum: Int { sample.reduce(0) { $0 + ages[Int($1)] } }
    var bodySize: Int { inserts.reduce(0) { $0 + ($1.body?.count ?? 0) } }
    /// The sum of the ages after each of the sample was changed to the next person.
    var shiftedAgeSum: Int {
        ageSum - sampleAgeSum + sample.reduce(0) { $0 + ages[(Int($1) + 1) % Self.count] }
    }
    func ageSum(first count: Int) -> Int { ages.prefix(count).reduce(0, +) }
}
