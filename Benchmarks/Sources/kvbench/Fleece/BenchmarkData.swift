import DocumentStore
import Foundation
import SampleData

/// The input of the workloads.
enum BenchmarkData {
    /// The reference file of 1,000 people, or synthetic ones if it is not available.
    static let people: [UInt8] = {
        let directory =
            ProcessInfo.processInfo.environment["STORE_GOLDEN"] ?? "../shared/golden"
        if let file = FileManager.default.contents(atPath: "\(directory)/fleece/1000people.json") {
            return [UInt8](file)
        }
        print("no 1000people.json in \(directory)/fleece: synthetic people instead")
        return [UInt8]("[\(Array(People(count: 3000)).joined(separator: ","))]".utf8)
    }()

    /// Documents of about 390 bytes.
    static let small: [[UInt8]] = People(count: 20_000).map { [UInt8]($0.utf8) }

    static func fleece(
        _ json: [UInt8], sharedKeys: SharedKeys? = nil
    ) throws -> (bytes: [UInt8], sharedKeys: SharedKeys) {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys)
        try json.withUnsafeBytes { _ = try encoder.writeJSON($0) }
        let bytes = try encoder.finish()
        return (bytes, encoder.sharedKeys ?? SharedKeys())
    }
}
