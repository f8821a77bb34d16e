package import DocumentStore

/// Imports the documents of files into a collection, a transaction for each batch.
///
/// Committed batches are retained if the import ends with an error, Ctrl-C, or a full disk. The
/// message then states how to continue.
package struct Importer {
    private let options: ImportOptions
    private var source: any DocumentSource
    private let isFirstFile: Bool
    private var progress: Progress
    /// The number of documents of this file that were processed.
    private var seen = 0
    /// The line of the last document that was committed or skipped.
    private var lastLine = 0
    /// The number of documents requested from the source, in all batches.
    private var steps = 0
    /// The committed documents.
    package private(set) var counts: ImportCounts
    private let log: ErrorLog?

    /// The way a batch ended.
    private enum End {
        case full, endOfFile, interrupted
        case failure(String, ExitStatus)
    }

    /// The state of a batch, which takes effect when it is committed.
    private struct Batch {
        var counts = ImportCounts()
        var seen: Int
        var lastLine: Int
        var failures: [ErrorLog.Entry] = []
    }

    /// The maximum number of messages about single documents; the rest are only counted.
    private static let maximumMessages = 20

    package init(
        _ source: any DocumentSource, options: ImportOptions, after counts: ImportCounts,
        isFirstFile: Bool, log: ErrorLog?
    ) {
        self.source = source
        self.options = options
        self.counts = counts
        self.isFirstFile = isFirstFile
        self.log = log
        progress = Progress("document", total: source.totalBytes)
    }

    /// Imports all documents.
    ///
    /// - Throws: at the first error, after committing the documents before it.
    package mutating func run(_ database: DataFile) throws {
        defer { progress.finish() }
        while true {
            var batch = Batch(seen: seen, lastLine: lastLine)
            let end: End
            do {
                end = try write(&batch, database)
            } catch let error as StoreError where counts.total > 0 {
                progress.finish()
                throw continued(error)
            }
            try commit(batch)
            switch end {
            case .full: continue
            case .endOfFile: return
            case .interrupted: throw Interrupted(message: interruption)
            case .failure(let message, let status):
                progress.finish()
                let count = Text.count(counts.imported, "document")
                let verb = counts.imported == 1 ? "was" : "were"
                throw ToolError("\(message); \(count) before it \(verb) imported", status: status)
            }
        }
    }

    private struct Undone: Error {}

    private mutating func write(_ batch: inout Batch, _ database: DataFile) throws -> End {
        guard options.isDry else { return try database.write { try run(&batch, $0) } }
        var end = End.endOfFile
        do {
            try database.write { transaction in
                end = try run(&batch, transaction)
                throw Undone()
            }
        } catch is Undone {
            // Rolled back, as requested.
        }
        return end
    }

    private mutating func commit(_ batch: Batch) throws {
        counts.new += batch.counts.new
        counts.overwritten += batch.counts.overwritten
        counts.skipped += batch.counts.skipped
        (seen, lastLine) = (batch.seen, batch.lastLine)
        for failure in batch.failures {
            counts.failed += 1
            try log?.add(failure)
            if log == nil, counts.failed <= Self.maximumMessages {
                StandardError.current.write(failure.text)
            }
        }
        let before = counts.total - batch.counts.total
        if let every = options.reportsEvery, counts.total / every > before / every {
            StandardError.current.writeUnprefixed(Text.count(counts.imported, "document"))
        }
    }

    private mutating func run(_ batch: inout Batch, _ transaction: Transaction) throws -> End {
        let document = ImportedDocument(options: options, transaction: transaction)
        var source = source
        defer { self.source = source }
        // A batch may be a single document, after each of which a commit waits for the disk.
        guard !Interruption.isRequested else { return .interrupted }
        while batch.counts.total < options.batch {
            guard counts.total + batch.counts.total < options.limit else { return .endOfFile }
            steps += 1
            if steps & 63 == 0 {
                guard !Interruption.isRequested else { return .interrupted }
                progress.update(
                    source.consumed, count: counts.imported + batch.counts.imported)
            }
            do {
                let isMore = try source.next { try take($0, document, &batch) }
                guard isMore else { return .endOfFile }
            } catch is CancellationError {
                // Interrupted while waiting for input; the documents read so far are committed.
                return .interrupted
            } catch let error as ToolError {
                // The source cannot be read further; the documents before it are committed.
                return .failure(error.message, error.status)
            } catch let failure as ImportError {
                let message = "\(source.name), \(failure.location): \(failure.message)"
                guard options.onError == .skip else { return .failure(message, failure.status) }
                batch.counts.failed += 1
                batch.failures[batch.failures.count - 1].name(source.name, message)
            }
        }
        return .full
    }

    private func take(
        _ document: SourceDocument, _ writer: ImportedDocument, _ batch: inout Batch
    ) throws {
        if isFirstFile, document.line < options.fromLine { return }
        batch.seen += 1
        if isFirstFile, batch.seen <= options.offset { return }
        do {
            switch try writer.write(document) {
            case .new: batch.counts.new += 1
            case .overwritten: batch.counts.overwritten += 1
            case .skipped: batch.counts.skipped += 1
            }
            batch.lastLine = document.line
        } catch let failure as ImportError where options.onError == .skip {
            batch.lastLine = document.line
            batch.failures.append(
                ErrorLog.Entry(
                    location: failure.location, message: failure.message,
                    document: log == nil ? nil : [UInt8](document.json)))
            throw failure
        }
    }

    /// The message about the imported documents and how to continue.
    private var interruption: String {
        let count = Text.count(counts.imported, "document")
        guard source.canResume else {
            return counts.imported == 0 ? "nothing was created" : "\(count) created and kept"
        }
        return "\(count) imported; continue with \(continuation)"
    }

    private var continuation: String {
        source.hasLines
            ? "\(source.name) at --from-line "
                + "\(max(lastLine + 1, isFirstFile ? options.fromLine : 1))"
            : "\(source.name) at --offset \(seen)"
    }

    private func continued(_ error: StoreError) -> ReportedFailure {
        let status = ExitStatus(error)
        // The batches before this one are committed.
        let reason = error.isFullDisk ? "the disk is full" : error.messageForPeople
        StandardError.current.writeAboutSubject("\(reason); \(interruption)", status: status)
        return ReportedFailure(status: status)
    }
}
