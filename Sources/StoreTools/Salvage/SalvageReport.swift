internal import DataFileCore
public import StoreFormat

/// What was recovered from a damaged file, and what was lost.
///
/// ```swift
/// let report = try Salvage(from: path, to: path + ".recovered").run()
/// for store in report.stores {
///     show(store.name.rawName, store.liveRecords, store.lostRecords)
/// }
/// let lost = report.losses.compactMap { loss in loss.key.map { (loss.store, $0) } }
/// if report.lossCount > report.losses.count { show("there are more losses than listed") }
/// ```
///
/// Losses are listed up to ``maximumLosses`` and counted beyond that. A record that one method
/// could not read and another one recovered is not a loss. A page that is lost completely does not
/// reveal which records it contained: such records are not counted.
public struct SalvageReport: Sendable {
    /// The recovered contents of a KeyStore.
    ///
    /// ```swift
    /// let report = try Salvage(from: path, to: path + ".recovered").run()
    /// for store in report.stores where store.isGuessed {
    ///     show("check whether the records belong to \(store.name.rawName)")
    /// }
    /// ```
    public struct Store: Hashable, Sendable {
        /// The store's name; `.recovered.…` or `recovered_…` if the name is lost.
        public let name: KeyStoreName
        /// The number of recovered live records.
        public let liveRecords: Int
        /// The number of recovered tombstones.
        public let tombstones: Int
        /// The number of its records among the losses.
        public let lostRecords: Int
        /// The number of recovered records that SQLite could not reach and that were found in
        /// pages. They can include older versions of records whose latest version is lost.
        public internal(set) var foundInPages: Int
        /// Whether the store was identified by its rows, because the schema table is damaged. Check
        /// that its records belong to it.
        public internal(set) var isGuessed: Bool
    }

    /// A record or another part of the file that was not recovered.
    ///
    /// A record is listed once, even if several methods failed to read it. Its key is known if the
    /// page with the beginning of the row can be read.
    ///
    /// ```swift
    /// let losses = try Salvage(from: path, to: path + ".recovered").run().losses
    /// let documents = losses.filter { $0.key != nil }
    /// let pages = Set(losses.compactMap(\.page)).sorted()
    /// show("\(documents.count) documents; damaged pages:", pages)
    /// ```
    public struct Loss: Hashable, Sendable {
        /// The store; nil if it is not known.
        public let store: KeyStoreName?
        /// The key of the record; nil if it is not known, or if the loss is not a record.
        public let key: String?
        /// The number of its page, starting at 1; nil if it is not known.
        public let page: Int?
        /// The reason, as plain text in one line.
        public let reason: String
    }

    /// The stores, sorted by name.
    public internal(set) var stores: [Store] = []
    /// The losses, at most ``maximumLosses``.
    public internal(set) var losses: [Loss] = []
    /// The number of losses, including those that are not listed.
    public internal(set) var lossCount = 0
    /// The numbers of the pages that cannot be read although they should contain rows or lead to
    /// rows. Pages are numbered from 1. How many rows they contained is unknown.
    public internal(set) var unreadablePages: [Int] = []
    /// The number of pages by which the file is too short: it was truncated.
    package internal(set) var missingPages = 0
    /// SQLite's error message if it could not read all rows; nil if it could. The rows that it
    /// could not reach may have been found in the pages nevertheless: see ``Store/foundInPages``.
    public internal(set) var sqliteFailure: String?
    /// The keys of rows of the raw store `info` that were lost and created again, such as UUIDs.
    /// With a new UUID, the database is another one for its peers.
    public internal(set) var renewedInfo: [String] = []
    /// Whether the key of encrypted blobs was recovered.
    var hasBlobKey = false
    /// The number of records that were created again instead of recovered.
    var renewedRecords = 0
    /// The definitions of the damaged file's indexes.
    var indexes: [StoredIndex] = []
    /// The names of the indexes that were created in the new file.
    public internal(set) var createdIndexes: [String] = []
    /// The names of the damaged file's indexes that could not be created, such as predictive
    /// indexes whose model is not registered.
    ///
    /// ```swift
    /// let report = try Salvage(from: path, to: path + ".recovered").run()
    /// if !report.missingIndexes.isEmpty { show("create again:", report.missingIndexes) }
    /// ```
    public var missingIndexes: [String] {
        indexes.map(\.name).filter { !createdIndexes.contains($0) }
    }
    /// The number of records that got a new sequence, because another record had the same one.
    /// Readers by sequence receive them again.
    public internal(set) var renumberedRecords = 0

    /// The positions of the keys among the losses.
    private var listed: [ListedKey: Int] = [:]

    private struct ListedKey: Hashable, Sendable {
        let store: KeyStoreName
        let key: String
    }

    /// The maximum number of losses that are listed: 10,000.
    public static let maximumLosses = 10_000

    /// The number of recovered records: documents, tombstones and raw records.
    public var savedRecords: Int {
        stores.reduce(0) { $0 + $1.liveRecords + $1.tombstones } - renewedRecords
    }

    /// The number of losses that belong to a store.
    func lossCount(in store: KeyStoreName) -> Int { losses.count { $0.store == store } }

    /// Adds a loss. A record is added only once, with its page if it becomes known.
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

    /// Removes the losses of records that were recovered later.
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
