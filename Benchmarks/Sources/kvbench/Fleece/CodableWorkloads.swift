import DocumentStore
import Foundation

/// A struct to Fleece and back, compared with Foundation's JSON coders.
enum CodableWorkloads {
    struct Person: Codable, Equatable {
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
            let expected = try size(of: people, box)
            return Workload.Prepared(.items(people.count)) {
                let sum = try people.reduce(0) {
                    try box.encoder.encode($1)
                    return $0 + (try box.encoder.finish().count)
                }
                return try Recount.require(sum, expected, name)
            }
        }
    }

    /// The total bytes of the people, which must be read back as equal.
    private static func size(of people: [Person], _ box: Box) throws -> Int {
        // The first run adds the shared keys.
        for person in people {
            try box.encoder.encode(person)
            _ = try box.encoder.finish()
        }
        return try people.reduce(0) { sum, person in
            try box.encoder.encode(person)
            let bytes = try box.encoder.finish()
            let keys = box.encoder.sharedKeys ?? SharedKeys()
            let root = try FleeceDocument(trusted: bytes, sharedKeys: keys).root
            try requireSame(FleeceRowDecoder().decode(Person.self, from: root), person)
            return sum + bytes.count
        }
    }

    private static func requireSame(_ found: Person, _ expected: Person) throws {
        guard found == expected else {
            throw BenchmarkError(message: "\(found._id) is read as another person")
        }
    }

    private static var encodeFleece: Workload { encode("Codable to Fleece", nil) }

    private static var encodeFleeceSharedKeys: Workload {
        encode("Codable to Fleece, shared keys", SharedKeys())
    }

    private static var encodeJSON: Workload {
        Workload("Codable to JSON, JSONEncoder", isPeer: true) {
            let people = try people()
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            let expected = try people.reduce(0) { sum, person in
                let json = try encoder.encode(person)
                try requireSame(decoder.decode(Person.self, from: json), person)
                return sum + json.count
            }
            return Workload.Prepared(.items(people.count)) {
                let sum = try people.reduce(0) { $0 + (try encoder.encode($1).count) }
                return try Recount.require(sum, expected, "Codable to JSON")
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
            let sharedKeys = keys
            let decoder = FleeceRowDecoder()
            let people = try people()
            let expected = likeCount(people)
            for (bytes, person) in zip(documents, people) {
                let root = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys).root
                try requireSame(decoder.decode(Person.self, from: root), person)
            }
            // The documents are opened here, since JSONDecoder has to parse its input first.
            return Workload.Prepared(.items(documents.count)) {
                let sum = try documents.reduce(0) {
                    let root = try FleeceDocument(trusted: $1, sharedKeys: sharedKeys).root
                    return $0 + (try decoder.decode(Person.self, from: root).likes.count)
                }
                return try Recount.require(sum, expected, name)
            }
        }
    }

    private static func likeCount(_ people: [Person]) -> Int {
        people.reduce(0) { $0 + $1.likes.count }
    }

    private static var decodeFleece: Workload { decode("Codable from Fleece", shared: false) }

    private static var decodeShared: Workload {
        decode("Codable from Fleece, shared keys", shared: true)
    }

    private static var decodeJSON: Workload {
        Workload("Codable from JSON, JSONDecoder", isPeer: true) {
            let documents = BenchmarkData.small.prefix(count).map { Data($0) }
            let decoder = JSONDecoder()
            let expected = try likeCount(people())
            return Workload.Prepared(.items(documents.count)) {
                let sum = try documents.reduce(0) {
                    $0 + (try decoder.decode(Person.self, from: $1).likes.count)
                }
                return try Recount.require(sum, expected, "Codable from JSON")
            }
        }
    }
}
