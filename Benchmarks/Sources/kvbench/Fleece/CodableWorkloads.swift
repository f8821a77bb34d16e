import FleeceLite
import Foundation

/// A struct to Fleece and back, beside Foundation's coders of JSON.
enum CodableWorkloads {
    struct Person: Codable {
        var _id: String
        var name: StorePerson.Name
        var gender: String
        var age: Int
        var birthday: String
        var contact: StorePerson.Contact
        var likes: [String]
        var memberSince: String
        var active: Bool
        var score: Double
    }

    private static let count = 2000

    private static func people() throws -> [Person] {
        let decoder = JSONDecoder()
        return try BenchmarkData.small.prefix(count).map {
            try decoder.decode(Person.self, from: Data($0))
        }
    }

    static func groups() -> [[Workload]] {
        [
            [encodeJSON]
                + [encodeFleece, encodeFleeceSharedKeys].map { $0.beside(encodeJSON.name) },
            [decodeJSON] + [decodeFleece, decodeShared].map { $0.beside(decodeJSON.name) },
        ]
    }

    private final class Box {
        var encoder: FleeceEncoder

        init(_ keys: SharedKeys?) {
            encoder = FleeceEncoder(sharedKeys: keys)
        }
    }

    private static func encode(_ name: String, _ keys: SharedKeys?) -> Workload {
        Workload(name) {
            let people = try people()
            let box = Box(keys)
            return Workload.Prepared(.items(people.count)) {
                try people.reduce(0) {
                    try box.encoder.encode($1)
                    return $0 + (try box.encoder.finish().count)
                }
            }
        }
    }

    private static var encodeFleece: Workload { encode("Codable to Fleece", nil) }

    private static var encodeFleeceSharedKeys: Workload {
        encode("Codable to Fleece, shared keys", SharedKeys())
    }

    private static var encodeJSON: Workload {
        Workload("Codable to JSON, JSONEncoder", isPeer: true) {
            let people = try people()
            let encoder = JSONEncoder()
            return Workload.Prepared(.items(people.count)) {
                try people.reduce(0) { $0 + (try encoder.encode($1).count) }
            }
        }
    }

    private static func decode(_ name: String, shared: Bool) -> Workload {
        Workload(name) {
            var keys = SharedKeys()
            let documents = try BenchmarkData.small.prefix(count).map { json in
                let (bytes, after) = try BenchmarkData.fleece(
                    json, sharedKeys: shared ? keys : nil)
                if shared { keys = after }
                return bytes
            }
            let values = try documents.map {
                try FleeceDocument(trusted: $0, sharedKeys: keys).root
            }
            let decoder = FleeceRowDecoder()
            return Workload.Prepared(.items(values.count)) {
                try values.reduce(0) {
                    $0 + (try decoder.decode(Person.self, from: $1).likes.count)
                }
            }
        }
    }

    private static var decodeFleece: Workload { decode("Codable from Fleece", shared: false) }

    private static var decodeShared: Workload {
        decode("Codable from Fleece, shared keys", shared: true)
    }

    private static var decodeJSON: Workload {
        Workload("Codable from JSON, JSONDecoder", isPeer: true) {
            let documents = BenchmarkData.small.prefix(count).map { Data($0) }
            let decoder = JSONDecoder()
            return Workload.Prepared(.items(documents.count)) {
                try documents.reduce(0) {
                    $0 + (try decoder.decode(Person.self, from: $1).likes.count)
                }
            }
        }
    }
}
