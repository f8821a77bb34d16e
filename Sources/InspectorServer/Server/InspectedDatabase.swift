package import DocumentStore
package import KVToolCore
internal import StorePlatform
internal import Synchronization

/// A database that the inspector shows.
package final class InspectedDatabase: Sendable {
    /// Its name in paths of URLs.
    package let name: String
    let path: String
    private let application: ApplicationFiles
    /// The number of commands that run and may take long.
    let longCommands = Mutex(0)

    private struct State {
        var keys: DatabaseKeys
        /// Open from the first command on, so that commands share its connections.
        var file: DataFile?
        /// Whether it was opened before.
        var isReadable = false
    }
    private let state: Locked<State>

    /// That of commands by default: a file is shared by handles with the same options.
    private static let timeout = 10_000

    /// - Parameter keys: the keys for it.
    package init(_ path: String, name: String, keys: DatabaseKeys) {
        self.path = path
        self.name = name
        state = Locked(State(keys: keys))
        application = ApplicationFiles()
    }

    /// One that this program has open; with its key and its options.
    package init(_ file: DataFile, name: String) {
        path = file.path
        self.name = name
        state = Locked(State(keys: DatabaseKeys()))
        application = ApplicationFiles([file])
    }

    /// What commands need to open it.
    var environment: [any ContextValue] { [state.withLock { $0.keys }, application] }

    /// Whether it needs a key that is not known. It waits for no other process.
    var isLocked: Bool {
        state.withLock { state in
            guard state.file == nil, !state.isReadable else { return false }
            do {
                try open(state.keys, timeout: 0).close()
                state.isReadable = true
            } catch let error as StoreError {
                return error.encryption != nil
            } catch {
                // Commands report it.
            }
            return false
        }
    }

    /// Sets the key; whether it is the right one. A database that can be opened needs none, and
    /// commands must not try a wrong one.
    func unlock(_ key: String) -> Bool {
        guard isLocked else { return true }
        // A raw key of a wrong form is wrong, too.
        guard let keys = try? DatabaseKeys(typed: key),
            let file = try? open(keys, timeout: Self.timeout)
        else { return false }
        state.withLock { state in
            state.file?.close()
            state.file = file
            state.keys = keys
        }
        return true
    }

    /// Opens it until the server ends; what fails, commands report.
    func keepOpen() {
        state.withLock { state in
            if state.file == nil { state.file = try? open(state.keys, timeout: Self.timeout) }
        }
    }

    private func open(_ keys: DatabaseKeys, timeout: Int) throws -> DataFile {
        let options = DataFileOptions.tool(.readOnly, timeoutMilliseconds: timeout)
        return try CommandContext([keys, application]).run {
            try keys.opening(path, options, nil, mayPrompt: false) {
                try DataFile(path: path, options: $0)
            }
        }
    }

    func close() {
        state.withLock { state in
            state.file?.close()
            state.file = nil
        }
    }
}

extension InspectedDatabase {
    /// Paths of URLs that mean something else.
    private static let reserved: Set = [
        "assets", "databases.json", "openapi.json", "favicon.ico",
    ]

    /// The names for databases: those of the files, with a number where a name is taken.
    package static func names(of paths: [String]) -> [String] {
        var taken = reserved
        return paths.map { path in
            let last = path.split(separator: "/").last.map { String($0) } ?? ""
            let ending = DatabaseNames.endings.first { last.lowercased().hasSuffix($0) } ?? ""
            let stem = String(last.dropLast(ending.count))
            let base = stem.allSatisfy { $0 == "." } ? "database" : stem
            var (name, number) = (base, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(base)-\(number)"
            }
            return name
        }
    }
}
