import DataFileCore
import Foundation
import QueryBuilder
import Testing

/// Writes what it has in containers of its own choice.
private struct Station: Codable, Sendable {
    var title: String
    var latitude: Double
    var longitude: Double
    var isOpen: Bool
    var isStaffed: Bool

    private enum Keys: String, CodingKey { case title, place, flags }
    private enum PlaceKeys: String, CodingKey { case latitude = "lat", longitude = "lon" }

    init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: Keys.self)
        title = try all.decode(String.self, forKey: .title)
        let place = try all.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
        latitude = try place.decode(Double.self, forKey: .latitude)
        longitude = try place.decode(Double.self, forKey: .longitude)
        let flags = try all.decode([String: Bool].self, forKey: .flags)
        isOpen = flags["open"] ?? false
        isStaffed = flags["staffed"] ?? false
    }

    func encode(to encoder: any Encoder) throws {
        var all = encoder.container(keyedBy: Keys.self)
        try all.encode(title, forKey: .title)
        var place = all.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
        try place.encode(latitude, forKey: .latitude)
        try place.encode(longitude, forKey: .longitude)
        try all.encode(["open": isOpen, "staffed": isStaffed], forKey: .flags)
    }
}

private struct Comment: Codable, Sendable {
    var text: String
    var replies: [Comment]
    var pinned: Pin?
}

private final class Pin: Codable, Sendable {
    let color: String
    let next: Pin?
}

private enum Shape: Codable, Sendable, Equatable {
    case circle(radius: Double)
    case square(side: Double)
}

private enum Level: Int, Codable, Sendable { case low = 7, high = 70 }

/// Accepts only strings with an `@`.
private struct Mail: Codable, Sendable {
    var text: String

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.contains("@") else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no mail"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

private struct Mixed: Codable, Sendable {
    var shape: Shape
    var level: Level
    var mail: Mail
    var byte: Int8
    var wide: UInt64
    var seconds: Date
    var amount: Decimal
    var bytes: Data?
    var set: Set<String>
    var pairs: [String: FullName]
    var a: Bool, b: Bool, c: Bool, d: Bool, e: Bool, f: Bool, g: Bool, h: Bool, i: Bool, j: Bool
}

/// Takes nothing that can be guessed.
private struct Color: Codable, Sendable, Equatable {
    var name: String

    init(_ name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
        guard ["red", "blue"].contains(name) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no color"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

private struct Wall: Codable, Sendable {
    var color: Color
    var width: Int
}

private struct Sampled: Codable, Sendable, QuerySampled {
    var color: Color
    var width: Int

    static var querySamples: [Sampled] {
        [Sampled(color: Color("red"), width: 1), Sampled(color: Color("blue"), width: 2)]
    }
}

private struct Mapped: Codable, Sendable, QueryMapped {
    var color: Color
    var width: Int

    static var queryPaths: [PartialKeyPath<Mapped>: String] {
        [\.color: "paint.color", \.width: "w"]
    }
}

/// Writes a date in a form of its own.
private struct Event: Codable, Sendable {
    var title: String
    var start: Date

    init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: CodingKeys.self)
        title = try all.decode(String.self, forKey: .title)
        start = Date(timeIntervalSince1970: try all.decode(Double.self, forKey: .start))
    }

    func encode(to encoder: any Encoder) throws {
        var all = encoder.container(keyedBy: CodingKeys.self)
        try all.encode(title, forKey: .title)
        try all.encode(start.timeIntervalSince1970, forKey: .start)
    }

    private enum CodingKeys: String, CodingKey { case title, start }
}

@Suite("Typed queries: property paths of key paths")
struct QueryBuilderPathTests {
    /// The path that a key path stands for.
    private func path<Root, Value>(
        _ keyPath: KeyPath<QueryTerm<Root>, QueryTerm<Value>>
    ) throws -> String {
        let query = from(DocumentCollection(.default).of(Root.self)).select(keyPath)
        let text = try query.sqlPlusPlus
        return text.replacing("SELECT doc.", with: "").replacing(" FROM _ AS doc", with: "")
    }

    private func message(_ body: () throws -> String) -> String {
        do {
            return "no error: \(try body())"
        } catch {
            return "\(error)"
        }
    }

    @Test("coding keys, nested structures, optional properties, all kinds of values")
    func codingKeys() throws {
        #expect(try path(\QueryTerm<Guest>.name) == "name")
        #expect(try path(\QueryTerm<Guest>.name.first) == "name.given")
        #expect(try path(\QueryTerm<Guest>.name.last) == "name.last")
        #expect(try path(\QueryTerm<Guest>.nick) == "`nick name`")
        #expect(try path(\QueryTerm<Guest>.isMember) == "member")
        #expect(try path(\QueryTerm<Guest>.hasPaid) == "paid")
        #expect(try path(\QueryTerm<Guest>.rank) == "rank")
        #expect(try path(\QueryTerm<Guest>.address) == "address")
        #expect(try path(\QueryTerm<Guest>.address.city) == "address.city")
        #expect(try path(\QueryTerm<Guest>.address.zip) == "address.zip")
        #expect(try path(\QueryTerm<Guest>.likes) == "likes")
        #expect(try path(\QueryTerm<Guest>.visits) == "visits")
        #expect(try path(\QueryTerm<Guest>.scores) == "scores")
        #expect(try path(\QueryTerm<Guest>.height) == "height")
        #expect(try path(\QueryTerm<Guest>.born) == "born")
        #expect(try path(\QueryTerm<Guest>.key) == "key")
        #expect(try path(\QueryTerm<Guest>.page) == "page")
        #expect(try path(\QueryTerm<Guest>.balance) == "balance")
        #expect(try path(\QueryTerm<Guest>.photo) == "photo")
        #expect(try path(\QueryTerm<Guest>.[property: \.name.last]) == "name.last")
        #expect(try path(\QueryTerm<Guest>.[property: \.address?.city]) == "address.city")
    }

    @Test("hand-written init(from:) and encode(to:)")
    func handwritten() throws {
        #expect(try path(\QueryTerm<Station>.title) == "title")
        #expect(try path(\QueryTerm<Station>.latitude) == "place.lat")
        #expect(try path(\QueryTerm<Station>.longitude) == "place.lon")
    }

    @Test("recursive types")
    func recursive() throws {
        #expect(try path(\QueryTerm<Comment>.text) == "text")
        #expect(try path(\QueryTerm<Comment>.replies) == "replies")
        #expect(try path(\QueryTerm<Comment>.pinned.color) == "pinned.color")
        #expect(try path(\QueryTerm<Comment>.pinned.next.color) == "pinned.next.color")
    }

    @Test("enumerations, validated strings, small integers, many Booleans")
    func mixed() throws {
        #expect(try path(\QueryTerm<Mixed>.shape) == "shape")
        #expect(try path(\QueryTerm<Mixed>.level) == "level")
        #expect(try path(\QueryTerm<Mixed>.mail) == "mail")
        #expect(try path(\QueryTerm<Mixed>.mail.text) == "mail")
        #expect(try path(\QueryTerm<Mixed>.byte) == "byte")
        #expect(try path(\QueryTerm<Mixed>.wide) == "wide")
        #expect(try path(\QueryTerm<Mixed>.seconds) == "seconds")
        #expect(try path(\QueryTerm<Mixed>.amount) == "amount")
        #expect(try path(\QueryTerm<Mixed>.bytes) == "bytes")
        #expect(try path(\QueryTerm<Mixed>.set) == "set")
        #expect(try path(\QueryTerm<Mixed>.pairs) == "pairs")
        #expect(try path(\QueryTerm<Mixed>.a) == "a")
        #expect(try path(\QueryTerm<Mixed>.b) == "b")
        #expect(try path(\QueryTerm<Mixed>.c) == "c")
        #expect(try path(\QueryTerm<Mixed>.d) == "d")
        #expect(try path(\QueryTerm<Mixed>.e) == "e")
        #expect(try path(\QueryTerm<Mixed>.f) == "f")
        #expect(try path(\QueryTerm<Mixed>.g) == "g")
        #expect(try path(\QueryTerm<Mixed>.h) == "h")
        #expect(try path(\QueryTerm<Mixed>.i) == "i")
        #expect(try path(\QueryTerm<Mixed>.j) == "j")
    }

    @Test("a computed property refers to the stored one, or is an error")
    func computed() throws {
        #expect(try path(\QueryTerm<Guest>.surname) == "name.last")
        let shout = message { try path(\QueryTerm<Guest>.shout) }
        #expect(shout.contains("is not a property of the documents of Guest"), "\(shout)")
        #expect(shout.contains("it is computed"), "\(shout)")
        let species = message { try path(\QueryTerm<Guest>.species) }
        #expect(species.contains("it has the same value in all samples"), "\(species)")
        let start = message { try path(\QueryTerm<Event>.start) }
        #expect(start.contains("encoded in another form"), "\(start)")
        #expect(try path(\QueryTerm<Event>.title) == "title")
    }

    @Test("a type that rejects all samples is an error, provides samples or lists its paths")
    func refused() throws {
        let refused = message { try path(\QueryTerm<Wall>.width) }
        #expect(refused.contains("Color at color rejects all values that were tried"), "\(refused)")
        #expect(
            refused.contains("QuerySampled or CaseIterable, or Wall QueryMapped"), "\(refused)")
        #expect(try path(\QueryTerm<Sampled>.width) == "width")
        #expect(try path(\QueryTerm<Sampled>.color) == "color")
        #expect(try path(\QueryTerm<Mapped>.color) == "paint.color")
        #expect(try path(\QueryTerm<Mapped>.width) == "w")
    }
}
