import FleeceLite
import Foundation

/// Lookup and iteration in the people of the reference's file, 21 properties each.
enum ReadingWorkloads {
    private static let keys = ["name", "age", "email", "latitude", "tags", "_id"]

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
                return try passes(document) { person in
                    var sum = 0
                    for key in keys where person[key] != nil { sum &+= 1 }
                    return sum
                }
            },
            Workload("lookup in a view by prepared key\(end)") {
                let document = try people(shared: shared)
                let prepared = PreparedKeys()
                return try passes(document) { prepared.sum(of: $0) }
            },
            Workload("lookup in a handle by string\(end)") {
                let document = try people(shared: shared)
                let people = document.root.array.map { $0.compactMap(\.dictionary) } ?? []
                return Workload.Prepared(.items(people.count * keys.count)) {
                    var found = 0
                    for person in people {
                        for key in keys where person[key] != nil { found &+= 1 }
                    }
                    return found
                }
            },
        ]
    }

    private final class PreparedKeys {
        var keys = (
            FleeceKey("name"), FleeceKey("age"), FleeceKey("email"), FleeceKey("latitude"),
            FleeceKey("tags"), FleeceKey("_id")
        )

        func sum(of person: UnsafeFleeceDictionary) -> Int {
            var sum = person.value(&keys.0) == nil ? 0 : 1
            sum &+= person.value(&keys.1) == nil ? 0 : 1
            sum &+= person.value(&keys.2) == nil ? 0 : 1
            sum &+= person.value(&keys.3) == nil ? 0 : 1
            sum &+= person.value(&keys.4) == nil ? 0 : 1
            sum &+= person.value(&keys.5) == nil ? 0 : 1
            return sum
        }
    }

    /// A pass over all people; the walk over the array itself is part of the time.
    private static func passes(
        _ document: FleeceDocument, _ body: @escaping (UnsafeFleeceDictionary) -> Int
    ) throws -> Workload.Prepared {
        let count = document.root.array?.count ?? 0
        return Workload.Prepared(.items(count * keys.count)) {
            document.withUnsafeRoot { root in
                var sum = 0
                root.forEachElement { sum &+= $0.dictionary.map(body) ?? 0 }
                return sum
            }
        }
    }

    private static var iteration: Workload {
        Workload("iteration over a dictionary in a view, an entry") {
            let document = try people(shared: false)
            let entries = document.root.array?.reduce(0) { $0 + ($1.dictionary?.count ?? 0) }
            return Workload.Prepared(.items(entries ?? 1)) {
                document.withUnsafeRoot { root in
                    var sum = 0
                    root.forEachElement { person in
                        person.dictionary?.forEachPair { key, value in
                            sum &+= key.count
                            if value.isNull { sum ^= 1 }
                        }
                    }
                    return sum
                }
            }
        }
    }

    private static var foundation: Workload {
        Workload("lookup in JSONSerialization's dictionary") {
            let value = try JSONSerialization.jsonObject(with: Data(BenchmarkData.people))
            let people = value as? [[String: Any]] ?? []
            return Workload.Prepared(.items(people.count * keys.count)) {
                var found = 0
                for person in people {
                    for key in keys where person[key] != nil { found &+= 1 }
                }
                return found
            }
        }
    }
}
