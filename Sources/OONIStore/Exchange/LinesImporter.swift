internal import DocumentStore

/// Reads the lines of an export, in order, into an empty store.
struct LinesImporter {
    let store: Collections
    let transaction: Transaction
    /// The number of lines read so far.
    private(set) var number = 0
    /// The line being read.
    private(set) var line: FleeceValue?
    private var header: LinesHeader?
    private var documents: [String: Int] = [:]

    // What the previous lines contained.
    var revisions: [String: (highest: Int, hasNettests: Bool)] = [:]
    var networks: Set<OONIStore.Network.ID> = []
    var networkDetails: Set<[ExactString?]> = []
    var urls: Set<ExactString> = []
    var results: [OONIStore.TestResult.ID: (line: Int, result: OONIStore.TestResult)] = [:]
    var measurements: Set<Int64> = []
    var counts: [OONIStore.TestResult.ID: OONIStore.Counts] = [:]
    var articles: Set<ExactString> = []

    init(store: Collections, transaction: Transaction) {
        (self.store, self.transaction) = (store, transaction)
    }

    /// Reads a line.
    mutating func read(_ line: String) throws {
        number += 1
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        do {
            let value = try FleeceDocument(json: line).root
            if header == nil {
                try readHeader(value)
            } else {
                try readDocument(value)
            }
        } catch let error as LineProblem {
            throw Self.wrong(number, error.reason)
        } catch let error as DecodingError {
            throw Self.wrong(number, error.reason)
        } catch let error as FleeceError {
            throw Self.wrong(number, "it is not JSON: \(error)")
        } catch let error as OONIStoreError where error.code != .newerVersion {
            throw Self.wrong(number, error.message)
        }
    }

    private mutating func readHeader(_ value: FleeceValue) throws {
        guard value["format"]?.string == LinesHeader.format else {
            throw LineProblem(
                "the first line of an export has \"format\": \"\(LinesHeader.format)\"")
        }
        guard let version = value["version"]?.int, version > 0 else {
            throw LineProblem("the version is not a number of 1 or more")
        }
        guard version <= CollectionMigration.version else {
            throw OONIStoreError(
                .newerVersion,
                "the lines have version \(version), and this program knows none later than "
                    + "\(CollectionMigration.version): read them with a newer program")
        }
        header = try FleeceRowDecoder().decode(LinesHeader.self, from: value)
    }

    private mutating func readDocument(_ value: FleeceValue) throws {
        guard let word = value["collection"]?.string else {
            throw LineProblem("it names no collection")
        }
        guard let collection = LinesCollection(rawValue: word) else {
            throw LineProblem("there is no collection \"\(word)\"")
        }
        line = value
        let decoder = FleeceRowDecoder()
        switch collection {
        case .descriptors: try add(decoder.decode(OONIStore.TestDescriptor.self, from: value))
        case .networks: try add(decoder.decode(OONIStore.Network.self, from: value))
        case .urls: try add(decoder.decode(OONIStore.Url.self, from: value))
        case .results: try add(decoder.decode(OONIStore.TestResult.self, from: value))
        case .measurements: try add(decoder.decode(OONIStore.Measurement.self, from: value))
        case .articles: try add(decoder.decode(OONIStore.Article.self, from: value))
        }
        documents[word, default: 0] += 1
    }

    /// Checks what only the complete export shows, and prevents numbers from being assigned again.
    mutating func finish() throws {
        guard let header else { throw Self.wrong(max(number, 1), "there is no line") }
        for name in LinesCollection.allCases.map(\.rawValue) {
            let (found, expected) = (documents[name] ?? 0, header.documents[name] ?? 0)
            guard found == expected else {
                throw Self.wrong(
                    number,
                    "it is the last one, after \(found) of \(expected) \(name); "
                        + "the lines are not complete")
            }
        }
        for (id, result) in results.sorted(by: { $0.key < $1.key })
        where counts[id] ?? OONIStore.Counts() != result.result.counts {
            throw Self.wrong(
                result.line, "the counts of result \(id) are not those of its measurements")
        }
        for kind in Identifiers.Kind.allCases {
            let last = max(header.numbers[kind.rawValue] ?? 0, highest(kind))
            guard last < Identifiers.bound else {
                throw Self.wrong(
                    1, "\(last) cannot be the last number assigned to \(kind.rawValue)")
            }
            if last > 0 { try store.identifiers.use(last, kind, in: transaction) }
        }
    }

    private func highest(_ kind: Identifiers.Kind) -> Int64 {
        switch kind {
        case .results: results.keys.max()?.number ?? 0
        case .measurements: measurements.max() ?? 0
        case .networks: networks.max()?.number ?? 0
        }
    }

    private static func wrong(_ line: Int, _ reason: String) -> OONIStoreError {
        OONIStoreError(.invalidLine, "line \(line): \(reason)")
    }
}

/// A problem with a line.
struct LineProblem: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension DecodingError {
    /// Which property is wrong, and why.
    fileprivate var reason: String {
        let (context, key): (Context, (any CodingKey)?) =
            switch self {
            case .keyNotFound(let key, let context): (context, key)
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                (context, nil)
            @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), nil)
            }
        let path = (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue)
        let location = path.isEmpty ? "it" : "\"\(path.joined(separator: "."))\""
        return "\(location) cannot be read: "
            + (key == nil ? context.debugDescription : "it is missing")
    }
}

/// The first line of an export.
struct LinesHeader: Codable, Equatable {
    /// The name of the format.
    var format = LinesHeader.format
    /// The version of the lines, equal to that of the store.
    var version = CollectionMigration.version
    /// The last assigned numbers, by kind.
    var numbers: [String: Int64]
    /// The number of lines of each collection.
    var documents: [String: Int]

    static let format = "OONIStore"
}

/// The collections in the order of the lines: a document follows those that it refers to.
enum LinesCollection: String, CaseIterable {
    case descriptors, networks, urls, results, measurements, articles

    func collection(of store: Collections) -> DocumentCollection {
        switch self {
        case .descriptors: store.descriptors.collection
        case .networks: store.networks.collection
        case .urls: store.urls.collection
        case .results: store.results.collection
        case .measurements: store.measurements.collection
        case .articles: store.articles.collection
        }
    }
}
