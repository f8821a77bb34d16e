package import DocumentStore
internal import SQLCore
package import SQLPlus
internal import Synchronization

/// The keys with which databases are opened.
///
/// The key that the user specifies or types applies to all databases that a command opens: it
/// decrypts encrypted databases and encrypts new ones, and is not used for databases without
/// encryption. If another database has a different key, the tool prompts for it.
package final class DatabaseKeys: ContextValue {
    /// The environment variable with the key, unless the command line specifies one.
    static let variable = "KVTOOL_KEY"

    private struct State {
        /// The keys read so far, so that each source is read and derived once.
        var read: [KeySource: EncryptionKey] = [:]
        /// The key of the shell, for commands entered in it.
        var shell: KeySource?
        /// Whether only the key of the command line and typed ones are used.
        var isOnlyTyped = false
        /// The correct keys that the user typed, the most recently used last.
        var typed: [EncryptionKey] = []
        /// The opened databases and their keys; nil for a database without encryption.
        var opened: [(path: String, key: EncryptionKey?)] = []
        /// Databases without encryption for which a warning was printed.
        var warned: [String] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the default key of later commands.
    package func setForShell(_ source: KeySource?) { state.withLock { $0.shell = source } }

    /// Has only a key that a person typed elsewhere than at the terminal.
    package convenience init(typed text: String) throws {
        self.init()
        let key = try EncryptionKey(typed: Array(text.utf8))
        state.withLock { state in
            state.typed = [key]
            state.isOnlyTyped = true
        }
    }

    /// Opens a database with `open`, which receives the options with the key.
    ///
    /// - Parameters:
    ///   - source: the key source from the command line, if any.
    ///   - mayPrompt: whether the user may be prompted at the terminal.
    package func opening<T>(
        _ path: String, _ options: DataFileOptions, _ source: KeySource?, mayPrompt: Bool = true,
        _ open: (DataFileOptions) throws -> T
    ) throws -> T {
        if let own = ApplicationFiles.current.options(for: path, options.access) {
            return try open(own)
        }
        var options = options
        var attempts = try KeyAttempts(
            path, source, creates: options.access == .create && !hasDatabase(path),
            mayPrompt: mayPrompt && Prompt.canPrompt)
        // A database that is already open without a key can be shared only without a key.
        options.encryption = isPlain(path) ? nil : attempts.first()
        while true {
            do {
                let opened = try open(options)
                note(path, options.key, isTyped: attempts.isTyped(options.key))
                let writesPlain = options.encryption == nil && options.access != .readOnly
                if writesPlain, source != nil { warnAboutPlaintext(path) }
                return opened
            } catch let error as StoreError {
                switch error.encryption {
                case .notEncrypted where options.encryption != nil:
                    note(path, nil)
                    options.encryption = nil
                case .keyRequired, .wrongKeyOrNotADatabase:
                    options.encryption = try attempts.next(after: error)
                default: throw error
                }
            }
        }
    }

    /// The specified key for a database that may be too damaged to be opened; nil if there is none,
    /// or the database is not encrypted.
    package func specifiedKey(_ path: String, _ source: KeySource?) throws -> EncryptionKey? {
        let typed = state.withLock { $0.typed.last }
        guard let key = try keySource(source).map(read) ?? typed else { return nil }
        let options = DataFileOptions.tool(.readOnly, timeoutMilliseconds: 0)
        let file = try? opening(path, options, source, mayPrompt: false) {
            try DataFile(path: path, options: $0)
        }
        file?.close()
        return isPlain(path) ? nil : file?.options.key ?? key
    }

    /// The key source: the command line, the shell, or the environment variable.
    func keySource(_ source: KeySource?) -> KeySource? {
        guard source == nil, !state.withLock({ $0.isOnlyTyped }) else { return source }
        return state.withLock { $0.shell } ?? KeySource.environment(Self.variable)
    }

    /// Reads the key of a source, once.
    package func read(_ source: KeySource) throws -> EncryptionKey {
        if let key = state.withLock({ $0.read[source] }) { return key }
        let key = try source.read()
        state.withLock { $0.read[source] = key }
        return key
    }

    private func warnAboutPlaintext(_ path: String) {
        let isWarned = state.withLock { state in
            if state.warned.contains(where: { System.isSame($0, path) }) { return true }
            state.warned.append(path)
            return false
        }
        guard !isWarned else { return }
        StandardError.current.write(
            "note: \(path) is not encrypted, so data is written to it unencrypted; use kvtool "
                + "encrypt to encrypt it")
    }
}

// Opened databases.
extension DatabaseKeys {
    /// The keys that the user typed: first the key of the database at a path if it was opened, then
    /// the others, the most recent first.
    func typed(for path: String) -> [EncryptionKey] {
        state.withLock { state in
            let own = state.opened.first { System.isSame($0.path, path) }?.key
            let isOwn: (EncryptionKey) -> Bool = { $0 === own }
            return state.typed.filter(isOwn) + state.typed.reversed().filter { !isOwn($0) }
        }
    }

    /// Another opened database with this key; nil if there is none.
    func other(than path: String, with key: EncryptionKey) -> String? {
        state.withLock { state in
            state.opened.first { $0.key == key && !System.isSame($0.path, path) }?.path
        }
    }

    private func isPlain(_ path: String) -> Bool {
        // A removed database may be replaced by an encrypted one.
        guard hasDatabase(path) else { return false }
        return state.withLock { state in
            state.opened.contains { $0.key == nil && System.isSame($0.path, path) }
        }
    }

    /// Whether a database exists and is completely created.
    private func hasDatabase(_ path: String) -> Bool {
        guard case .file(let bytes) = System.entry("\(path)/db.sqlite3") else { return false }
        return bytes > 0
    }

    /// Records the key with which a database was opened; nil for none.
    private func note(_ path: String, _ key: EncryptionKey?, isTyped: Bool = false) {
        state.withLock { state in
            state.opened.removeAll { System.isSame($0.path, path) }
            state.opened.append((path, key))
            guard let key, isTyped || state.typed.contains(where: { $0 === key }) else { return }
            state.typed.removeAll { $0 === key }
            state.typed.append(key)
        }
    }
}

extension DataFileOptions {
    /// The key; the tool uses no other kind of encryption.
    package var key: EncryptionKey? { encryption as? EncryptionKey }
}
