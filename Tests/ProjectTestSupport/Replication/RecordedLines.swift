internal import CZlib
internal import Foundation

/// The lines of a file of JSON, which may be compressed by gzip and have the extension `gz` then.
package struct RecordedLines {
    private let bytes: Data

    struct Missing: Error {
        let path: String
    }

    /// Reads a file.
    ///
    /// - Throws: an error if there is none, neither with the extension `gz`.
    package init(_ path: String) throws {
        // zlib reads files that are not compressed, too.
        guard let file = gzopen(path, "rb") ?? gzopen(path + ".gz", "rb") else {
            throw Missing(path: path)
        }
        defer { gzclose(file) }
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = gzread(file, &part, UInt32(part.count))
            guard count >= 0 else { throw Missing(path: path) }
            guard count > 0 else { break }
            bytes += part[..<Int(count)]
        }
        self.bytes = bytes
    }

    /// The lines.
    package var strings: [String] {
        bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> [T] {
        let decoder = JSONDecoder()
        return try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            try decoder.decode(type, from: line)
        }
    }
}
