import Foundation
import SQLCore
import StoreTestSupport

/// Files as other processes see them. Opening a database file of this process and closing it would
/// release SQLite's locks, so another program does it.
enum FileCopy {
    static func copy(_ source: String, _ target: String) throws {
        let status = try ChildProcess.run(["cp", source, target]).status
        guard status == 0 else { throw SQLError(code: .inputOutput, message: "cp \(source)") }
    }

    static func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? Int) ?? 0
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: path)))
    }

    static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}

extension [UInt8] {
    /// Whether it contains these bytes.
    func contains(_ part: [UInt8]) -> Bool {
        Data(self).range(of: Data(part)) != nil
    }
}
