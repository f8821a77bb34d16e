internal import SQLPlus

/// The source of a database's key.
package enum KeySource: Hashable, Sendable {
    /// The command line.
    case typed(HiddenKey)
    /// A file; `showsWarnings` tells whether to warn about a file that other users can read.
    case file(String, showsWarnings: Bool = true)
    /// An environment variable.
    case variable(String)

    /// Returns the variable as source if it is set.
    package static func environment(_ name: String) -> KeySource? {
        System.environment(name) == nil ? nil : .variable(name)
    }

    /// Reads the key.
    ///
    /// - Throws: an error for an invalid key, or a file that cannot be read.
    func read() throws -> EncryptionKey {
        switch self {
        case .typed(let key): try EncryptionKey(typed: Array(key.text.utf8))
        case .file(let path, let showsWarnings):
            try EncryptionKey(
                typed: KeyFile.contents(of: path, showsWarnings: showsWarnings), in: path)
        case .variable(let name):
            try EncryptionKey(typed: Array((System.environment(name) ?? "").utf8), in: name)
        }
    }
}

extension EncryptionKey {
    /// Creates a key from user input: text, including `x'…'` for a raw key, or other bytes as a
    /// passphrase.
    ///
    /// - Parameter origin: the source, for messages.
    convenience init(typed bytes: [UInt8], in origin: String? = nil) throws {
        do {
            if let text = String(validating: bytes, as: UTF8.self) {
                try self.init(text)
            } else {
                try self.init(passphrase: bytes)
            }
        } catch let error as EncryptionError {
            throw ToolError("\(origin.map { $0 + ": " } ?? "")\(error)", status: .usage)
        }
    }
}

/// A file that contains only a secret.
package enum SecretFile {
    /// Reads a password or a token, without the line ending that editors add.
    package static func text(of path: String) throws -> String {
        let bytes = try KeyFile.contents(of: path, showsWarnings: true)
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw ToolError("\(Text.line(path)) is empty or not UTF-8", status: .usage)
        }
        return text
    }
}

/// A file that contains only a key.
enum KeyFile {
    /// The maximum size of a key file.
    private static let maximum = 1 << 16

    /// Reads the key, without the line ending that editors add.
    ///
    /// - Parameter showsWarnings: whether to warn about a file that other users can read.
    static func contents(of path: String, showsWarnings: Bool) throws -> [UInt8] {
        var bytes = try InputFile.contents(of: path, maximum: maximum)
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        if showsWarnings, System.isReadableByOthers(path) {
            StandardError.current.write(
                "note: other users can read the key in \(path); restrict it with chmod 600")
        }
        return bytes
    }
}
