import DocumentStore
import Foundation

/// Lookup and iteration in the people of the reference file, 21 properties each.
enum ReadingWorkloads {
    private static let keyCount = keys.count
    private static let keys = ["name", "age", "email", "latitude", "tags", "_id"]

    /// The people as read by Foundation, which determines the expected results.
    private static func parsed() throws -> [[String: Any]] {
        let value = try JSONSerialization.jsonObject(with: Data(BenchmarkData.people))
        return value as? [[String: Any]] ?? []
    }

    /// The number of keys that the people have.
    private static func found() throws -> Int {
        try parsed().reduce(0) { sum, person in sum + keys.count { person[$0] != nil } }
    }

    static func all() -> [Workload] {
        [false, true].flatMap { lookups(shared: $0) } + [iteration, foundation]
    }

    private static func people(shared: Bool) throws -> FleeceDocument {
        let (bytes, keys) = try BenchmarkData.fleece(
            BenchmarkData.people, sharedKeys: shared ? SharedKeys() : nil)
        return try FleeceDocument(trusted: bytes, sharedKeys: keys)
    }

    private static func lookups(shared: Bool) -> [Workload] {
        let end = shared ? ", shared keys" : ""
        return [
            Workload("lookup in a view by string\(end)") {
                let document = try people(shared: shared)
                return try lookups(in: document) { root in
                    var sum = 0
                    root.forEachElement { element in
                        guard let person = element.dictionary else { return }
                        if case .some = person["name"] { sum &+= 1 }
                        if case .some = person["age"] { sum &+= 1 }
                        if case .some = person["email"] { sum &+= 1 }
                        if case .some = person["latitude"] { sum &+= 1 }
                        if case .some = person["tags"] { sum &+= 1 }
                        if case .some = person["_id"] { sum &+= 1 }
                    }
                    return sum
                }
            },
            Workload("lookup in a view by prepared key\(end)") {
                let document = try people(shared: shared)
                let prepared = PreparedKeys()
                return try lookups(in: document) { root in
                    var keys = prepared
                    var sum = 0
                    root.forEachElement { element in
                        if let person = element.dictionary { sum &+= keys.sum(of: person) }
                    }
                    return sum
                }
            },
            Workload("lookup in a handle by string\(end)") {
                let document = try people(shared: shared)
                let (count, expected) = (document.root.array?.count ?? 0, try found())
                return Workload.Prepared(.items(count * keyCount)) {
                    var found = 0
                    // The iteration is included, as it is with views.
                    guard let people = document.root.array else { return -1 }
                    for element in people {
                        guard let person = element.dictionary else { continue }
                        if case .some = person["name"] { found &+= 1 }
                        if case .some = person["age"] { found &+= 1 }
                        if case .some = person["email"] { found &+= 1 }
                        if case .some = person["latitude"] { found &+= 1 }
                        if case .some = person["tags"] { found &+= 1 }
                        if case .some = person["_id"] { found &+= 1 }
                    }
                    return try Recount.require(found, expected, "lookup in a handle")
                }
            },
        ]
    }

    private struct PreparedKeys {
        var name = FleeceKey("name")
        var age = FleeceKey("age")
        var email = FleeceKey("email")
        var latitude = FleeceKey("latitude")
        var tags = FleeceKey("tags")
        var id = FleeceKey("_id")

        mutating func sum(of person: UnsafeFleeceDictionary) -> Int {
            var sum = person.value(&name) == nil ? 0 : 1
            sum &+= person.value(&age) == nil ? 0 : 1
            sum &+= person.value(&email) == nil ? 0 : 1
            sum &+= person.value(&latitude) == nil ? 0 : 1
            sum &+= person.value(&tags) == nil ? 0 : 1
            sum &+= person.value(&id) == nil ? 0 : 1
            return sum
        }
    }

    /// A pass over all people; the iteration over the array is included.
    private static func lookups(
        in document: FleeceDocument, _ pass: @escaping (UnsafeFleeceValue) -> Int
    ) throws -> Workload.Prepared {
        let (count, expected) = (document.root.array?.count ?? 0, try found())
        return Workload.Prepared(.items(count * keyCount)) {
            try Recount.require(document.withUnsafeRoot(pass), expected, "lookup in a view")
        }
    }

    private static var iteration: Workload {
        Workload("iteration over a dictionary in a view, an entry") {
            let document = try people(shared: false)
            let people = try parsed()
            let entries = people.reduce(0) { $0 + $1.count }
            let expected = people.reduce(0) { sum, person in
                person.reduce(sum) { $0 + $1.key.utf8.count + ($1.value is NSNull ? 1 : 0) }
            }
            return Workload.Prepared(.items(entries)) {
                let sum = document.withUnsafeRoot { root in
                    var sum = 0
                    root.forEachElement { person in
                        person.dictionary?.forEachPair { key, value in
                            sum &+= key.count
                            if value.isNull { sum &+= 1 }
                        }
                    }
                    return sum
                }
                return try Recount.require(sum, expected, "iteration over a dictionary")
            }
        }
    }

    private static var foundation: Workload {
        Workload("lookup in JSONSerialization's dictionary", isPeer: true) {
            let (people, expected) = (try parsed(), try found())
            return Workload.Prepared(.items(people.count * keyCount)) {
                var found = 0
                for person in people {
                    if case .some = person["name"] { found &+= 1 }
                    if case .some = person["age"] { found &+= 1 }
                    if case .some = person["email"] { found &+= 1 }
                    if case .some = person["latitude"] { found &+= 1 }
                    if case .some = person["tags"] { found &+= 1 }
                    if case .some = person["_id"] { found &+= 1 }
                }
                return try Recount.require(found, expected, "lookup in JSONSerialization's")
            }
        }
    }
}
