internal import DocumentStore
internal import StoreTools

/// Creates a database from a dump; see `DumpFormat`.
///
/// Each batch ends at a checksum and is committed with a mark of its position, so that after
/// Ctrl-C, a kill, a full disk or damage, another load of the same dump continues there. The last
/// batch removes the mark. A new database is removed again if not even its first batch was
/// committed.
package struct DumpLoader: ~Copyable {
    /// The destination.
    let target: LoadTarget
    var lines: CheckedLines
    /// The position of an earlier load.
    private let mark: LoadMark
    private var isSameDump = false
    private var body: BodyText?
    /// The encoder with which lines are parsed.
    var encoder = FleeceEncoder()
    private var store = KeyStore(.info)
    private var info: [StoredRow] = []
    private var infoBytes = 0
    private var meta: [KVMetaRow] = []
    private var indexes: [StoredIndex] = []
    private var progress: Progress
    package private(set) var rows = 0
    package var blobs = 0
    private(set) var isWhole = false
    /// The names of indexes that could not be created.
    package private(set) var leftOut: [String] = []

    private static let batchRows = 5000
    private static let batchBytes = 32 << 20
    /// The maximum size of data held in memory until the end: rows of `info` and indexes.
    private static let maximumKeptBytes = 64 << 20

    /// - Parameters:
    ///   - lines: the lines after the first checksum.
    ///   - mark: the mark of the database, or that of the first checksum if the database is new.
    package init(_ target: LoadTarget, _ lines: CheckedLines, after mark: LoadMark) {
        self.target = target
        self.lines = lines
        self.mark = mark
        progress = Progress("row", total: lines.totalBytes)
    }

    /// Whether the last line read is already in the database.
    var isDone: Bool { lines.line <= mark.line }

    /// Loads the remaining lines.
    package mutating func run() throws {
        defer { progress.finish() }
        try requireSameDump()
        do {
            while !isWhole {
                try runTransaction()
                if !isWhole { try Interruption.check() }
            }
        } catch {
            progress.finish()
            throw failure(error)
        }
    }

    private mutating func runTransaction() throws {
        try target.database.write { transaction in
            try runBatch(transaction)
            if isWhole { return try finish(transaction) }
            guard !isDone else { return }
            try LoadMark(line: lines.line, checksum: lines.sum, newUUIDs: mark.newUUIDs)
                .write(in: transaction)
        }
        target.keepDatabase()
    }

    /// Continues up to a checksum, of which there is one every few lines.
    private mutating func runBatch(_ transaction: Transaction) throws {
        let (firstRow, firstByte) = (rows, lines.consumed)
        while let part = try lines.next() {
            switch part {
            case .line(let text): try take(text, transaction)
            case .blob(let digest, let bytes): try loadBlob(digest, bytes: bytes)
            case .check:
                progress.update(lines.consumed, count: rows)
                try requireSameDump()
                let isFull =
                    rows - firstRow >= Self.batchRows
                    || lines.consumed - firstByte >= Self.batchBytes
                if isFull || Interruption.isRequested { return }
            case .end:
                guard isSameDump else { throw otherDump() }
                isWhole = true
                return
            }
        }
        throw DumpFailure.cutOff
    }

    private mutating func take(_ text: [UInt8], _ transaction: Transaction) throws {
        if text.starts(with: DumpPrefix.row) {
            rows += 1
            // `info` has few rows; they are restored together.
            if isDone, store.name != .info { return }
        }
        if isDone, text.starts(with: DumpPrefix.data) { return }
        try text.withUnsafeBytes { bytes in
            let line = try DumpLine(bytes, &encoder)
            do {
                try take(line, bytes, transaction)
            } catch let error as FleeceError {
                throw DumpFailure(message: "invalid body: \(error.message)")
            } catch let error as StoreError where error.isAboutContent {
                throw DumpFailure(message: error.message)
            }
        }
    }

    private mutating func take(
        _ line: DumpLine, _ text: UnsafeRawBufferPointer, _ transaction: Transaction
    ) throws {
        switch line {
        case .header: throw DumpFailure(message: "a second dump starts here")
        case .store(let name):
            try restoreInfo(transaction)
            store = KeyStore(name)
            if name != .info, !isDone { try store.create(in: transaction) }
        case .row(let row, let length):
            try take(
                row, length.map { UnsafeRawBufferPointer(rebasing: text.dropLast().suffix($0)) },
                bytes: text.count, transaction)
        case .meta(let rows):
            try restoreInfo(transaction)
            meta = rows
        case .index(let index):
            try keep(text.count)
            indexes.append(index)
        case .blob(let digest, let bytes, let pieces):
            try loadBlob(digest, bytes: bytes, pieces: pieces)
        case .data: throw DumpFailure(message: "it is data without a blob")
        }
    }

    private mutating func take(
        _ row: StoredRow, _ json: UnsafeRawBufferPointer?, bytes: Int, _ transaction: Transaction
    ) throws {
        if store.name == .info {
            guard json == nil else { throw DumpFailure(message: "a row of info has a document") }
            try keep(bytes)
            return info.append(row)
        }
        var row = row
        if let json { row.body = try encoded(json, transaction) }
        try transaction.putStoredRow(row, in: store)
    }

    private mutating func keep(_ bytes: Int) throws {
        infoBytes += bytes
        guard infoBytes <= Self.maximumKeptBytes else {
            throw DumpFailure(message: "the rows of info or the indexes are too large")
        }
    }

    /// Restores `info`, because other rows need the shared keys.
    private mutating func restoreInfo(_ transaction: Transaction) throws {
        guard store.name == .info, !info.isEmpty else { return }
        if !isDone {
            try transaction.restore(
                info: mark.newUUIDs ? Self.renewed(info) : info, replacingOthers: true)
        }
        info = []
    }

    /// The file already has its own UUIDs; stores the dump's UUID as the previous one.
    private static func renewed(_ rows: [StoredRow]) -> [StoredRow] {
        rows.compactMap { row in
            switch row.key {
            case DumpFormat.publicUUID, DumpFormat.previousUUID: return nil
            case DumpFormat.privateUUID:
                var row = row
                row.key = DumpFormat.previousUUID
                return row
            default: return row
            }
        }
    }

    private mutating func encoded(
        _ json: UnsafeRawBufferPointer, _ transaction: Transaction
    ) throws -> [UInt8] {
        if body == nil { body = try BodyText(sharedKeys: transaction.sharedKeys) }
        return try body?.body(json) ?? []
    }

    private mutating func finish(_ transaction: Transaction) throws {
        for index in indexes {
            do {
                _ = try transaction.createIndex(index) { _ in !Interruption.isRequested }
            } catch let error as StoreError where error.has(.unsupported) {
                leftOut.append(index.name)
                StandardError.current.writeAboutSubject(target.named(error.message))
            } catch let error as StoreError where error.isAboutContent {
                throw DumpFailure(
                    message: "the index \(Text.line(index.name)) before it: \(error.message)")
            }
        }
        try LoadMark.remove(in: transaction)
        do {
            try transaction.restore(meta: meta)
        } catch let error as StoreError where error.isAboutContent {
            throw DumpFailure(message: "kvmeta before it: \(error.message)")
        }
    }
}

// Errors and completion.
extension DumpLoader {
    private static var continuation: String {
        "loaded rows are kept; run the same command to continue"
    }

    /// Returns the error with which the load ends. Removes the database if it is empty.
    private func failure(_ error: any Error) -> any Error {
        let isNothing = target.removeIfEmpty()
        switch error {
        case let failure as DumpFailure where !Interruption.isRequested:
            return self.error(failure, isNothing)
        case is DumpFailure, is CancellationError:
            guard !isNothing else { return Interrupted(message: "nothing was written") }
            return Interrupted(message: "\(Text.count(rows, "row")) read; \(Self.continuation)")
        case let error as StoreError where target.isDry:
            let reason =
                error.isFullDisk
                ? "there is not enough space for temporary files to check \(lines.name); set "
                    + "TMPDIR to another directory" : target.named(error.message)
            return ToolError(reason, status: ExitStatus(error))
        case let error as StoreError:
            // The batches before this one are in the file.
            let reason =
                error.isFullDisk ? "the disk of \(target.path) is full" : error.message
            let rest = isNothing ? "nothing was loaded" : Self.continuation
            return ToolError("\(reason); \(rest)", status: ExitStatus(error))
        default: return error
        }
    }

    /// Verifies at the line of the mark that the load was started with this dump.
    private mutating func requireSameDump() throws {
        guard !isSameDump, lines.line >= mark.line else { return }
        // Marks are written only at checksums.
        guard lines.line == mark.line, lines.sum == mark.checksum else { throw otherDump() }
        isSameDump = true
    }

    private func otherDump() -> ToolError {
        ToolError(
            "\(target.path) was started with a different dump than \(lines.name); load that "
                + "dump, or load into a new database", status: .conflict)
    }

    private func error(_ failure: DumpFailure, _ isNothing: Bool) -> ToolError {
        let rest: String
        if target.isDry {
            rest = ""
        } else if isNothing {
            rest = "; nothing was loaded"
        } else {
            rest = "; \(target.path) is incomplete; load the complete dump to continue"
        }
        guard !failure.isCutOff else {
            return ToolError(
                "\(lines.name) is truncated after line \(lines.line)\(rest)", status: .damaged)
        }
        return ToolError(
            "\(lines.location): \(target.named(failure.message))\(rest)", status: .damaged)
    }
}

extension StoreError {
    /// Whether the error concerns the content to write, and not the file.
    fileprivate var isAboutContent: Bool {
        has(.conflict) || has(.invalidParameter) || has(.wrongFormat) || has(.corruptData)
            || has(.badRevisionID) || has(.notFound) || has(.invalidQuery)
    }
}
