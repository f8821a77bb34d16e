import BenchmarkReport
import CBaseline
import DocumentStore

// Opening and changing the large file.
extension ScaleFile {
    private static let writing = StoreData.options(.readWrite)

    /// Opens the file for writing, and writes once; a hundred times, in turns with C.
    func open(_ report: (ScaleStep) throws -> Void) throws {
        let keys = Array(sample(seed: 5).prefix(100))
        let first = try DataFile(path: path, options: Self.writing)
        let records = try packedRecords(keys, first)
        first.close()
        var clocks = (0..<4).map { _ in ScaleClock(path) }
        for (number, key) in keys.enumerated() {
            var file: DataFile?
            try clocks[0].time { file = try DataFile(path: path, options: Self.writing) }
            if let file { try clocks[1].time { try grow([key], file) } }
            file?.close()
            var plain: BaselineFile?
            try clocks[2].time { plain = try BaselineFile(path, records, [Int32(number)]) }
            // It writes the body that it was given, without the year that was added.
            try clocks[3].time { try plain?.transaction { try plain?.update(count: 1, shift: 0) } }
        }
        ages -= keys.count
        let names = ["open for writing", "first write after opening"]
        for (name, clock) in zip(names + names.map { $0 + ": C" }, clocks) {
            try add(clock.step(name, keys.count), report)
        }
    }

    /// Changes records at random, in turns with C, before there is an index that calls functions
    /// which C does not have.
    func change(_ report: (ScaleStep) throws -> Void) throws {
        let name = "read at random, change, save, one transaction"
        var (engine, baseline) = (ScaleClock(path), ScaleClock(path))
        for turn in UInt64(0)..<2 {
            let keys = [sample(seed: 6 + turn), sample(seed: 8 + turn)]
            let file = try DataFile(path: path, options: Self.writing)
            // Both then find their pages in the system's cache.
            try keys.forEach { try get($0, file) }
            try engine.time { try grow(keys[0], file) }
            let records = try packedRecords(keys[1], file)
            file.close()
            let plain = try BaselineFile(path, records, (0..<Int32(keys[1].count)).map { $0 })
            try baseline.time {
                try plain.transaction { try plain.update(count: keys[1].count) }
            }
        }
        try add(engine.step(name, 2 * Self.sampleCount), report)
        try add(baseline.step(name + ": C", 2 * Self.sampleCount), report)
    }

    /// Increases the age of people by one, in one transaction.
    private func grow(_ keys: [String], _ file: DataFile) throws {
        try file.write { transaction in
            for key in keys {
                guard var person = try Self.people.get(key, in: transaction)?.mutableCopy(),
                    let age = person["age"]?.int
                else { throw BenchmarkError(message: "\(key) is missing") }
                person["age"] = .int(age + 1)
                guard try Self.people.save(&person, in: transaction).saved != nil else {
                    throw BenchmarkError(message: "\(key) has been changed")
                }
            }
        }
        ages += keys.count
    }

    private func packedRecords(
        _ keys: [String], _ file: DataFile
    ) throws -> UnsafePointer<baseline_records> {
        try file.read { snapshot in
            let records = try keys.map { key in
                guard let record = try Self.people.keyStore.get(key, in: snapshot) else {
                    throw BenchmarkError(message: "\(key) is missing")
                }
                return RecordUpdate(
                    key, version: record.version, body: record.body, expecting: .absent)
            }
            return try StoreData.pack(
                records, ageKey: Int32(snapshot.sharedKeys.index(of: "age") ?? -1))
        }
    }
}
