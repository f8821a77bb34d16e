import DocumentStore
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Queries of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenDocumentQueryTests {
    @Test(
        "read each document as a lookup does, and count the deleted ones",
        arguments: GoldenDatabase.all)
    func documents(golden: GoldenDatabase) throws {
        let directory = try TemporaryDirectory()
        let file = try DataFile(
            path: golden.copy(to: directory), options: DataFileOptions(access: .readOnly))
        try file.read { snapshot in
            for name in try snapshot.collectionNames() {
                let read = try documents(of: DocumentCollection(name), in: snapshot)
                let query = try Query("SELECT META().id AS id, c.* AS body FROM \(name) AS c")
                var found: [String: QueryValue] = [:]
                for row in try query.rows(in: snapshot).all() {
                    found[row["id"].string ?? ""] = row["body"]
                }
                #expect(found == read, "\(name)")
                let tombstones = try Query(
                    "SELECT COUNT(*) AS n FROM \(name) AS c WHERE META(c).deleted")
                let counts = try tombstones.rows(in: snapshot).all().map { $0["n"].int }
                #expect(counts == [Int64(golden.counts[name.description]?[1] ?? -1)], "\(name)")
            }
        }
    }

    private func documents(
        of collection: DocumentCollection, in snapshot: Snapshot
    ) throws -> [String: QueryValue] {
        var documents: [String: QueryValue] = [:]
        try collection.forEach(in: snapshot) { result in
            let document = try result.get()
            documents[document.id] = document.properties.map { QueryValue($0.value) } ?? .missing
        }
        return documents
    }
}
