import DataFileCore
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing

/// `_id`, `_rev` and `_deleted` are reserved: no call stores them in a body.
@Suite("Reserved properties")
struct ReservedPropertyTests {
    let directory: TemporaryDirectory
    let people = DocumentCollection(.default)
    static let names = ["_id", "_rev", "_deleted"]

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeFile(_ versioning: Versioning) throws -> DataFile {
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        let file = try DataFile(path: directory("\(versioning).cblite2"), options: options)
        try file.write { transaction in
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"n":1}"#) }
            _ = try people.save("eve", in: transaction) { try $0.writeJSON(#"{"n":1}"#) }
            _ = try people.delete("eve", in: transaction)
        }
        return file
    }

    /// A way of storing a body with a property.
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let store: @Sendable (_ name: String, DocumentCollection, Transaction) throws -> Void

        init(
            _ name: String,
            _ store:
                @escaping @Sendable (String, DocumentCollection, Transaction) throws ->
                Void
        ) {
            testDescription = name
            self.store = store
        }
    }

    static let ways = [
        Way("a body that is written") { name, people, transaction in
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"\#(name)":1}"#) }
        },
        Way("a body with another spelling of it") { name, people, transaction in
            let json = #"{"\u005f\#(name.dropFirst())":1}"#
            _ = try people.save("new", in: transaction) { try $0.writeJSON(json) }
        },
        Way("a new document") { name, people, transaction in
            var document = MutableDocument("new", ["n": 1])
            document[name] = 1
            _ = try people.save(&document, in: transaction)
        },
        Way("a document that is changed") { name, people, transaction in
            var document = try people.get("ada", in: transaction)?.mutableCopy()
            document?[name] = 1
            if var document { _ = try people.save(&document, in: transaction) }
        },
        Way("one of many") { name, people, transaction in
            let documents = [MutableDocument("first", ["n": 1]), MutableDocument("new", [name: 1])]
            _ = try people.save(contentsOf: documents, in: transaction)
        },
        Way("a value of a type") { name, people, transaction in
            _ = try people.of([String: Int].self).save([name: 1], id: "new", in: transaction)
        },
        Way("a typed document that is changed") { name, people, transaction in
            let typed = people.of([String: Int].self)
            var document = try typed.get("ada", in: transaction)
            document?.value[name] = 1
            if var document { _ = try typed.save(&document, in: transaction) }
        },
        Way("a document that comes back") { name, people, transaction in
            _ = try people.undelete("eve", in: transaction) { try $0.writeJSON(#"{"\#(name)":1}"#) }
        },
        Way("the result of a merge") { name, people, transaction in
            var stale = MutableDocument("ada", ["n": 2])
            _ = try people.save(
                &stale,
                onConflict: .merge { mine, _ in
                    var merged = mine
                    merged[name] = 1
                    return merged
                }, in: transaction)
        },
        Way("a revision of another database") { name, people, transaction in
            let isTree = try transaction.versioning() != .versionVectors
            let id = try RevisionID(isTree ? "1-0a0b" : "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAAA")
            _ = try people.insert("new", history: [id], in: transaction) {
                try $0.writeJSON(#"{"\#(name)":1}"#)
            }
        },
    ]

    /// Stores something that must be rejected, and then something that must be stored.
    private func check(_ file: DataFile, _ store: (Transaction) throws -> Void) throws {
        let before = try contents(file)
        try file.write { transaction in
            let error = #expect(throws: StoreError.self) {
                try transaction.savepoint { try store(transaction) }
            }
            #expect(error?.has(.invalidParameter) == true)
            #expect(error?.message.contains("is reserved") == true)
        }
        #expect(try contents(file) == before)
        #expect(try file.read { $0.sharedKeys.keys } == ["n"], "no key is left of it")
    }

    private func contents(_ file: DataFile) throws -> [String] {
        var lines: [String] = []
        try file.read { snapshot in
            var options = RecordEnumerator.Options()
            options.includesDeleted = true
            try people.forEach(options, in: snapshot) {
                let document = try $0.get()
                var writer = JSONWriter()
                try document.write(to: &writer)
                lines.append("\(document.sequence) \(writer.text.string)")
            }
        }
        return lines
    }

    @Test("are rejected in trees, in every way", arguments: ways, names)
    func trees(_ way: Way, _ name: String) throws {
        let file = try makeFile(.treesInExtra)
        try check(file) { try way.store(name, people, $0) }
    }

    @Test("are rejected with version vectors, in every way", arguments: ways, names)
    func vectors(_ way: Way, _ name: String) throws {
        let file = try makeFile(.versionVectors)
        try check(file) { try way.store(name, people, $0) }
    }

    @Test("are rejected in the resolution of a conflict", arguments: names)
    func resolution(_ name: String) throws {
        let file = try makeFile(.treesInExtra)
        try file.write { transaction in
            let other = try RevisionID("1-0a0b")
            _ = try people.insert("ada", history: [other], remote: 1, in: transaction) {
                try $0.writeJSON(#"{"n":2}"#)
            }
        }
        try check(file) { transaction in
            _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in
                .merge([name: 1])
            }
        }
    }

    @Test("are rejected after a document whose keys were discarded", arguments: names)
    func afterFailure(_ name: String) throws {
        let file = try makeFile(.versionVectors)
        _ = try file.write { transaction in
            #expect(throws: StoreError.self) {
                try people.save(in: transaction) {
                    try $0.writeJSON(#"{"key":1}"#)
                    return "_bad id"
                }
            }
        }
        try check(file) { transaction in
            // This key is discarded, too, and the reserved one would get its number.
            _ = try? people.save(in: transaction) {
                try $0.writeJSON(#"{"key":1}"#)
                return "_bad id"
            }
            _ = try people.save("new", in: transaction) { try $0.writeJSON(#"{"\#(name)":1}"#) }
        }
    }

    @Test("are rejected after an undone savepoint", arguments: names)
    func afterSavepoint(_ name: String) throws {
        let file = try makeFile(.versionVectors)
        try check(file) { transaction in
            try? transaction.savepoint {
                _ = try people.save("new", in: transaction) { try $0.writeJSON(#"{"key":1}"#) }
                throw CancellationError()
            }
            _ = try people.save("new", in: transaction) { try $0.writeJSON(#"{"\#(name)":1}"#) }
        }
    }

    @Test("are rejected if there is no space for further keys", arguments: names)
    func fullTable(_ name: String) throws {
        let file = try makeFile(.versionVectors)
        let keys = (0..<2047).map { "key\($0)" }
        try file.write { transaction in
            var document = MutableDocument("full")
            for key in keys { document[key] = 1 }
            _ = try people.save(&document, in: transaction)
            let error = #expect(throws: StoreError.self) {
                try people.save("new", in: transaction) { try $0.writeJSON(#"{"\#(name)":1}"#) }
            }
            #expect(error?.message.contains("is reserved") == true)
        }
        #expect(try file.read { $0.sharedKeys.count } == 2048)
    }

    @Test("are allowed inside other properties", arguments: names)
    func inside(_ name: String) throws {
        let file = try makeFile(.versionVectors)
        try file.write { transaction in
            _ = try people.save("new", in: transaction) {
                try $0.writeJSON(#"{"n":{"\#(name)":1}}"#)
            }
            // From here on the file has the key.
            #expect(throws: StoreError.self) {
                try people.save("new", in: transaction) { try $0.writeJSON(#"{"\#(name)":1}"#) }
            }
        }
        let inner = try file.read { try people.get("new", in: $0)?["n"]?[name]?.int }
        #expect(inner == 1)
    }
}
