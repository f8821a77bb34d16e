internal import DocumentStore
package import SQLPlus

/// The keys that one database is tried with, one after the other.
struct KeyAttempts {
    private let path: String
    /// The key that is said; nil if none is.
    private let said: EncryptionKey?
    /// Why what the variable says is not a key.
    private let unread: ToolError?
    private let mayPrompt: Bool
    private var untried: [EncryptionKey]
    private var typed: EncryptionKey?
    /// The database whose key was said, where this one has another.
    private var other: String?

    /// - Parameters:
    ///   - source: what the command line says, if it does.
    ///   - makes: whether the database is made if there is none.
    ///   - mayPrompt: whether the person at the terminal may be asked.
    init(_ path: String, _ source: KeySource?, makes: Bool, mayPrompt: Bool) throws {
        let place = DatabaseKeys.current.place(source)
        var said: EncryptionKey?
        var unread: ToolError?
        do {
            said = try place.map(DatabaseKeys.current.read)
        } catch let error as ToolError {
            // The variable may be meant for other databases; what is made must not be plain.
            guard case .variable? = place, !makes else { throw error }
            unread = error
        }
        (self.path, self.mayPrompt, self.said, self.unread) = (path, mayPrompt, said, unread)
        untried = said.map { [$0] } ?? DatabaseKeys.current.asked(for: path)
    }

    /// The key to begin with; nil if none is known.
    mutating func first() -> EncryptionKey? { untried.isEmpty ? nil : untried.removeFirst() }

    /// The next key; throws if there is no other one.
    ///
    /// A key that is said and wrong is the end, unless it is that of another database.
    ///
    /// - Parameter error: what the last key, or none, has met.
    mutating func next(after error: StoreError) throws -> EncryptionKey {
        if let unread { throw unread }
        if untried.isEmpty, let said, other == nil {
            guard let other = DatabaseKeys.current.other(than: path, with: said) else {
                throw error
            }
            self.other = other
            untried = DatabaseKeys.current.asked(for: path)
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

    /// Whether it is the key that was asked for.
    func isTyped(_ key: EncryptionKey?) -> Bool { typed != nil && typed === key }

    private static func oneKey(_ error: StoreError, _ other: String) -> ToolError {
        ToolError(
            "\(error.message); --key, --key-file and \(DatabaseKeys.variable) give one key for "
                + "both databases, which is that of \(other)", status: .cannotOpen)
    }
}

/// A key that a person types and nobody sees.
package enum KeyPrompt {
    /// Asks for the key of a database.
    static func ask(_ path: String) throws -> EncryptionKey {
        try System.withoutEcho { try EncryptionKey(typed: answer("Key of \(Text.line(path)): ")) }
    }

    /// Asks for a new key, twice, so that no slip locks anybody out.
    package static func promptTwice() throws -> EncryptionKey {
        try System.withoutEcho {
            let key = try EncryptionKey(typed: answer("New key: "))
            guard try key == EncryptionKey(typed: answer("The same again: ")) else {
                throw ToolError("the two keys are not the same; nothing was changed")
            }
            return key
        }
    }

    private static func answer(_ question: String) throws -> [UInt8] {
        StandardError.current.writePrompt(question)
        guard let line = try System.typedLine() else { throw ToolError("no key was typed") }
        return line
    }
}
