package import DocumentStore
internal import SQLCore
package import SQLPlus
internal import Synchronization

/// The keys with which databases are opened.
///
/// One key is said, or asked for, whatever a command opens: it is used for what is encrypted and
/// for what is made, and not for a plain database. Where another database has another key, that is
/// asked for, too.
package final class DatabaseKeys: ContextValue {
    /// What says the key where the command line does not.
    static let variable = "KVTOOL_KEY"

    private struct State {
        /// What was read already: each database's keys are derived of the same value once.
        var read: [KeySource: EncryptionKey] = [:]
        /// What the shell was given, for commands that are typed in it.
        var shell: KeySource?
        /// What somebody has typed, and was right; what was used last stands at the end.
        var asked: [EncryptionKey] = []
        /// The databases that were opened, and their keys; nil for one that is not encrypted.
        var opened: [(path: String, key: EncryptionKey?)] = []
        /// Plain ones of which was told that what is written to them is plain.
        var told: [String] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// From now on commands that name no key have this one.
    package func setForShell(_ source: KeySource?) { state.withLock { $0.shell = source } }

    /// Opens a database with `open`, which is called with the options and the key.
    ///
    /// - Parameters:
    ///   - source: what the command line says, if it does.
    ///   - mayPrompt: whether the person at the terminal may be asked.
    package func opening<T>(
        _ path: String, _ options: DataFileOptions, _ source: KeySource?, mayPrompt: Bool = true,
        _ open: (DataFileOptions) throws -> T
    ) throws -> T {
        var options = options
        var attempts = try KeyAttempts(
            path, source, makes: options.access == .create && !hasDatabase(path),
            mayPrompt: mayPrompt && Question.canPrompt)
        // What has a plain database open already shares it only with others without a key.
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

    /// The key that is said for a database that may be too damaged to be opened; nil if there is
    /// none, or the database is plain.
    package func said(_ path: String, _ source: KeySource?) throws -> EncryptionKey? {
        let asked = state.withLock { $0.asked.last }
        guard let key = try place(source).map(read) ?? asked else { return nil }
        let options = DataFileOptions.tool(.readOnly, timeoutMilliseconds: 0)
        let file = try? opening(path, options, source, mayPrompt: false) {
            try DataFile(path: path, options: $0)
        }
        file?.close()
        return isPlain(path) ? nil : file?.options.key ?? key
    }

    /// Where the key is said: what the command line says, what the shell was given, the variable.
    func place(_ source: KeySource?) -> KeySource? {
        source ?? state.withLock { $0.shell } ?? KeySource.environment(Self.variable)
    }

    /// What a source says, which is read once.
    package func read(_ source: KeySource) throws -> EncryptionKey {
        if let key = state.withLock({ $0.read[source] }) { return key }
        let key = try source.read()
        state.withLock { $0.read[source] = key }
        return key
    }

    private func warnAboutPlaintext(_ path: String) {
        let isWarned = state.withLock { state in
            if state.told.contains(where: { System.isSame($0, path) }) { return true }
            state.told.append(path)
            return false
        }
        guard !isWarned else { return }
        StandardError.current.write(
            "note: \(path) is not encrypted, and what is written to it is plain; kvtool encrypt "
                + "encrypts it")
    }
}

// What was opened.
extension DatabaseKeys {
    /// The keys that somebody has typed: that of the database at a path, if it was opened, then the
    /// others, the last one first.
    func asked(for path: String) -> [EncryptionKey] {
        state.withLock { state in
            let own = state.opened.first { System.isSame($0.path, path) }?.key
            let isOwn: (EncryptionKey) -> Bool = { $0 === own }
            return state.asked.filter(isOwn) + state.asked.reversed().filter { !isOwn($0) }
        }
    }

    /// Another database than the one at a path that was opened with a key; nil if there is none.
    func other(than path: String, with key: EncryptionKey) -> String? {
        state.withLock { state in
            state.opened.first { $0.key == key && !System.isSame($0.path, path) }?.path
        }
    }

    private func isPlain(_ path: String) -> Bool {
        // Where a database was removed there may come to be an encrypted one.
        guard hasDatabase(path) else { return false }
        return state.withLock { state in
            state.opened.contains { $0.key == nil && System.isSame($0.path, path) }
        }
    }

    /// Whether there is one that nobody makes any more.
    private func hasDatabase(_ path: String) -> Bool {
        guard case .file(let bytes) = System.entry("\(path)/db.sqlite3") else { return false }
        return bytes > 0
    }

    /// Notes with which key a database was opened, or that it has none.
    private func note(_ path: String, _ key: EncryptionKey?, isTyped: Bool = false) {
        state.withLock { state in
            state.opened.removeAll { System.isSame($0.path, path) }
            state.opened.append((path, key))
            guard let key, isTyped || state.asked.contains(where: { $0 === key }) else { return }
            state.asked.removeAll { $0 === key }
            state.asked.append(key)
        }
    }
}

extension DataFileOptions {
    /// The key; the tool gives no other kind.
    package var key: EncryptionKey? { encryption as? EncryptionKey }
}
