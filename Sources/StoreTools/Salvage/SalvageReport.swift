internal import DataFileCore
public import StoreFormat

/// What could be saved of a damaged file, and what could not.
public struct SalvageReport: Sendable {
    /// What was saved of a KeyStore.
    public struct Store: Hashable, Sendable {
        /// The store; `.recovered.…` or `recovered_…` if its name is lost.
        public let name: KeyStoreName
        /// Records that are not tombstones.
        public let liveRecords: Int
        /// Tombstones.
        public let tombstones: Int
        /// How many of its records are among the losses.
        public let lostRecords: Int
        /// How many of the saved ones SQLite could not reach, so that they were found in the pages.
        public internal(set) var foundInPages: Int
        /// Whether the store was told by its rows, since the list of tables is damaged.
        public internal(set) var isGuessed: Bool
    }

    /// Something that was not saved.
    public struct Loss: Hashable, Sendable {
        /// The store, if it is known.
        public let store: KeyStoreName?
        /// The key of the record, if it is known.
        public let key: String?
        /// The page where it was, from 1, if it is known.
        public let page: Int?
        /// What is wrong with it.
        public let reason: String
    }

    /// The stores, sorted by name.
    public internal(set) var stores: [Store] = []
    /// What was not saved; no more than `maximumLosses`.
    public internal(set) var losses: [Loss] = []
    /// How much was not saved, also what is not listed.
    public internal(set) var lossCount = 0
    /// Pages that should hold rows or lead to them and cannot be read.
    public internal(set) var unreadablePages: [Int] = []
    /// Pages that the file should have and has not: it was cut off.
    package internal(set) var missingPages = 0
    /// What SQLite said when it could not read all rows; nil if it could.
    public internal(set) var sqliteFailure: String?
    /// Rows of the raw store `info` that were lost and created again, such as UUIDs.
    public internal(set) var renewedInfo: [String] = []
    /// Whether the key of encrypted blobs was saved.
    var hasBlobKey = false
    /// How many records were created again and not saved.
    var renewedRecords = 0
    /// The definitions of the indexes that the damaged file has.
    var indexes: [StoredIndex] = []
    /// Indexes that were made again in the new file.
    public internal(set) var madeIndexes: [String] = []
    /// Indexes of the damaged file that could not be made again, such as those whose model is not
    /// registered.
    public var missingIndexes: [String] {
        indexes.map(\.name).filter { !madeIndexes.contains($0) }
    }
    /// Records that had the sequence of another one, and were given a new one.
    public internal(set) var renumberedRecords = 0

    /// Where the keys are among the losses.
    private var listed: [ListedKey: Int] = [:]

    private struct ListedKey: Hashable, Sendable {
        let store: KeyStoreName
        let key: String
    }

    /// The most losses that are listed.
    public static let maximumLosses = 10_000

    /// How many records were saved.
    public var savedRecords: Int {
        stores.reduce(0) { $0 + $1.liveRecords + $1.tombstones } - renewedRecords
    }

    /// How many of the losses belong to a store.
    func lossCount(in store: KeyStoreName) -> Int { losses.count { $0.store == store } }

    /// Notes a loss; that of a record only once, with its page if that is ever known.
    mutating func lose(
        _ reason: String, store: KeyStoreName? = nil, key: String? = nil, page: Int? = nil
    ) {
        let loss = Loss(store: store, key: key, page: page, reason: reason)
        let listedKey = store.flatMap { store in key.map { ListedKey(store: store, key: $0) } }
        if let listedKey, let index = listed[listedKey] {
            if losses[index].page == nil { losses[index] = loss }
            return
        }
        lossCount += 1
        guard losses.count < Self.maximumLosses else { return }
        if let listedKey { listed[listedKey] = losses.count }
        losses.append(loss)
    }

    /// Takes those off that were saved after all.
    mutating func removeLosses(where isSaved: (String, KeyStoreName) throws -> Bool) throws {
        let before = losses.count
        listed = [:]
        try losses.removeAll { loss in
            guard let key = loss.key, let store = loss.store else { return false }
            return try isSaved(key, store)
        }
        lossCount -= before - losses.count
    }
}
