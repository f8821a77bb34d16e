import DocumentStore
import StoreTestSupport
import Testing

/// A database with conflicts as replication keeps them, between revisions with fixed IDs.
struct ConflictedDatabase {
    /// The form of the revisions.
    enum Form: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case tree, vector

        var testDescription: String { rawValue }

        /// The ID of the revision from which all others descend.
        var base: String { self == .tree ? "1-\(digest("0"))" : "1772ea3c8d0e0000@\(ann)" }
        /// The ID of the current revision.
        var local: String { self == .tree ? "2-\(digest("a"))" : "1772eb3c8d0e0000@*" }
        /// The IDs of the revisions of remotes, by their order.
        var remotes: [String] {
            self == .tree
                ? ["2-\(digest("b"))", "2-\(digest("c"))"]
                : ["1772ec3c8d0e0000@\(ann)", "1772ed3c8d0e0000@\(ben)"]
        }

        private var ann: String { "AAAAAAAAAAAAAAAAAAAAEA" }
        private var ben: String { "AAAAAAAAAAAAAAAAAAAAIA" }
        private func digest(_ digit: String) -> String { String(repeating: digit, count: 40) }

        /// A revision and its ancestors.
        fileprivate func history(_ revision: String, hasBase: Bool) throws -> [RevisionID] {
            switch (self, hasBase) {
            case (_, false): [try RevisionID(revision)]
            case (.tree, true): [try RevisionID(revision), try RevisionID(base)]
            // The later version of the same source includes the first one.
            case (.vector, true) where revision.hasSuffix(ann): [try RevisionID(revision)]
            case (.vector, true): [try RevisionID("\(revision); \(base)")]
            }
        }
    }

    let database: SampleDatabase
    let form: Form

    /// A database without documents.
    init(_ form: Form) throws {
        self.form = form
        database = try SampleDatabase()
        var options = DataFileOptions(access: .create)
        options.versioning = form == .tree ? .treesInExtra : .versionVectors
        let file = try DataFile(path: database.path, options: options)
        try file.write { transaction in
            for number in 1...3 {
                _ = try transaction.remoteID(of: "wss://example.com/\(number)")
            }
        }
        file.close()
    }

    /// A database with one conflict, of a document `ada`.
    init(
        _ form: Form, base: String? = #"{"age":7,"name":"Ada"}"#, local: String?,
        remotes: String?...
    ) throws {
        try self.init(form)
        try add("ada", base: base, local: local, remotes: remotes)
    }

    /// Adds a document with a conflict.
    ///
    /// - Parameters:
    ///   - base: the properties of the revision from which the others descend; nil for none.
    ///   - local: the properties of the current revision; nil for a deletion.
    ///   - remotes: those of the remotes' revisions.
    func add(
        _ id: String, in name: String = "_default", base: String?, local: String?,
        remotes: [String?]
    ) throws {
        let file = try DataFile(
            path: database.path, options: DataFileOptions(access: .readWrite))
        try file.write { transaction in
            let collection = DocumentCollection(try CollectionName(name))
            try collection.create(in: transaction)
            func insert(_ revision: String, _ json: String?, _ remote: Int?) throws {
                let hasBase = base != nil && revision != form.base
                _ = try collection.insert(
                    id, history: form.history(revision, hasBase: hasBase), isDeleted: json == nil,
                    remote: remote, in: transaction
                ) { try $0.writeJSON(json ?? "{}") }
            }
            if let base {
                try insert(form.base, base, nil)
                // The last remote stays at this revision, so that vectors store it.
                for remote in [2, 3, 1] {
                    let stored = try #require(try collection.get(id, in: transaction))
                    try collection.setRemote(
                        remote, has: RevisionID(form.base), of: id, sequence: stored.sequence,
                        in: transaction)
                }
            }
            try insert(form.local, local, nil)
            for (index, json) in remotes.enumerated() {
                try insert(form.remotes[index], json, index + 1)
            }
        }
        file.close()
    }

    /// `kvtool resolve DATABASE …`
    func resolve(_ rest: String...) throws -> Command.Outcome {
        try Kvtool.run(["resolve", database.path] + rest)
    }

    /// The history of a document.
    func history(_ id: String = "ada", in name: String = "_default") throws -> DocumentHistory {
        let file = try DataFile(path: database.path, options: DataFileOptions(access: .readOnly))
        defer { file.close() }
        return try file.read { snapshot in
            let collection = DocumentCollection(try CollectionName(name))
            return try #require(try collection.history(of: id, in: snapshot))
        }
    }

    /// The JSON of a document.
    func json(_ id: String = "ada") throws -> String {
        try database.run("cat", id, "--raw").success().lines.first ?? ""
    }
}
