import SampleData

/// YCSB's core workloads.
package enum CoreWorkload: String, CaseIterable, Sendable {
    /// Half reads, half updates: a store of sessions that records recent actions.
    case a = "A"
    /// 95 % reads, 5 % updates: tags of photos.
    case b = "B"
    /// Reads only: a cache of user profiles.
    case c = "C"
    /// 95 % reads of the latest records, 5 % inserts: status updates.
    case d = "D"
    /// 95 % scans of 1 to 100 records, 5 % inserts: conversations in threads.
    case e = "E"
    /// Half reads, half reads followed by a write of the same record: a user database.
    case f = "F"

    /// The largest number of records of a scan; the lengths are uniformly distributed.
    package static let longestScan = 100

    /// The kinds of operations, and the percentage of each.
    package var mix: [(kind: CoreOperation.Kind, percent: Int)] {
        switch self {
        case .a: [(.read, 50), (.update, 50)]
        case .b: [(.read, 95), (.update, 5)]
        case .c: [(.read, 100)]
        case .d: [(.read, 95), (.insert, 5)]
        case .e: [(.scan, 95), (.insert, 5)]
        case .f: [(.read, 50), (.modify, 50)]
        }
    }

    /// How records are chosen.
    package var distribution: RequestDistribution { self == .d ? .latest : .scrambledZipfian }

    /// Whether it changes records, so that durability matters.
    package var writes: Bool { self != .c }
}

/// One operation of a core workload.
package enum CoreOperation: Sendable, Equatable {
    /// The kinds, by their names in reports.
    package enum Kind: String, CaseIterable, Sendable {
        case read, update, insert, scan
        case modify = "read-modify-write"
    }

    /// Reads all fields of a record.
    case read(key: String)
    /// Sets one field of a record.
    case update(key: String, field: Int, value: String)
    /// Inserts a record.
    case insert(FieldRecord)
    /// Reads all fields of records in the order of their keys.
    case scan(from: String, limit: Int)
    /// Reads all fields of a record and sets one, in one transaction.
    case modify(key: String, field: Int, value: String)

    /// Its kind.
    package var kind: Kind {
        switch self {
        case .read: .read
        case .update: .update
        case .insert: .insert
        case .scan: .scan
        case .modify: .modify
        }
    }
}

/// The operations of one thread: the same for all databases.
package struct CoreOperations {
    private let workload: CoreWorkload
    private let records: Int
    private let thread: Int
    private let threads: Int
    private var chooser: RecordChooser
    private var random: SeededGenerator
    private var inserted: [Int] = []

    /// Creates the operations of a thread of a pass.
    ///
    /// - Parameters:
    ///   - records: the number of records before the pass.
    ///   - series: the number of the series of passes. Workloads that share a file must have
    ///     different ones: otherwise they would write the values that are stored already, and
    ///     SQLite leaves a page as it is if its content does not change.
    ///   - pass: the number of the pass; each has other operations.
    ///   - thread: the number of the thread, from 0 on. Threads insert different records.
    package init(
        _ workload: CoreWorkload, records: Int, series: UInt64 = 0, pass: Int, thread: Int = 0,
        threads: Int = 1
    ) {
        self.workload = workload
        self.records = records
        self.thread = thread
        self.threads = threads
        chooser = RecordChooser(workload.distribution, count: records)
        random = SeededGenerator(
            seed: series ^ RecordKey.hash(UInt64(pass * threads + thread)))
    }

    /// The next operation.
    package mutating func next() -> CoreOperation {
        switch nextKind() {
        case .read: .read(key: nextKey())
        case .update:
            .update(key: nextKey(), field: nextField(), value: nextValue())
        case .insert: nextInsertion()
        case .scan:
            .scan(from: nextKey(), limit: 1 + random.below(CoreWorkload.longestScan))
        case .modify:
            .modify(key: nextKey(), field: nextField(), value: nextValue())
        }
    }

    private mutating func nextKind() -> CoreOperation.Kind {
        var rest = random.below(100)
        for (kind, percent) in workload.mix {
            if rest < percent { return kind }
            rest -= percent
        }
        return .read
    }

    private mutating func nextKey() -> String {
        RecordKey.key(chooser.next(&random, inserted: inserted))
    }

    private mutating func nextField() -> Int { random.below(FieldRecord.fieldCount) }

    private mutating func nextValue() -> String { FieldRecord.value(seed: random.next()) }

    private mutating func nextInsertion() -> CoreOperation {
        let number = records + inserted.count * threads + thread
        inserted.append(number)
        return .insert(FieldRecord(number: number))
    }
}
