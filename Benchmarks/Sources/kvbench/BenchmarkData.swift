import Foundation
import SampleData

/// What the workloads work on.
struct BenchmarkData {
    /// The reference's file of 1,000 people, or made-up ones where it is not at hand.
    let people: [UInt8]
    let peopleName: String
    /// Documents of about 390 bytes.
    let small: [[UInt8]]

    init() {
        (people, peopleName) = Self.loadPeople()
        small = People(count: 20_000).map { [UInt8]($0.utf8) }
    }

    static func loadPeople() -> (bytes: [UInt8], name: String) {
        let folder =
            ProcessInfo.processInfo.environment["STORE_GOLDEN"] ?? "../../shared/golden"
        if let file = FileManager.default.contents(atPath: "\(folder)/fleece/1000people.json") {
            return ([UInt8](file), "1000people.json")
        }
        let people = Array(People(count: 3000)).joined(separator: ",")
        return ([UInt8]("[\(people)]".utf8), "3000 made-up people")
    }
}
