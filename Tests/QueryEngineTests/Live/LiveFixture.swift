import EngineTestSupport
import FleeceLite
import Testing
@testable import DataFileCore
@testable import QueryEngine

/// A file whose queries are observed.
struct LiveFixture: Sendable {
    let engine: EngineFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init(_ configure: (inout DataFileOptions) -> Void = { _ in }) throws {
        engine = try EngineFixture()
        file = try engine.open(.readWrite, configure)
    }

    func save(_ id: String, _ json: String, in collection: DocumentCollection? = nil) throws {
        try file.write { try save(id, json, in: collection, $0) }
    }

    func save(
        _ id: String, _ json: String, in collection: DocumentCollection? = nil,
        _ transaction: Transaction
    ) throws {
        _ = try (collection ?? people).save(id, in: transaction) { try $0.writeJSON(json) }
    }

    func purge(_ id: String) throws {
        #expect(try file.write { try people.purge(id, in: $0) })
    }

    func delete(_ id: String) throws {
        #expect(try file.write { try people.delete(id, in: $0) } != nil)
    }

    /// Waits until all that was committed so far has been looked at for a query that is observed: a
    /// new observer gets no older result.
    @discardableResult
    func settle(_ query: Query, _ parameters: QueryParameters = [:]) async throws -> QueryResults? {
        var iterator = file.observe(query, parameters).makeAsyncIterator()
        return try await iterator.next()
    }

    /// How often the file was asked for the only query that is observed.
    func counts(_ query: Query) async throws -> LiveReader.Counts {
        try await settle(query)
        let live = LiveQueries.ofProcess.queries(of: file.shared).filter { $0.key.query == query }
        #expect(live.count == 1)
        return live.first?.reader.counts ?? .init()
    }
}

extension QueryResults {
    /// The IDs of the rows in their order, and how they differ from those before: inserted `+`,
    /// removed `-`, updated `~`, moved `>`, each with its place.
    var text: String {
        let ids = indices.map { id(at: $0) ?? "?" }.joined(separator: " ")
        guard let difference else { return ids }
        let groups = [
            ("+", difference.inserted), ("-", difference.removed), ("~", difference.updated),
            (">", difference.moved),
        ]
        let changes = groups.flatMap { sign, entries in
            entries.map { "\(sign)\($0.id ?? (try? $0.row.json()) ?? "?")@\($0.position)" }
        }
        return ids + " | " + changes.joined(separator: " ")
    }
}

/// Reads results one by one.
final class LiveReading {
    private var iterator: QueryObservation.Iterator

    init(_ observation: QueryObservation) {
        iterator = observation.makeAsyncIterator()
    }

    func next() async throws -> QueryResults? { try await iterator.next() }

    /// The next one as text; nil at the end.
    func text() async throws -> String? { try await iterator.next()?.text }
}
