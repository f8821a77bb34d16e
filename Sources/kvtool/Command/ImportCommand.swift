internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite
internal import Foundation

/// `kvtool import DATABASE FILE`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Reads documents from a file with one JSON object a line.",
        discussion: """
            The id is the property `_id`; a document without it gets a new one. A document that \
            is there already is written over. The database is made if there is none.

            A mistake in the file ends the import; the documents before it are in the database, \
            and --from-line goes on after it has been mended.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The file; - is standard input.") var file: String
    @OptionGroup var collection: CollectionArguments
    @Option(help: "The number of the line to begin at.") var fromLine = 1

    func validate() throws {
        guard fromLine >= 1 else { throw ValidationError("--from-line takes 1 or more") }
    }

    func run() throws {
        let collection = try collection.named()
        let reader = try LineReader(path: file)
        try requirePlace(for: collection)
        let database = try arguments.open(.create)
        var importer = Importer(
            name: file == "-" ? "standard input" : file, reader: reader, collection: collection,
            fromLine: fromLine)
        try importer.run(database)
        database.close()
        try StandardOutput.write(
            "Imported \(Text.count(importer.imported, "document")) into \(database.path)\n")
    }
}

extension ImportCommand {
    /// A new database has the default collection only: none is made for another one.
    private func requirePlace(for collection: Collection) throws {
        guard collection.name != .default else { return }
        guard FileManager.default.fileExists(atPath: arguments.database + "/db.sqlite3") else {
            throw ToolError(
                "\(arguments.database) does not exist, and a new database has no collection "
                    + "\(collection.name)", status: .notFound)
        }
    }
}

/// Brings the lines of a file into a collection, a transaction for each batch.
struct Importer {
    let name: String
    var reader: LineReader
    let collection: Collection
    let fromLine: Int
    /// Documents that are committed.
    private(set) var imported = 0

    /// Documents in one transaction.
    static let batch = 10_000

    /// How a batch ended.
    private enum End {
        case full, endOfFile
        case mistake(String)
    }

    init(name: String, reader: LineReader, collection: Collection, fromLine: Int) {
        self.name = name
        self.reader = reader
        self.collection = collection
        self.fromLine = fromLine
    }

    /// Imports all lines.
    ///
    /// Throws at the first mistake, when what was read before it has been committed.
    mutating func run(_ database: DataFile) throws {
        var progress = Progress(total: reader.totalBytes)
        defer { progress.finish() }
        while true {
            let before = imported
            let (end, count) = try database.write { transaction in
                try runBatch(transaction) { consumed, count in
                    progress.update(done: consumed, documents: before + count)
                }
            }
            imported += count
            switch end {
            case .full: continue
            case .endOfFile: return
            case .mistake(let message):
                progress.finish()
                let count = Text.count(imported, "document")
                throw ToolError(
                    "\(message); \(count) before it \(imported == 1 ? "was" : "were") imported")
            }
        }
    }

    private mutating func runBatch(
        _ transaction: Transaction, _ update: (_ consumed: Int, _ count: Int) -> Void
    ) throws -> (End, Int) {
        var count = 0
        while count < Self.batch {
            do {
                guard let isDocument = try importLine(transaction) else {
                    return (.endOfFile, count)
                }
                count += isDocument ? 1 : 0
            } catch let mistake as Mistake {
                return (.mistake(mistake.message), count)
            } catch let error as ToolError {
                // A line that cannot be read; those before it are committed all the same.
                return (.mistake(error.message), count)
            }
            if count % 100 == 0 { update(reader.consumed, count) }
        }
        return (.full, count)
    }

    /// A line that is not a document.
    private struct Mistake: Error {
        let message: String
    }

    /// Returns false for a line that is blank or comes before the first one wanted, nil at the
    /// end of the file.
    private mutating func importLine(_ transaction: Transaction) throws -> Bool? {
        let number = reader.line + 1
        return try reader.next { line in
            let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard number >= fromLine, !isBlank else { return false }
            do {
                _ = try collection.save(in: transaction) { encoder in
                    try encoder.writeJSON(line, lifting: "_id")
                }
            } catch let error as FleeceError {
                let place = TextPlace(
                    offset: error.offset ?? 0, in: [UInt8](line)[...], firstLine: number)
                throw Mistake(message: "\(name), \(place): \(error.message)")
            } catch let error as StoreError where error.isOfInput {
                let place = TextPlace(line: number, column: 1)
                throw Mistake(message: "\(name), \(place): \(error.message)")
            }
            return true
        }
    }
}

extension StoreError {
    /// Whether the one document is at fault, or the one that it would replace.
    fileprivate var isOfInput: Bool {
        has(.badDocumentID) || has(.invalidParameter) || has(.unsupported)
            || has(.corruptRevisionData) || has(.badRevisionID) || has(.conflict)
    }
}
