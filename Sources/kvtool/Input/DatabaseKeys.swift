internal import DataFileCore
internal import SQLPlus
internal import Synchronization

/// The keys with which databases are opened.
///
/// One key is said, or asked for, whatever a command opens: it is used for what is encrypted and
/// for what is made, and not for a plain database.
enum DatabaseKeys {
    /// What says the key where the command line does not.
    static let variable = "KVTOOL_KEY"

    private struct State {
        /// What was read already: each database's keys are derived of the same value once.
        var read: [KeySource: EncryptionKey] = [:]
        /// What the shell was given, for commands that are typed in it.
        var shell: KeySource?
        /// What somebody has typed.
        var asked: EncryptionKey?
        /// Databases that were found not to be encrypted.
        var plain: [String] = []
    }

    private static let state = Mutex(State())

    /// From now on commands that name no key have this one.
    static func setForShell(_ source: KeySource?) { state.withLock { $0.shell = source } }

    /// Opens a database with `open`, which is called with the options and the key.
    ///
    /// - Parameters:
    ///   - source: what the command line says, if it does.
    ///   - mayAsk: whether the person at the terminal may be asked.
    static func opening<T>(
        _ path: String, _ options: DataFileOptions, _ source: KeySource?, mayAsk: Bool = true,
        _ open: (DataFileOptions) throws -> T
    ) throws -> T {
        var options = options
        var mayAsk = mayAsk && Question.canAsk
        // What has a plain database open already shares it only with others without a key.
        options.encryption = isPlain(path) ? nil : try known(source)
        while true {
            do {
                return try open(options)
            } catch let error as StoreError {
                switch error.encryption {
                case .notEncrypted where options.encryption != nil:
                    setPlain(path, true)
                    options.encryption = nil
                    if source != nil, options.access != .readOnly { tellOfPlain(path) }
                case .keyRequired where isPlain(path):
                    setPlain(path, false)
                    options.encryption = try known(source)
                case .keyRequired where mayAsk,
                    .wrongKeyOrNotADatabase where mayAsk && isAsked(options.encryption):
                    mayAsk = false
                    options.encryption = try ask(path)
                default: throw error
                }
            }
        }
    }

    /// The key that is said for a database that may be too damaged to be opened; nil if there is
    /// none, or the database is plain.
    static func said(_ path: String, _ source: KeySource?) throws -> EncryptionKey? {
        guard let key = try known(source) else { return nil }
        let options = DataFileOptions.tool(.readOnly, timeoutMilliseconds: 0)
        let file = try? opening(path, options, source, mayAsk: false) {
            try DataFile(path: path, options: $0)
        }
        file?.close()
        return isPlain(path) ? nil : key
    }

    /// The key that is said, or was asked for; nil if there is none.
    private static func known(_ source: KeySource?) throws -> EncryptionKey? {
        let said = source ?? state.withLock(\.shell) ?? .environment(variable)
        return try said.map(read) ?? state.withLock(\.asked)
    }

    /// What a source says, which is read once.
    static func read(_ source: KeySource) throws -> EncryptionKey {
        if let key = state.withLock({ $0.read[source] }) { return key }
        let key = try source.read()
        state.withLock { $0.read[source] = key }
        return key
    }

    private static func isAsked(_ key: EncryptionKey?) -> Bool {
        key != nil && state.withLock { $0.asked === key }
    }

    private static func ask(_ path: String) throws -> EncryptionKey {
        let key = try KeyPrompt.ask(path)
        state.withLock { $0.asked = key }
        return key
    }

    private static func tellOfPlain(_ path: String) {
        StandardError.write(
            "note: \(path) is not encrypted, and what is written to it is plain; kvtool encrypt "
                + "encrypts it")
    }

    private static func isPlain(_ path: String) -> Bool {
        state.withLock(\.plain).contains { System.isSame($0, path) }
    }

    private static func setPlain(_ path: String, _ isPlain: Bool) {
        state.withLock { state in
            state.plain.removeAll { System.isSame($0, path) }
            if isPlain { state.plain.append(path) }
        }
    }
}
