internal import DocumentStore
package import SQLPlus

/// The keys with which a database is tried, in order.
struct KeyAttempts {
    private let path: String
    /// The specified key; nil if there is none.
    private let specified: EncryptionKey?
    /// The error for an environment variable that does not contain a valid key.
    private let unread: ToolError?
    private let mayPrompt: Bool
    private var untried: [EncryptionKey]
    private var typed: EncryptionKey?
    /// The database that the specified key belongs to, if this database has a different one.
    private var other: String?

    /// - Parameters:
    ///   - source: the key source from the command line, if any.
    ///   - creates: whether the database is created if it does not exist.
    ///   - mayPrompt: whether the user may be prompted at the terminal.
    init(_ path: String, _ source: KeySource?, creates: Bool, mayPrompt: Bool) throws {
        let keySource = DatabaseKeys.current.keySource(source)
        var specified: EncryptionKey?
        var unread: ToolError?
        do {
            specified = try keySource.map(DatabaseKeys.current.read)
        } catch let error as ToolError {
            // The variable may be meant for other databases; a new database must not be left
            // unencrypted.
            guard case .variable? = keySource, !creates else { throw error }
            unread = error
        }
        (self.path, self.mayPrompt) = (path, mayPrompt)
        (self.specified, self.unread) = (specified, unread)
        untried = specified.map { [$0] } ?? DatabaseKeys.current.typed(for: path)
    }

    /// Returns the first key; nil if none is known.
    mutating func first() -> EncryptionKey? { untried.isEmpty ? nil : untried.removeFirst() }

    /// Returns the next key; throws if there is none.
    ///
    /// A wrong key that the user specified is an error, unless it belongs to another database.
    ///
    /// - Parameter error: the error of the last attempt.
    mutating func next(after error: StoreError) throws -> EncryptionKey {
        if let unread { throw unread }
        if untried.isEmpty, let specified, other == nil {
            guard let other = DatabaseKeys.current.other(than: path, with: specified) else {
                throw error
            }
            self.other = other
            untried = DatabaseKeys.current.typed(for: path)
        }
        if let key = first() { return key }
        guard typed == nil else { throw error }
        guard mayPrompt else {
            guard let other else { throw error }
            throw Self.oneKey(error, other)
        }
        let key = try KeyPrompt.ask(path)
        typed = key
        return key
    }

    /// Whether the user typed this key at the prompt.
    func isTyped(_ key: EncryptionKey?) -> Bool { typed != nil && typed === key }

    private static func oneKey(_ error: StoreError, _ other: String) -> ToolError {
        ToolError(
            "\(error.message); --key, --key-file and \(DatabaseKeys.variable) specify one key "
                + "for both databases, which is the key of \(other)", status: .cannotOpen)
    }
}

/// Prompts for keys without echo.
package enum KeyPrompt {
    /// Prompts for the key of a database.
    static func ask(_ path: String) throws -> EncryptionKey {
        try System.withoutEcho { try EncryptionKey(typed: response("Key of \(Text.line(path)): ")) }
    }

    /// Prompts for a new key twice, to detect typing errors.
    package static func promptTwice() throws -> EncryptionKey {
        try System.withoutEcho {
            let key = try EncryptionKey(typed: response("New key: "))
            guard try key == EncryptionKey(typed: response("Repeat the key: ")) else {
                throw ToolError("the keys do not match; nothing was changed")
            }
            return key
        }
    }

    private static func response(_ prompt: String) throws -> [UInt8] {
        StandardError.current.writePrompt(prompt)
        guard let line = try System.typedLine() else { throw ToolError("no key was entered") }
        return line
    }

    /// Prompts for the password of a user at a server.
    package static func password(of user: String) throws -> String {
        try System.withoutEcho {
            String(
                decoding: try response("Password of \(Text.line(user)): "), as: UTF8.self)
        }
    }
}
