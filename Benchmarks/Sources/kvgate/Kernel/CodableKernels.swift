import BenchmarkGate
import DocumentStore
import Foundation

/// Structs into Fleece and back.
enum CodableKernels {
    static var all: [Kernel] { [encoding, decoding] }

    struct Person: Codable, Equatable {
        struct Name: Codable, Equatable {
            var first: String
            var last: String
        }

        struct Address: Codable, Equatable {
            var street: String
            var zip: String
            var city: String
            var state: String
        }

        struct Contact: Codable, Equatable {
            var address: Address
            var email: [String]
            var phone: [String]
            var region: String
        }

        var _id: String
        var name: Name
        var gender: String
        var age: Int
        var birthday: String
        var contact: Contact
        var likes: [String]
        var memberSince: String
        var active: Bool
        var score: Double
    }

    private final class EncoderBox {
        var encoder = FleeceEncoder()

        func fleece(_ person: Person) throws -> [UInt8] {
            try encoder.encode(person)
            return try encoder.finish()
        }
    }

    private static func decoded(_ documents: [FleeceDocument]) throws -> [Person] {
        let decoder = FleeceRowDecoder()
        return try documents.map { try decoder.decode(Person.self, from: $0.root) }
    }

    private static func documents() throws -> [FleeceDocument] {
        try GateData().documents().map { try FleeceDocument(trusted: $0) }
    }

    private static var encoding: Kernel {
        Kernel("codable-encode", items: GateData.count, passes: 10) { _ in
            let people = try decoded(documents())
            let box = EncoderBox()
            let size = try people.reduce(0) { $0 + (try box.fleece($1).count) }
            return Kernel.Prepared(expected: size) {
                for (person, text) in zip(people, GateData().people) {
                    let document = try FleeceDocument(trusted: box.fleece(person))
                    try GateData.requireSame(try document.root.json(), text)
                }
            } pass: {
                var sum = 0
                for person in people { sum &+= try box.fleece(person).count }
                return sum
            }
        }
    }

    private static var decoding: Kernel {
        Kernel("codable-decode", items: GateData.count, passes: 10) { _ in
            let documents = try documents()
            let decoder = FleeceRowDecoder()
            return Kernel.Prepared(expected: GateData().ageSum) {
                let expected = try GateData().people.map {
                    try JSONDecoder().decode(Person.self, from: Data($0.utf8))
                }
                guard try decoded(documents) == expected else {
                    throw GateError("people differ from those of Foundation's decoder")
                }
            } pass: {
                var sum = 0
                for document in documents {
                    sum &+= try decoder.decode(Person.self, from: document.root).age
                }
                return sum
            }
        }
    }
}
