import DocumentStore
import Foundation

/// A person as a Swift type, to measure its cost compared with a document.
struct StorePerson: Codable, Sendable {
    struct Name: Codable, Equatable, Sendable {
        var first: String
        var last: String
    }

    struct Address: Codable, Equatable, Sendable {
        var street: String
        var city: String
        var state: String
        var zip: String
    }

    struct Contact: Codable, Equatable, Sendable {
        var address: Address
        var email: [String]
        var phone: [String]
        var region: String
    }

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

// Coding by hand, property by property.
extension StorePerson {
    func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.writeKey("name")
        encoder.beginDictionary()
        try encoder.write("first", name.first)
        try encoder.write("last", name.last)
        try encoder.endDictionary()
        try encoder.write("gender", gender)
        try encoder.writeKey("age")
        encoder.writeInt(age)
        try encoder.write("birthday", birthday)
        try encoder.writeKey("contact")
        try contact.write(to: &encoder)
        try encoder.write("likes", likes)
        try encoder.write("memberSince", memberSince)
        try encoder.writeKey("active")
        encoder.writeBool(active)
        try encoder.writeKey("score")
        try encoder.writeDouble(score)
        try encoder.endDictionary()
    }

    /// A document built as in an application.
    func document(_ id: String) -> MutableDocument {
        MutableDocument(
            id,
            [
                "name": ["first": .string(name.first), "last": .string(name.last)],
                "gender": .string(gender), "age": .int(Int64(age)), "birthday": .string(birthday),
                "contact": [
                    "address": [
                        "street": .string(contact.address.street),
                        "city": .string(contact.address.city),
                        "state": .string(contact.address.state),
                        "zip": .string(contact.address.zip),
                    ],
                    "email": .array(contact.email), "phone": .array(contact.phone),
                    "region": .string(contact.region),
                ],
                "likes": .array(likes), "memberSince": .string(memberSince),
                "active": .bool(active), "score": .double(score),
            ])
    }

    init(_ document: Document) {
        let name = document["name"]?.dictionary
        let contact = document["contact"]?.dictionary
        let address = contact?["address"]?.dictionary
        self.name = Name(first: name.text("first"), last: name.text("last"))
        self.contact = Contact(
            address: Address(
                street: address.text("street"), city: address.text("city"),
                state: address.text("state"), zip: address.text("zip")),
            email: contact.texts("email"), phone: contact.texts("phone"),
            region: contact.text("region"))
        let properties = document.properties
        gender = properties.text("gender")
        age = Int(document["age"]?.int ?? -1)
        birthday = properties.text("birthday")
        likes = properties.texts("likes")
        memberSince = properties.text("memberSince")
        active = document["active"]?.bool ?? false
        score = document["score"]?.double ?? 0
    }
}

extension StorePerson.Contact {
    fileprivate func write(to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.writeKey("address")
        encoder.beginDictionary()
        try encoder.write("street", address.street)
        try encoder.write("city", address.city)
        try encoder.write("state", address.state)
        try encoder.write("zip", address.zip)
        try encoder.endDictionary()
        try encoder.write("email", email)
        try encoder.write("phone", phone)
        try encoder.write("region", region)
        try encoder.endDictionary()
    }
}

extension MutableFleeceValue {
    fileprivate static func array(_ texts: [String]) -> MutableFleeceValue {
        .array(MutableFleeceArray(texts.lazy.map { .string($0) }))
    }
}

extension FleeceEncoder {
    fileprivate mutating func write(_ key: String, _ text: String) throws {
        try writeKey(key)
        writeString(text)
    }

    fileprivate mutating func write(_ key: String, _ texts: [String]) throws {
        try writeKey(key)
        beginArray()
        for text in texts { writeString(text) }
        try endArray()
    }
}

extension FleeceDictionary? {
    fileprivate func text(_ key: String) -> String { self?[key]?.string ?? "" }

    fileprivate func texts(_ key: String) -> [String] {
        self?[key]?.array?.map { $0.string ?? "" } ?? []
    }
}
