import DocumentStore
import SampleData
import StoreTestSupport

/// One random history of a collection's documents, applied to a file and to a model of it.
final class DocumentHistoryRun {
    struct Abandoned: Error {}

    static let ids = (0..<12).map { "document \($0)" }
    let collection = DocumentCollection(.default)
    private let directory: TemporaryDirectory
    private let options: DataFileOptions
    private(set) var file: DataFile
    var random: SeededGenerator
    var model: DocumentModel
    var transaction: Transaction?
    /// The number of operations by kind and outcome.
    var tally: [String: Int] = [:]
    /// The latest operations.
    private var recentOperations: [String] = []
    private let hasIndexes: Bool
    /// The counter for the times of remote versions.
    private var ticks: UInt64 = 0

    /// - Parameter hasIndexes: whether there are indexes of all kinds, which are compared with the
    ///   documents.
    init(seed: UInt64, _ versioning: Versioning, hasIndexes: Bool) throws {
        random = SeededGenerator(seed: seed)
        directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        options.blobGraceSeconds = 0
        options.readers = 1
        self.options = options
        file = try DataFile(path: directory("store.cblite2"), options: options)
        model = DocumentModel(usesVectors: versioning == .versionVectors)
        self.hasIndexes = hasIndexes
        guard hasIndexes else { return }
        TestIndexes.registerModel()
        try file.write { try TestIndexes.create("", of: collection, in: $0) }
    }

    /// Compares the indexes with the committed documents.
    private func checkIndexes() throws {
        guard hasIndexes else { return }
        let problems = try IndexOracle(directory("store.cblite2")).problems
        try require(problems.isEmpty, problems.joined(separator: "; "))
        note("indexes compared")
    }

    deinit { file.close() }

    /// - Parameter upgrade: the operation before which the file is upgraded to version vectors.
    func run(operations: Int, upgradingBefore upgrade: Int?) throws {
        do {
            for number in 0..<operations {
                if number == upgrade { try upgradeVersioning() }
                try step()
                if number % 16 == 0 { try read { try self.check($0) } }
                if number % 32 == 0 { try checkIndexes() }
            }
            try compact()
            try reopen()
            try read { try self.check($0) }
            let report = try file.integrityCheck()
            try require(report.isIntact, "\(report.findings)")
            try checkIndexes()
        } catch {
            throw DocumentMismatch(
                description: "\(error)\n" + recentOperations.suffix(25).joined(separator: "\n"))
        }
    }

    /// Records an operation and its outcome.
    func note(_ operation: String, _ detail: String = "") {
        tally[operation, default: 0] += 1
        recentOperations.append("\(operation) \(detail)")
        if recentOperations.count > 200 { recentOperations.removeFirst(100) }
    }

    func time() -> String {
        ticks += 1
        return String(0x1800_0000_0000_0000 + ticks << 16, radix: 16)
    }

    func chance(_ percent: Int) -> Bool { random.below(100) < percent }

    func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        if let transaction { return try body(transaction) }
        return try file.read(body)
    }

    /// Runs an operation in a transaction, which may be active already.
    func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        if let transaction { return try body(transaction) }
        return try file.write(body)
    }
}

// Operations other than changes of documents.
extension DocumentHistoryRun {
    private func step() throws {
        switch random.below(100) {
        case 0..<8: try block(depth: 0)
        case 8: try reopen()
        case 9: if chance(30) { try compact() }
        case 10: try expire()
        default: try change()
        }
    }

    /// Changes one document, and checks it.
    private func change() throws {
        let id = random.pick(Self.ids)
        switch random.below(100) {
        case 0..<16: try save(id)
        case 16..<38: try saveMutable(id)
        case 38..<46: try saveTyped(id)
        case 46..<53: try delete(id)
        case 53..<58: try deleteDocument(id)
        case 58..<62: try undelete(id)
        case 62..<66: try purge(id)
        case 66..<88: try insert(id)
        case 88..<95: try resolve(id)
        default: try hold(id)
        }
        try read { try self.check(id, $0) }
    }

    /// Performs some changes in a transaction or savepoint, which may be rolled back.
    private func block(depth: Int) throws {
        let before = model
        let undoes = chance(30)
        let body = {
            for _ in 0..<1 + self.random.below(6) {
                if depth < 3, self.chance(20) {
                    try self.block(depth: depth + 1)
                } else {
                    try self.change()
                }
            }
            if undoes { throw Abandoned() }
        }
        note(depth == 0 ? "transaction" : "savepoint", undoes ? "undone" : "")
        do {
            if let transaction {
                try transaction.savepoint(body)
            } else {
                defer { transaction = nil }
                try file.write { transaction in
                    self.transaction = transaction
                    try body()
                }
            }
        } catch is Abandoned {
            note("undone")
            model = before
        }
        try read { try self.check($0) }
    }

    private func upgradeVersioning() throws {
        note("upgrade")
        try file.write { try $0.upgradeVersioning(to: .versionVectors) }
        model.usesVectors = true
    }

    private func reopen() throws {
        note("reopen")
        file.close()
        file = try DataFile(path: directory("store.cblite2"), options: options)
    }

    /// Compacts the file, and checks that exactly the referenced blobs remain.
    private func compact() throws {
        let result = try file.compact()
        note(result.removedBlobs > 0 ? "compact: blobs removed" : "compact")
        let kept = Set(try file.blobs.digests())
        let needed = model.blobs
        try require(
            kept == needed,
            "blobs missing: \(needed.subtracting(kept)), too many: \(kept.subtracting(needed))")
        // Saving these later would create references to blobs that were removed.
        model.held.removeAll { !$0.body.blobs.isSubset(of: kept) }
    }

    private func expire() throws {
        note("expire")
        let soon: Int64 = 1 << 50
        let chosen = Set((0..<2).map { _ in random.pick(Self.ids) })
        let store = collection.keyStore
        try file.write { transaction in
            for id in Self.ids {
                let isChosen = chosen.contains(id)
                let exists = try store.setExpiration(
                    isChosen ? soon : soon + 2, of: id, in: transaction)
                try require(exists == (model.documents[id] != nil), "\(id) expires")
            }
            let purged = try store.purgeExpired(at: soon + 1, in: transaction)
            let expected = chosen.filter { model.documents[$0] != nil }
            try require(purged == expected.count, "\(purged) expired, not \(expected)")
            for id in expected { model.documents[id] = nil }
        }
        try read { try self.check($0) }
    }
}

extension DocumentModel {
    /// The blobs that have a reference.
    var blobs: Set<BlobDigest> {
        documents.values.reduce(into: []) { blobs, document in
            for body in document.bodies { blobs.formUnion(body.blobs) }
        }
    }
}
