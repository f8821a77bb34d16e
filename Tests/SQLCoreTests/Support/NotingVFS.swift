import SQLCore
import Synchronization

/// Records the properties of each file that is opened.
final class NotingVFS: SQLVFS, @unchecked Sendable {
    let notes = Mutex<Set<String>>([])

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        func last(_ path: String?) -> String {
            path?.split(separator: "/").last.map(String.init) ?? "nameless"
        }
        let owner = opening.databaseFile.map { "file of \(last($0.path))" } ?? "no file"
        let color = opening.parameter("color") ?? "colorless"
        let note = "\(opening.kind) \(last(opening.path)) \(color) \(owner)"
        notes.withLock { _ = $0.insert(note) }
        return NotingFile(opening)
    }
}

/// Counts the open files.
final class NotingFile: SQLFile {
    static let living = Mutex(0)

    override init(_ opening: SQLFileOpening) {
        super.init(opening)
        Self.living.withLock { $0 += 1 }
    }

    deinit {
        Self.living.withLock { $0 -= 1 }
    }
}

/// Fails to open any file.
final class RefusingVFS: SQLVFS, @unchecked Sendable {
    struct Refusal: Error {}

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        throw Refusal()
    }
}
