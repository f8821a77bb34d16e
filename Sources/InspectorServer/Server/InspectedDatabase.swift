package import DocumentStore
package import KVToolCore
internal import StorePlatform

/// A database that the inspector shows.
package final class InspectedDatabase: Sendable {
    /// Its name in paths of URLs.
    package let name: String
    let path: String
    private let keys: DatabaseKeys
    private let application: ApplicationFiles
    /// Open while the server runs, so that commands share its connections.
    private let file = Locked<DataFile?>(nil)

    /// That of commands by default: a file is shared by handles with the same options.
    private static let timeout = 10_000

    /// - Parameter keys: the keys for it.
    package init(_ path: String, name: String, keys: DatabaseKeys) {
        self.path = path
        self.name = name
        self.keys = keys
        application = ApplicationFiles()
    }

    /// One that this program has open; with its key and its options.
    package init(_ file: DataFile, name: String) {
        path = file.path
        self.name = name
        keys = DatabaseKeys()
        application = ApplicationFiles([file])
    }

    /// The names for databases: those of the files, with a number after one that is there already.
    package static func names(of paths: [String]) -> [String] {
        var names: Set<String> = []
        return paths.map { path in
            let last = path.split(separator: "/").last.map { String($0) } ?? path
            let ending = DatabaseNames.endings.first { last.lowercased().hasSuffix($0) } ?? ""
            let base = String(last.dropLast(ending.count))
            var (name, number) = (base, 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(base)-\(number)"
            }
            return name
        }
    }

    /// What commands need to open it.
    var environment: [any ContextValue] { [keys, application] }

    /// Whether it needs a key that is not known.
    var isLocked: Bool {
        do {
            _ = try open()
            return false
        } catch let error as StoreError {
            return error.encryption != nil
        } catch {
            return false
        }
    }

    /// Sets the key; whether it is the right one. A database that can be opened needs none, and
    /// commands must not try a wrong one.
    func unlock(_ key: String) -> Bool {
        guard isLocked else { return true }
        do {
            try keys.add(typed: key)
            return !isLocked
        } catch {
            // The form of a raw key is wrong.
            return false
        }
    }

    @discardableResult
    private func open() throws -> DataFile {
        try file.withLock { file in
            if let file { return file }
            let options = DataFileOptions.tool(.readOnly, timeoutMilliseconds: Self.timeout)
            let opened = try CommandContext(environment).run {
                try keys.opening(path, options, nil, mayPrompt: false) {
                    try DataFile(path: path, options: $0)
                }
            }
            file = opened
            return opened
        }
    }

    func close() {
        file.withLock { file in
            file?.close()
            file = nil
        }
    }
}
