import BenchmarkGate
import DocumentStore

/// Fleece: lookups, walks, conversions.
enum FleeceKernels {
    static var all: [Kernel] {
        [
            lookup("lookup-string", sharedKeys: false),
            lookup("lookup-string-shared", sharedKeys: true),
            preparedLookup("lookup-key", sharedKeys: false),
            preparedLookup("lookup-key-shared", sharedKeys: true), missingLookup, handleLookup,
            scalars, iteration,
            conversion("json-to-fleece", sharedKeys: false),
            conversion("json-to-fleece-shared", sharedKeys: true), writing, validation,
        ]
    }

    /// `age`, whose values are summed, and five that are only looked up.
    private static let keyCount = 6

    private static func lookup(_ name: String, sharedKeys: Bool) -> Kernel {
        lookups(name, sharedKeys: sharedKeys) { root in
            var sum = 0
            root.forEachElement { element in
                guard let person = element.dictionary else { return }
                sum &+= Int(person["age"]?.int ?? -1)
                if case .some = person["_id"] { sum &+= 1 }
                if case .some = person["name"] { sum &+= 1 }
                if case .some = person["contact"] { sum &+= 1 }
                if case .some = person["likes"] { sum &+= 1 }
                if case .some = person["score"] { sum &+= 1 }
            }
            return sum
        }
    }

    private static func preparedLookup(_ name: String, sharedKeys: Bool) -> Kernel {
        lookups(name, sharedKeys: sharedKeys) { root in
            var keys = Keys()
            var sum = 0
            root.forEachElement { element in
                if let person = element.dictionary { sum &+= keys.sum(of: person) }
            }
            return sum
        }
    }

    private struct Keys {
        private var age = FleeceKey("age")
        private var id = FleeceKey("_id")
        private var name = FleeceKey("name")
        private var contact = FleeceKey("contact")
        private var likes = FleeceKey("likes")
        private var score = FleeceKey("score")

        mutating func sum(of person: UnsafeFleeceDictionary) -> Int {
            var sum = Int(person.value(&age)?.int ?? -1)
            if case .some = person.value(&id) { sum &+= 1 }
            if case .some = person.value(&name) { sum &+= 1 }
            if case .some = person.value(&contact) { sum &+= 1 }
            if case .some = person.value(&likes) { sum &+= 1 }
            if case .some = person.value(&score) { sum &+= 1 }
            return sum
        }
    }

    /// The iteration over the array is included.
    private static func lookups(
        _ name: String, sharedKeys: Bool, _ pass: @escaping (UnsafeFleeceValue) -> Int
    ) -> Kernel {
        Kernel(name, items: GateData.count * keyCount, passes: 50) { _ in
            let data = GateData()
            let document = try data.array(sharedKeys: sharedKeys)
            return Kernel.Prepared(
                expected: data.ageSum + (keyCount - 1) * GateData.count
            ) { document.withUnsafeRoot(pass) }
        }
    }

    /// Lookups of missing keys.
    private static var missingLookup: Kernel {
        Kernel("lookup-missing", items: GateData.count * 3, passes: 50) { _ in
            let document = try GateData().array(sharedKeys: false)
            return Kernel.Prepared(expected: GateData.count) {
                document.withUnsafeRoot { root in
                    var sum = 0
                    root.forEachElement { element in
                        guard let person = element.dictionary else { return }
                        sum &+= 1
                        if case .some = person["email"] { sum &+= 1 }
                        if case .some = person["latitude"] { sum &+= 1 }
                        if case .some = person["tags"] { sum &+= 1 }
                    }
                    return sum
                }
            }
        }
    }

    /// Lookups in values that own their document.
    private static var handleLookup: Kernel {
        Kernel("lookup-handle", items: GateData.count * keyCount, passes: 50) { _ in
            let data = GateData()
            let document = try data.array(sharedKeys: false)
            let people = document.root.array.map { $0.compactMap(\.dictionary) } ?? []
            return Kernel.Prepared(expected: data.ageSum + (keyCount - 1) * GateData.count) {
                var sum = 0
                for person in people {
                    sum &+= Int(person["age"]?.int ?? -1)
                    if case .some = person["_id"] { sum &+= 1 }
                    if case .some = person["name"] { sum &+= 1 }
                    if case .some = person["contact"] { sum &+= 1 }
                    if case .some = person["likes"] { sum &+= 1 }
                    if case .some = person["score"] { sum &+= 1 }
                }
                return sum
            }
        }
    }

    /// An item is a pair of a dictionary.
    private static var iteration: Kernel {
        Kernel("iterate", items: GateData.count * GateData.properties.count, passes: 50) { _ in
            let document = try GateData().array(sharedKeys: false)
            let length = GateData.properties.reduce(0) { $0 + $1.utf8.count }
            return Kernel.Prepared(expected: GateData.count * length) {
                document.withUnsafeRoot { root in
                    var sum = 0
                    root.forEachElement { person in
                        person.dictionary?.forEachPair { key, value in
                            sum &+= key.count
                            if value.isNull { sum &+= 1 }
                        }
                    }
                    return sum
                }
            }
        }
    }

    private final class EncoderBox {
        var encoder: FleeceEncoder

        init(sharedKeys: Bool) {
            encoder = FleeceEncoder(sharedKeys: sharedKeys ? SharedKeys() : nil)
        }

        func fleece(_ json: [UInt8]) throws -> [UInt8] {
            try json.withUnsafeBytes { _ = try encoder.writeJSON($0) }
            return try encoder.finish()
        }
    }

    /// Converts into bytes owned by the caller, reusing one encoder.
    private static func conversion(_ name: String, sharedKeys: Bool) -> Kernel {
        Kernel(name, items: GateData.count, passes: 10) { _ in
            let people = GateData().people
            let texts = people.map { [UInt8]($0.utf8) }
            let box = EncoderBox(sharedKeys: sharedKeys)
            let size = try texts.reduce(0) { $0 + (try box.fleece($1).count) }
            return Kernel.Prepared(expected: size) {
                for (person, text) in zip(people, texts) {
                    let bytes = try box.fleece(text)
                    let document = try FleeceDocument(
                        trusted: bytes, sharedKeys: box.encoder.sharedKeys ?? SharedKeys())
                    try GateData.requireSame(try document.root.json(), person)
                }
            } pass: {
                var sum = 0
                for text in texts { sum &+= try box.fleece(text).count }
                return sum
            }
        }
    }

    private static var writing: Kernel {
        Kernel("fleece-to-json", items: GateData.count, passes: 10) { _ in
            let people = GateData().people
            let documents = try GateData().documents().map { try FleeceDocument(trusted: $0) }
            // No spaces, no escapes: equal values give texts of equal length.
            let size = people.reduce(0) { $0 + $1.utf8.count }
            return Kernel.Prepared(expected: size) {
                for (person, document) in zip(people, documents) {
                    try GateData.requireSame(try document.root.json(), person)
                }
            } pass: {
                var sum = 0
                for document in documents { sum &+= try document.root.json().utf8.count }
                return sum
            }
        }
    }

    private static var validation: Kernel {
        Kernel("validate", items: GateData.count, passes: 50) { _ in
            let documents = try GateData().documents()
            return Kernel.Prepared(expected: documents.count) {
                try requireRefusal(of: documents[0])
            } pass: {
                var count = 0
                for document in documents {
                    try document.withUnsafeBytes { try FleeceValidation.structure.check($0) }
                    count &+= 1
                }
                return count
            }
        }
    }

    /// A validation that accepts everything would be fast.
    private static func requireRefusal(of document: [UInt8]) throws {
        let bad = [UInt8](repeating: 0xFF, count: document.count)
        do {
            try bad.withUnsafeBytes { try FleeceValidation.structure.check($0) }
        } catch {
            return
        }
        throw GateError("bytes that are not Fleece passed the validation")
    }
}
