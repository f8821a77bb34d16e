internal import KVToolCore
internal import StorePlatform

/// A file with bytes of a client, which exists as long as the value. Others cannot read it.
final class TemporaryFile: Sendable {
    let path: String

    /// - Parameter ending: the ending of the name, which tells the form.
    init(_ bytes: [UInt8], ending: String) throws {
        let directory = System.environment("TMPDIR") ?? "/tmp"
        var template = Array("\(directory)/inspector-XXXXXX.\(ending)\0".utf8).map {
            CChar(bitPattern: $0)
        }
        let file = mkstemps(&template, Int32(ending.utf8.count + 1))
        guard file >= 0 else { throw ToolError("no file can be created in \(directory)") }
        defer { System.close(file) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try bytes.withUnsafeBytes { try System.write(file, $0) }
    }

    deinit { System.remove(path) }
}
