internal import FleeceLite
internal import SQLCore

/// A snapshot that can be changed; all its changes become visible at once, or none.
///
/// Valid inside the `DataFile.write` that made it, on that thread.
public final class Transaction: Snapshot {
    /// The logical clock of the file.
    let clock: HybridClock
    /// The last sequence of each store that was written to.
    private var lastSequences: [KeyStoreName: Int64] = [:]
    /// Whether a store has tombstones, where that was looked up.
    private var tombstones: [KeyStoreName: Bool] = [:]
    /// Sequences found by looking at all rows, in case `kvmeta` lags behind.
    private let recovered: RecoveredSequences
    private var savedKeyCount = 0
    /// The session's encoder is in use.
    private var isEncoding = false

    init(session: Session, clock: HybridClock, recovered: RecoveredSequences) throws {
        self.clock = clock
        self.recovered = recovered
        try super.init(session: session)
        savedKeyCount = sharedKeys.count
        session.encoder.reset()
        session.encoder.sharedKeys = sharedKeys
    }

    /// The sequence of the next change to a store.
    func nextSequence(_ name: KeyStoreName) throws -> Int64 {
        let last = try lastSequences[name] ?? storedLastSequence(name)
        guard last < .max else {
            throw StoreError(
                .corruptData,
                "the sequences of the store \(name.rawName) of \(try session().path) are used up")
        }
        lastSequences[name] = last + 1
        return last + 1
    }

    /// Takes back the sequence that was given last, when nothing was written with it.
    func returnSequence(_ name: KeyStoreName) {
        lastSequences[name]? -= 1
    }

    /// Whether a store has tombstones, as `look` says the first time.
    func hasTombstones(_ name: KeyStoreName, _ look: () throws -> Bool) throws -> Bool {
        if let known = tombstones[name] { return known }
        let found = try look()
        tombstones[name] = found
        return found
    }

    /// A store has a tombstone from now on.
    func noteTombstone(_ name: KeyStoreName) {
        tombstones[name] = true
    }

    /// Counts a purge, in the store's live or dead records.
    func countPurge(_ name: KeyStoreName, dead: Bool) throws {
        let sql = """
            INSERT INTO kvmeta (name, purgeCnt) VALUES (?, 1)
            ON CONFLICT (name) DO UPDATE SET purgeCnt = purgeCnt + 1
            """
        try session().run(sql) { try $0.bind(dead ? name.deadName : name.rawName, at: 1) }
    }

    /// Encodes a body with the file's shared keys and lends its bytes, and those keys, to `use`.
    ///
    /// Keys that were added are taken back if `write` or `use` throws.
    func withEncodedBody<T>(
        _ write: (inout FleeceEncoder) throws -> Void,
        _ use: (UnsafeRawBufferPointer, SharedKeys) throws -> T
    ) throws -> T {
        let session = try session()
        guard !isEncoding else {
            throw StoreError(
                .transactionNotClosed, "a document is saved while another one is being written")
        }
        isEncoding = true
        defer { isEncoding = false }
        let before = session.encoder.sharedKeys?.count ?? 0
        do {
            try write(&session.encoder)
            let keys = session.encoder.sharedKeys ?? sharedKeys
            if keys.count != sharedKeys.count { sharedKeys = keys }
            return try session.encoder.withFinishedBytes { try use($0, keys) }
        } catch {
            session.encoder.reset()
            session.encoder.sharedKeys?.revert(to: before)
            sharedKeys.revert(to: before)
            throw error
        }
    }

    /// Writes what goes with the changes; called before the commit.
    func finish() throws {
        let session = try session()
        for (name, sequence) in lastSequences {
            let sql = """
                INSERT INTO kvmeta (name, lastSeq) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET lastSeq = excluded.lastSeq
                """
            try session.run(sql) {
                try $0.bind(name.rawName, at: 1)
                try $0.bind(sequence, at: 2)
            }
        }
        if let keys = session.encoder.sharedKeys, keys.count > savedKeyCount {
            try putInfo(InfoKey.sharedKeys, keys.stateData())
        }
    }

    /// Writes a record of the raw store `info`.
    func putInfo(_ key: String, _ body: [UInt8]) throws {
        try session().run("INSERT OR REPLACE INTO kv_info (key, body) VALUES (?, ?)") { row in
            try row.bind(key, at: 1)
            try body.withUnsafeBytes { try row.bind($0, at: 2) }
        }
    }

    private func storedLastSequence(_ name: KeyStoreName) throws -> Int64 {
        let session = try session()
        return max(try session.lastSequence(name), try recovered.sequence(name, session: session))
    }
}
