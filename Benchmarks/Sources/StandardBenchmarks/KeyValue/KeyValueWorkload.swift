/// The workloads of LevelDB's `db_bench`, by its names: keys of 16 bytes, values of 100 bytes.
///
/// Each operation is a transaction, or a snapshot, of its own, unless the name says `batch`.
package enum KeyValueWorkload: String, CaseIterable, Sendable {
    /// Stores new keys in ascending order.
    case fillseq
    /// Stores new keys in ascending order, 1,000 in a transaction.
    case fillseqbatch
    /// Stores random keys, of which some repeat.
    case fillrandom
    /// Stores random keys, 1,000 in a transaction.
    case fillrandbatch
    /// Replaces the values of random keys.
    case overwrite
    /// Replaces the values of random keys, 1,000 in a transaction.
    case overwritebatch
    /// Stores random keys, each of them on the disk before the next one.
    case fillsync
    /// Reads all values in ascending order of the keys.
    case readseq
    /// Reads all values in descending order of the keys.
    case readreverse
    /// Reads random keys.
    case readrandom
    /// Reads random keys of a hundredth of all.
    case readhot
    /// Reads random keys that do not exist.
    case readmissing
    /// Positions at a random key and reads one value.
    case seekrandom
    /// Removes keys in ascending order.
    case deleteseq
    /// Removes random keys.
    case deleterandom

    /// The number of pairs in a transaction.
    package var batch: Int {
        switch self {
        case .fillseqbatch, .fillrandbatch, .overwritebatch: 1000
        default: 1
        }
    }

    /// What a pass does with its file.
    package enum File: Sendable {
        /// Fills a new one.
        case empty
        /// Works on a copy of a filled one, which it changes.
        case copy
        /// Reads a filled one, or replaces values of the same size.
        case filled
    }

    /// What it does with its file.
    package var file: File {
        switch self {
        case .fillseq, .fillseqbatch, .fillrandom, .fillrandbatch, .fillsync: .empty
        case .deleteseq, .deleterandom: .copy
        default: .filled
        }
    }

    /// Whether it changes the file.
    package var writes: Bool {
        switch self {
        case .readseq, .readreverse, .readrandom, .readhot, .readmissing, .seekrandom: false
        default: true
        }
    }

    /// The workloads of a table. Reads do not depend on durability, so that `.full` has only
    /// workloads that write; there, each single write is synchronized, which makes `fillrandom`
    /// the same as `fillsync`.
    package static func all(_ durability: Durability) -> [KeyValueWorkload] {
        switch durability {
        case .normal: allCases.filter { $0 != .fillsync }
        case .full: allCases.filter { $0.writes && $0 != .fillrandom }
        }
    }

    /// The number of operations of a pass over `entries` pairs. Transactions with single writes are
    /// fewer: a twentieth, or a two-hundredth if each waits for the disk.
    package func operations(entries: Int, _ durability: Durability) -> Int {
        guard writes, batch == 1 else { return entries }
        return max(entries / (durability == .full ? 200 : 20), 10)
    }

    /// The kind of its operations; nil if single ones are too short to be timed.
    package var operation: String? {
        switch self {
        case .readseq, .readreverse: nil
        case .deleteseq, .deleterandom: "delete"
        case .readrandom, .readhot, .readmissing: "get"
        case .seekrandom: "seek"
        default: batch > 1 ? "put of \(batch)" : "put"
        }
    }
}
