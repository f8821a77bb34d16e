import DocumentStore
import Foundation
import SQLPlus

/// What is done with the encryption of a file when the process is killed:
/// `CrashWriter PATH rekey|encrypt|checkpoint`.
///
/// Step n ends with the form n of the file, and is said then; each goes on from the form that the
/// last kill has left, and never ends by itself.
enum EncryptionWorkload: String {
    /// Form n has the key n modulo 2.
    case rekey
    /// Odd forms are encrypted with key 1, even ones are plain.
    case encrypt
    /// Form n has transaction n, in the file: it is closed after each.
    case checkpoint

    static let keys: [EncryptionKey?] = [1, 2].map {
        try? EncryptionKey(raw: [UInt8](repeating: $0, count: 32))
    }

    func run(_ path: String) throws -> Never {
        var number = try current(path)
        CrashWriter.say("ready")
        while true {
            number += 1
            try step(number, path)
            CrashWriter.say("\(number)")
        }
    }

    private func step(_ number: Int64, _ path: String) throws {
        guard let old = Self.keys[Int(number + 1) % 2], let new = Self.keys[Int(number) % 2],
            let key = Self.keys[1]
        else { return }
        switch self {
        case .rekey: try DataFile.rekey(path: path, from: old, to: new)
        case .encrypt where number % 2 == 1: try DataFile.encrypt(path: path, key: key)
        case .encrypt: try DataFile.decrypt(path: path, key: key)
        case .checkpoint:
            let file = try Self.open(path, key)
            defer { file.close() }
            try file.write { transaction in
                for id in ["\(number % 50)", "last"] {
                    _ = try CrashWriter.documents.save(id, in: transaction) {
                        try $0.writeJSON(#"{"n": \#(number)}"#)
                    }
                }
            }
        }
    }

    /// A form that the file may have: of two that alternate the lower one.
    private func current(_ path: String) throws -> Int64 {
        switch self {
        case .rekey: return Self.opens(path, Self.keys[0]) ? 0 : 1
        case .encrypt: return Self.opens(path, nil) ? 0 : 1
        case .checkpoint:
            let file = try Self.open(path, Self.keys[1])
            defer { file.close() }
            return try file.read {
                try CrashWriter.documents.get("last", in: $0)?["n"]?.int ?? 0
            }
        }
    }

    static func open(_ path: String, _ key: EncryptionKey?) throws -> DataFile {
        var options = CrashWriter.options
        options.access = .readWrite
        options.encryption = key
        options.maintenance = false
        return try DataFile(path: path, options: options)
    }

    private static func opens(_ path: String, _ key: EncryptionKey?) -> Bool {
        guard let file = try? open(path, key) else { return false }
        file.close()
        return true
    }
}
