internal import KVToolCore
internal import NIOHTTP1

/// A file with bytes of a client, which exists as long as the value.
final class RequestFile: Sendable {
    let path: String

    /// - Parameter ending: the ending of the name, which tells the form.
    /// - Throws: `BadRequest` if it cannot be written.
    init(_ bytes: [UInt8], ending: String) throws {
        do {
            path = try TemporaryFile.create(bytes, name: "request.\(ending)")
        } catch let error as ToolError {
            throw BadRequest(.insufficientStorage, error.message)
        }
    }

    deinit { System.remove(path) }
}
