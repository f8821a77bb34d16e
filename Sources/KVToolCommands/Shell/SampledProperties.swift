internal import DocumentStore
internal import KVToolCore

/// The property names of a collection's documents, for completion; sampled so that completion
/// is fast.
struct SampledProperties {
    private static let documents = 200
    private static let bytes = 1 << 22
    private static let names = 1000

    private let bodies: [FleeceDocument]

    /// Reads the first documents.
    init(_ collection: DocumentCollection, in snapshot: Snapshot) throws {
        var options = RecordEnumerator.Options()
        options.limit = Self.documents
        let records = try collection.records(options, in: snapshot)
        let keys = try snapshot.requireSharedKeys()
        var bodies: [FleeceDocument] = []
        var size = 0
        while size < Self.bytes, let record = try records.next() {
            guard let body = record.currentBody, !body.isEmpty else { continue }
            size += body.count
            if let document = try? FleeceDocument(validating: body, sharedKeys: keys) {
                bodies.append(document)
            }
        }
        self.bodies = bodies
    }

    /// Returns the names of the properties at a path, as written in SQL++; elements of arrays count
    /// as properties of the array's parent.
    func names(behind path: [String]) -> [String] {
        var names: Set<String> = []
        for body in bodies where names.count < Self.names {
            var values: [FleeceValue] = [body.root]
            for name in path {
                values = values.flatMap(Self.dictionaries).compactMap { $0[name] }
            }
            for dictionary in values.flatMap(Self.dictionaries) {
                for (key, _) in dictionary.prefix(Self.names) { names.insert(key) }
            }
        }
        return names.map(Self.written).sorted()
    }

    private static func dictionaries(_ value: FleeceValue) -> [FleeceDictionary] {
        if let dictionary = value.dictionary { return [dictionary] }
        return value.array.map { $0.prefix(10).compactMap(\.dictionary) } ?? []
    }

    private static func written(_ name: String) -> String {
        let isPlain =
            name.utf8.first.map { $0 >= 0x41 } == true
            && name.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
                default: false
                }
            }
        return isPlain ? name : "`\(name.replacing("`", with: "``"))`"
    }
}
