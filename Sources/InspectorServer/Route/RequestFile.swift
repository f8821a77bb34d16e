internal import KVToolCore

/// A file with bytes of a client, which exists as long as the value.
final class RequestFile: Sendable {
    let path: String

    /// - Parameter ending: the ending of the name, which tells the form.
    init(_ bytes: [UInt8], ending: String) throws {
        path = try TemporaryFile.create(bytes, name: "request.\(ending)")
    }

    deinit { System.remove(path) }
}
