import Foundation

/// The size of a file in bytes, nil if there is none.
enum FileSize {
    static func of(_ path: String) -> Int? {
        try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }
}
