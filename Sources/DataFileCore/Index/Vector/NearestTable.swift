internal import SQLCore
internal import StoreFormat
internal import StorePlatform
internal import VectorIndex

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The table function `vector_nearest(index, vector, limit, probes, documents)`, by which queries
/// search a vector index: the numbers and distances of the nearest documents.
///
/// `documents` are the numbers of those among which it searches, as `document_set` collects them.
/// `limit`, `probes` and `documents` can be NULL: for all, for those of the index, and for all.
final class NearestTable: SQLVirtualTable {
    static let name = "vector_nearest"
    static var kind: SQLVirtualTableKind { .eponymousOnly }

    private weak var connection: Connection?
    private static let parameterCount = 5

    init(_ connection: Connection?) {
        self.connection = connection
    }

    /// Registers the functions of vector indexes.
    static func register(in connection: Connection) throws {
        try connection.context.registerVirtualTable(name) { [weak connection] _ in
            NearestTable(connection)
        }
        try connection.context.registerAggregate(
            "document_set", argumentCount: 1, initial: [UInt8]()
        ) { documents, call in
            // An outer join has rows without a document.
            guard let docid = call.value(at: 0).longValue else { return }
            withUnsafeBytes(of: docid) { documents += $0 }
        } finish: { documents in
            .blob(Data(documents))
        }
    }

    var declaration: String {
        "CREATE TABLE x(docid INTEGER, distance REAL, name HIDDEN, vector HIDDEN, "
            + "most HIDDEN, probes HIDDEN, documents HIDDEN)"
    }

    func plan(_ plan: SQLIndexPlan) throws {
        var isGiven = [Bool](repeating: false, count: Self.parameterCount)
        for constraint in plan.constraints where constraint.comparison == .equal {
            let position = constraint.column - 2
            guard isGiven.indices.contains(position), !isGiven[position] else { continue }
            guard constraint.isUsable else {
                throw SQLError(code: .constraint, message: "the value is not known")
            }
            isGiven[position] = true
            plan.pass(constraint, at: position, isExact: true)
        }
        guard isGiven.allSatisfy(\.self) else {
            throw SQLError(code: .constraint, message: "a parameter is missing")
        }
        // So that it is not run for each row of another table.
        plan.cost = 1e12
        plan.rows = 10
    }

    func makeCursor() -> Cursor { Cursor(table: self) }

    struct Cursor: SQLTableCursor {
        unowned let table: NearestTable
        private var found: [(docid: Int64, distance: Double)] = []
        private var position = 0

        init(table: NearestTable) {
            self.table = table
        }

        mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws {
            position = 0
            found = try table.search(arguments)
        }

        mutating func next() { position += 1 }
        var isAtEnd: Bool { position >= found.count }
        var rowID: Int64 { Int64(position) }

        func column(at index: Int, _ result: SQLRawCall) {
            if index == 0 { result.setResult(found[position].docid) }
            if index == 1 { result.setResult(found[position].distance) }
        }
    }

    private func search(
        _ arguments: SQLArguments
    ) throws -> [(docid: Int64, distance: Double)] {
        guard let connection, let name = arguments.value(at: 0).textValue,
            let index = try connection.vectorIndex(name)
        else { throw StoreError(.missingIndex, "there is no vector index of this name") }
        guard let vector = arguments.value(at: 1).blobValue else {
            throw StoreError(
                .invalidQueryParameter,
                "the second argument of APPROX_VECTOR_DISTANCE() is not a vector")
        }
        let documents = arguments.value(at: 4).blobValue
        return try vector.withUnsafeBytes { vector in
            try index.nearest(
                to: vector, limit: arguments.value(at: 2).longValue.map { Int(clamping: $0) },
                probes: arguments.value(at: 3).longValue.map { Int(clamping: $0) },
                only: documents.map(Self.numbers)
            ).documents
        }
    }

    private static func numbers(_ documents: Data) -> [Int64] {
        documents.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self)
            }
        }
    }
}
