internal import SQLPlus

/// A key that a person types and nobody sees.
enum KeyPrompt {
    /// Asks for the key of a database.
    static func ask(_ path: String) throws -> EncryptionKey {
        try System.withoutEcho { try EncryptionKey(typed: answer("Key of \(Text.line(path)): ")) }
    }

    /// Asks for a new key, twice, so that no slip locks anybody out.
    static func askTwice() throws -> EncryptionKey {
        try System.withoutEcho {
            let key = try EncryptionKey(typed: answer("New key: "))
            guard try key == EncryptionKey(typed: answer("The same again: ")) else {
                throw ToolError("the two keys are not the same; nothing was changed")
            }
            return key
        }
    }

    private static func answer(_ question: String) throws -> [UInt8] {
        StandardError.writePrompt(question)
        guard let line = try System.typedLine() else { throw ToolError("no key was typed") }
        return line
    }
}
