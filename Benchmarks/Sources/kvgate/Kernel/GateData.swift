import BenchmarkGate
import DocumentStore
import Foundation
import SampleData

/// The people used by kernels: always the same ones, of about 390 bytes of JSON each.
struct GateData {
    static let count = 1000
    /// The properties of each, in order.
    static let properties = [
        "_id", "name", "gender", "age", "birthday", "contact", "likes", "memberSince", "active",
        "score",
    ]

    /// The people's JSON, with the property `_id`.
    let people = Array(People(count: count))

    /// The JSON without `_id`, which documents cannot have.
    var bodies: [String] {
        people.map { person in
            "{" + person[person.utf8.index(after: Self.end(of: ",", in: person))...]
        }
    }

    var ids: [String] { people.map { Self.text(after: #""_id":""#, in: $0) } }
    var states: [String] { people.map { Self.text(after: #""state":""#, in: $0) } }
    /// The first phone number of each.
    var phones: [String] { people.map { Self.text(after: #""phone":[""#, in: $0) } }
    var ages: [Int] { people.map { Int(Self.text(after: #""age":"#, in: $0)) ?? -1 } }
    var genders: [String] { people.map { Self.text(after: #""gender":""#, in: $0) } }
    var activeCount: Int { people.count { $0.contains(#""active":true,"#) } }
    /// The last property of each.
    var scores: [Double] {
        people.map { Double(Self.text(after: #""score":"#, in: $0).dropLast()) ?? -1 }
    }
    var ageSum: Int { ages.reduce(0, +) }

    /// All indices of people, each once, in a scattered order.
    static var shuffled: [Int] {
        var random = SeededGenerator(seed: 4)
        var numbers = Array(0..<count)
        for index in 0..<count { numbers.swapAt(index, index + random.below(count - index)) }
        return numbers
    }

    /// The characters from after a marker to the next quotation mark or comma.
    ///
    /// The text is parsed here without the engine, so that its results can be compared with it.
    private static func text(after mark: String, in person: String) -> String {
        guard let range = person.range(of: mark) else { return "" }
        return String(person[range.upperBound...].prefix { $0 != "\"" && $0 != "," })
    }

    private static func end(of mark: Character, in person: String) -> String.Index {
        person.firstIndex(of: mark) ?? person.startIndex
    }
}

// The people as Fleece.
extension GateData {
    /// One document that is an array of all people.
    func array(sharedKeys: Bool) throws -> FleeceDocument {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys ? SharedKeys() : nil)
        try encoder.writeJSON("[\(people.joined(separator: ","))]")
        let bytes = try encoder.finish()
        return try FleeceDocument(
            trusted: bytes, sharedKeys: encoder.sharedKeys ?? SharedKeys())
    }

    /// A document of each person.
    func documents() throws -> [[UInt8]] {
        var encoder = FleeceEncoder()
        return try people.map {
            try encoder.writeJSON($0)
            return try encoder.finish()
        }
    }
}

// The people as records.
extension GateData {
    static let store = KeyStore(.default)
    static let collection = DocumentCollection(.default)

    /// A new file.
    static func makeFile(_ name: String, in place: Kernel.Place) throws -> DataFile {
        var options = DataFileOptions(access: .create)
        // Maintenance runs at unpredictable times.
        options.maintenance = false
        return try DataFile(path: "\(place.directory)/\(name).cblite2", options: options)
    }

    /// A new file that contains all people.
    func filledFile(_ name: String, in place: Kernel.Place) throws -> DataFile {
        let file = try Self.makeFile(name, in: place)
        try file.write { transaction in
            for (id, body) in zip(ids, bodies) {
                _ = try Self.collection.save(id, in: transaction) { try $0.writeJSON(body) }
            }
        }
        return file
    }

    /// Checks that a file contains the first `count` people, and nothing else.
    func verify(_ file: DataFile, holds count: Int) throws {
        let (ids, bodies) = (ids, bodies)
        try file.read { snapshot in
            let found = try Self.collection.count(in: snapshot)
            guard found == (count, 0) else {
                throw GateError("\(found.live) documents, and not \(count)")
            }
            for number in 0..<count {
                let document = try Self.collection.get(ids[number], in: snapshot)
                guard let body = document?.body else {
                    throw GateError("\(ids[number]) is missing")
                }
                try Self.requireSame(try body.root.json(), bodies[number])
            }
        }
    }

    /// Checks that two JSON texts are equal, as read by Foundation.
    static func requireSame(_ json: String, _ expected: String) throws {
        let texts = try [json, expected].map { text in
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            return try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        }
        guard texts[0] == texts[1] else { throw GateError("\(json) is not \(expected)") }
    }
}
