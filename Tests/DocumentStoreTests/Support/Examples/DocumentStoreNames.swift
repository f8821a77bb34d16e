// The names that examples in the documentation use without declaring them.
import DocumentStore
import StoreTestSupport

struct Person: Codable, Sendable, Equatable {
    struct Name: Codable, Sendable, Equatable { var first, last: String }

    var name: Name
    var age: Int
    var email: String?
    var state: String
    var likes: [String]
}

struct Order: Codable, Sendable { var customer: String, total: Double, number: Int }

/// Examples are compiled, never run.
func never<Value>() -> Value { preconditionFailure("an example was run") }

var path: String { never() }
var json: String { never() }
var bytes: [UInt8] { never() }
var id: String { never() }
var file: DataFile { never() }
var snapshot: Snapshot { never() }
var transaction: Transaction { never() }
var people: DocumentCollection { never() }
var persons: TypedCollection<Person> { never() }
var orders: TypedCollection<Order> { never() }
var document: Document { never() }
var store: KeyStore { never() }
var query: Query { never() }
var row: ResultRow { never() }
var value: FleeceValue { never() }
var fleece: FleeceDocument { never() }
var sharedKeys: SharedKeys { never() }
func show(_ values: Any...) {}
