import Foundation
import SQLCore

/// Counts the pages that SQLite reads from and writes to databases and WAL files: with a key, as
/// many are decrypted and encrypted.
final class PageCounter: SQLVFS, @unchecked Sendable {
    // Unchecked: a benchmark uses it on one thread.

    private(set) var reads = 0
    private(set) var writes = 0
    private static let pageSize = 4096

    static let registered: PageCounter? = {
        let counter = try? PageCounter(name: "page-counter")
        try? counter?.register()
        return counter
    }()

    /// Runs `body` and returns the pages that it reads and writes.
    func count(_ body: () throws -> Void) rethrows -> (reads: Int, writes: Int) {
        (reads, writes) = (0, 0)
        try body()
        return (reads, writes)
    }

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        switch opening.kind {
        case .mainDatabase, .wal: CountedFile(opening, self)
        default: SQLFile(opening)
        }
    }

    private final class CountedFile: SQLFile {
        private let counter: PageCounter

        init(_ opening: SQLFileOpening, _ counter: PageCounter) {
            self.counter = counter
            super.init(opening)
        }

        override func read(
            into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
        ) -> SQLResultCode {
            if buffer.count == pageSize { counter.reads += 1 }
            return super.read(into: buffer, at: offset)
        }

        override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
            if bytes.count == pageSize { counter.writes += 1 }
            return super.write(bytes, at: offset)
        }
    }
}
