internal import SQLPlus

/// Where it is said what the key of a database is.
package enum KeySource: Hashable, Sendable {
    /// On the command line itself.
    case typed(HiddenKey)
    /// In a file; whether it is told of one that others can read.
    case file(String, showsWarnings: Bool = true)
    /// In a variable of the environment.
    case variable(String)

    /// A variable, if it is set.
    package static func environment(_ name: String) -> KeySource? {
        System.environment(name) == nil ? nil : .variable(name)
    }

    /// The key that it says.
    ///
    /// Throws for one that cannot be a key, and for a file that cannot be read.
    func read() throws -> EncryptionKey {
        switch self {
        case .typed(let key): try EncryptionKey(typed: Array(key.text.utf8))
        case .file(let path, let showsWarnings):
            try EncryptionKey(typed: KeyFile.contents(of: path, showsWarnings: showsWarnings), in: path)
        case .variable(let name):
            try EncryptionKey(typed: Array((System.environment(name) ?? "").utf8), in: name)
        }
    }
}

extension EncryptionKey {
    /// A key as people have it: a text, of which `x'…'` is a raw key, or any other bytes.
    ///
    /// - Parameter place: what it stands in, for messages.
    convenience init(typed bytes: [UInt8], in place: String? = nil) throws {
        do {
            if let text = String(validating: bytes, as: UTF8.self) {
                try self.init(text)
            } else {
                try self.init(passphrase: bytes)
            }
        } catch let error as EncryptionError {
            throw ToolError("\(place.map { $0 + ": " } ?? "")\(error)", status: .usage)
        }
    }
}

/// A file that holds a key and nothing else.
enum KeyFile {
    /// No key is longer.
    private static let maximum = 1 << 16

    /// The bytes, without the one line's end that editors put behind a text.
    ///
    /// - Parameter showsWarnings: whether it is told of a file that others can read.
    static func contents(of path: String, showsWarnings: Bool) throws -> [UInt8] {
        var bytes = try InputFile.contents(of: path, maximum: maximum)
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        if showsWarnings, System.isReadableByOthers(path) {
            StandardError.current.write(
                "note: others can read the key in \(path); chmod 600 hides it")
        }
        return bytes
    }
}
