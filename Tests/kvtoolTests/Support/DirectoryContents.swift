import Foundation

/// The files of a directory, also those in its directories, and their bytes.
struct DirectoryContents: Equatable, CustomStringConvertible {
    private let files: [String: Data]

    init(_ path: String) throws {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
            files[name] =
                isDirectory.boolValue
                ? Data() : try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
        }
        self.files = files
    }

    var names: [String] { files.keys.sorted() }

    subscript(name: String) -> Data? { files[name] }

    /// Names, sizes and checksums: enough to see in a failed comparison what has changed.
    var description: String {
        names.map { name in
            let bytes = files[name] ?? Data()
            let sum = bytes.reduce(UInt32(0)) { ($0 << 5 | $0 >> 27) ^ UInt32($1) }
            return "\(name) \(bytes.count) \(sum)"
        }.joined(separator: ", ")
    }
}
