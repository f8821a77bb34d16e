import DataFileCore
import Foundation

/// What the tests of the builder ask about.
enum Rank: String, Codable, Sendable {
    case private_ = "private", major, general
}

struct FullName: Codable, Sendable, Equatable {
    var first: String
    var last: String

    enum CodingKeys: String, CodingKey {
        case first = "given"
        case last
    }
}

struct Address: Codable, Sendable {
    var city: String
    var zip: String?
}

struct Visit: Codable, Sendable {
    var place: String
    var days: Int
}

struct Guest: Codable, Sendable {
    var name: FullName
    var age: Int
    var limit: Int
    var nick: String?
    var isMember: Bool
    var hasPaid: Bool
    var rank: Rank
    var address: Address?
    var likes: [String]
    var visits: [Visit]?
    var scores: [String: Int]
    var height: Double
    var born: Date
    var key: UUID
    var page: URL?
    var balance: Decimal
    var photo: Data?

    enum CodingKeys: String, CodingKey {
        case name, age, limit, rank, address, likes, visits, scores, height, born, key, page
        case balance, photo
        case nick = "nick name"
        case isMember = "member"
        case hasPaid = "paid"
    }

    /// Stored, under another name.
    var surname: String { name.last }
    /// Stored nowhere.
    var shout: String { name.last.uppercased() }
    /// The same for all.
    var species: String { "human" }

    init(_ first: String, _ last: String, age: Int) {
        name = FullName(first: first, last: last)
        self.age = age
        limit = 50
        isMember = age > 40
        hasPaid = false
        rank = .major
        likes = []
        scores = [:]
        height = 1.75
        born = Date(timeIntervalSince1970: Double(age))
        key = UUID()
        balance = 0
    }
}

struct Order: Codable, Sendable {
    var guest: String
    var total: Double
    var items: [String]
}

extension DocumentCollection {
    static var guests: TypedCollection<Guest> {
        get throws { DocumentCollection(try CollectionName("guests")).of(Guest.self) }
    }

    static var orders: TypedCollection<Order> {
        get throws { DocumentCollection(try CollectionName("shop.orders")).of(Order.self) }
    }
}
