// The names that examples of the query builder use, in addition to those of all examples.
import DocumentStore
import Foundation

struct Voyage: Codable, Sendable {
    struct Port: Codable, Sendable, Equatable {
        var city: String
        var country: String?
    }

    var ship: String
    var captain: String?
    var days: Int
    var mostDays: Int
    var budget: Double
    var departed: Date
    var origin: Port
    var stops: [Port]
    var costs: [Double]
    var crew: [String: Int]
    var isOver: Bool
    var isPaid: Bool
    var notes: String?
}

struct Invoice: Codable, Sendable {
    struct Customer: Codable, Sendable { var name: String }

    var number: Int
    var customer: Customer
}

enum Currency: String, Codable, Sendable { case euro, pound }

var voyages: TypedCollection<Voyage> { never() }
