package import DocumentStore

/// Applies the lines of a patch to a database, all in one transaction.
package struct Patcher {
    /// The number of documents by what was done with them.
    package struct Counts {
        package var added = 0
        package var removed = 0
        package var changed = 0
        /// Documents that were already in the requested state.
        package var unchanged = 0
        package var conflicts = 0
        /// Collections that were created or deleted.
        package var collections = 0
    }

    let name: String
    private var reader: LineReader
    private let reverses: Bool
    private let forces: Bool
    /// Nil for a dry run.
    private let transaction: Transaction?
    private let snapshot: Snapshot
    private var created: Set<CollectionName> = []
    package private(set) var counts = Counts()

    /// The number of conflicts that are reported individually.
    private static let maximumReported = 20

    package init(
        _ reader: LineReader, name: String, reverses: Bool, forces: Bool, _ snapshot: Snapshot
    ) {
        self.reader = reader
        self.name = name
        self.reverses = reverses
        self.forces = forces
        self.snapshot = snapshot
        transaction = snapshot as? Transaction
    }

    /// Applies all lines.
    ///
    /// Reports and counts conflicts.
    ///
    /// - Throws: at the first invalid line.
    package mutating func run() throws {
        var progress = Progress("line", total: reader.totalBytes)
        defer { progress.finish() }
        while let line = try nextLine() {
            guard !Interruption.isRequested else { throw CancellationError() }
            if let line { try apply(line) }
            progress.update(reader.consumed, count: reader.line)
        }
    }

    /// Returns nil at the end, and a nil line for a blank line.
    private mutating func nextLine() throws -> PatchLine?? {
        let number = reader.line + 1
        let (name, reverses) = (name, reverses)
        return try reader.next { text -> PatchLine? in
            guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return nil }
            do {
                let line = try PatchLine(text)
                return reverses ? try line.reversed() : line
            } catch let error as PatchLine.InvalidLine {
                let location = TextLocation(
                    offset: error.offset, in: [UInt8](text)[...], firstLine: number)
                throw ToolError("\(name), \(location): \(error.message)")
            }
        }
    }

    private mutating func apply(_ line: PatchLine) throws {
        do {
            guard let id = line.id else { return try applyToCollection(line) }
            try apply(line, id)
        } catch let conflict as PatchStep.Conflict {
            counts.conflicts += 1
            let what = line.id.map { "document \"\(Text.line($0))\"" } ?? "the collection"
            guard counts.conflicts <= Self.maximumReported else { return }
            StandardError.current.write(
                "\(name), line \(reader.line): \(what) of \(line.collection.name) "
                    + conflict.message, status: .conflict)
        }
    }

    private mutating func applyToCollection(_ line: PatchLine) throws {
        let isExisting = try exists(line.collection)
        switch line.kind {
        case .added where !isExisting: try make(line.collection)
        case .removed where isExisting:
            guard try transaction == nil || forces || line.collection.count(in: snapshot).live == 0
            else { throw PatchStep.Conflict(message: "has documents not in the patch") }
            if let transaction {
                guard line.collection.name != .default else { return }
                try line.collection.delete(in: transaction)
            }
            counts.collections += 1
        default: break
        }
    }

    private func exists(_ collection: DocumentCollection) throws -> Bool {
        try created.contains(collection.name) || collection.exists(in: snapshot)
    }

    private mutating func make(_ collection: DocumentCollection) throws {
        if let transaction {
            try collection.create(in: transaction)
        } else {
            created.insert(collection.name)
        }
        counts.collections += 1
    }

    private mutating func apply(_ line: PatchLine, _ id: String) throws {
        if try !exists(line.collection) {
            guard line.kind != .removed else {
                counts.unchanged += 1
                return
            }
            guard line.kind == .added else {
                throw PatchStep.Conflict(message: "does not exist, nor does the collection")
            }
            try make(line.collection)
        }
        let current =
            created.contains(line.collection.name)
            ? nil : try line.collection.get(id, includesDeleted: true, in: snapshot)
        let step = try PatchStep(line, current, force: forces)
        let setsExpiration =
            line.expiration.map { $0.milliseconds != current?.expiration } ?? false
        if let transaction {
            try perform(step, id, line, setsExpiration, transaction)
        }
        count(step, line, setsExpiration)
    }

    private func perform(
        _ step: PatchStep, _ id: String, _ line: PatchLine, _ setsExpiration: Bool,
        _ transaction: Transaction
    ) throws {
        let collection = line.collection
        switch step {
        case .none, .touch: break
        case .write(let body):
            _ = try collection.save(id, in: transaction) { try $0.write(body.root) }
        case .delete: _ = try collection.delete(id, in: transaction)
        case .createTombstone:
            _ = try collection.save(id, in: transaction) { try $0.writeJSON("{}") }
            _ = try collection.delete(id, in: transaction)
        case .purge: _ = try collection.purge(id, in: transaction)
        }
        if setsExpiration, let expiration = line.expiration {
            try collection.keyStore.setExpiration(
                expiration.milliseconds, of: id, in: transaction)
        }
    }

    private mutating func count(_ step: PatchStep, _ line: PatchLine, _ setsExpiration: Bool) {
        switch step {
        case .none, .touch:
            if setsExpiration { counts.changed += 1 } else { counts.unchanged += 1 }
        case .write where line.kind == .added, .createTombstone: counts.added += 1
        case .write: counts.changed += 1
        case .delete, .purge: counts.removed += 1
        }
    }
}
