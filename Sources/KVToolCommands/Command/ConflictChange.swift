internal import DocumentStore
internal import KVToolCore

/// Resolves conflicts without showing them: all documents in one transaction.
struct ConflictChange: Sendable {
    private let selection: ConflictSelection
    private let upgrade: UpgradeArguments
    private let arguments: ChangeArguments
    private let output: OutputArguments
    /// The revisions that may be in the conflict; empty for any.
    private let expected: [String]

    init(
        _ selection: ConflictSelection, _ upgrade: UpgradeArguments, _ arguments: ChangeArguments,
        _ output: OutputArguments, _ expected: [String]
    ) {
        self.selection = selection
        self.upgrade = upgrade
        self.arguments = arguments
        self.output = output
        self.expected = expected
    }

    /// How conflicts are resolved.
    enum Way: Sendable {
        case take(ConflictedDocument.Choice)
        case delete
        case save(MutableFleeceDictionary)

        /// The way for one document. Throws if it does not have the revision.
        func resolution(of document: ConflictedDocument) throws -> ConflictedDocument.Resolution {
            switch self {
            case .take(let choice): .take(try Self.side(choice, of: document))
            case .delete: .delete
            case .save(let properties): .save(properties)
            }
        }

        private static func side(
            _ choice: ConflictedDocument.Choice, of document: ConflictedDocument
        ) throws -> ConflictedDocument.Side {
            do {
                return try document.side(choice)
            } catch let error as ToolError {
                throw ConflictProblem(message: error.message, status: error.status)
            }
        }
    }

    func run(_ way: Way) async throws {
        let database = selection.location.database
        guard !arguments.isDry else {
            let (done, problems) = try await database.read { _, snapshot in
                try each(in: snapshot) { document in
                    ResolvedConflict(document, try way.resolution(of: document))
                }
            }
            return try report(done, problems)
        }
        let (done, problems) = try await confirmation.run {
            selection.isOpen && $0 > 0
        } _: { check in
            try await database.write(upgrades: upgrade.upgrade) { transaction in
                let result = try each(in: transaction) { document in
                    let resolution = try way.resolution(of: document)
                    let saved = try document.resolve(resolution, in: transaction)
                    return ResolvedConflict(document, resolution, saved)
                }
                // Rolls the transaction back if the number has not been confirmed.
                try check(result.done.count)
                return result
            }
        }
        try report(done, problems)
    }

    private var confirmation: Confirmation {
        Confirmation(
            isGiven: arguments.yes,
            reason: "this discards revisions of documents that were not named individually",
            refusal: "nothing was resolved"
        ) { "Resolve \(Text.count($0, "conflict"))?" }
    }

    private func each(
        in snapshot: Snapshot, _ body: (ConflictedDocument) throws -> ResolvedConflict
    ) throws -> (done: [ResolvedConflict], problems: [ConflictProblem]) {
        var done: [ResolvedConflict] = []
        let problems = try selection.forEach(in: snapshot) { document in
            try check(document)
            done.append(try body(document))
        }
        return (done, problems)
    }

    private func check(_ document: ConflictedDocument) throws {
        let revisions = document.sides.map(\.id.description)
        guard expected.isEmpty || Set(revisions).isSubset(of: expected) else {
            throw ConflictProblem(
                message: "\(document.title) was changed; now the conflict is between "
                    + revisions.joined(separator: ", "), status: .conflict)
        }
    }

    private func report(_ done: [ResolvedConflict], _ problems: [ConflictProblem]) throws {
        var rows = ResolvedConflict.rows(output, empty: problems.isEmpty ? "(no conflicts)" : nil)
        for item in done { try rows.add(item.row) }
        try rows.finish()
        try ConflictProblem.report(problems, done: done.count)
    }
}

/// A conflict that was resolved, or that would be.
struct ResolvedConflict: Sendable {
    private let document: ConflictedDocument
    private let resolution: ConflictedDocument.Resolution
    /// Nil in a dry run.
    private let saved: DocumentCollection.Saved?

    init(
        _ document: ConflictedDocument, _ resolution: ConflictedDocument.Resolution,
        _ saved: DocumentCollection.Saved? = nil
    ) {
        self.document = document
        self.resolution = resolution
        self.saved = saved
    }

    /// The output of such rows.
    static func rows(_ output: OutputArguments, empty: String? = nil) -> RowOutput {
        RowOutput(
            "resolve", list: "documents",
            [
                Column("collection", "Collection"), Column("id", "Document", isKey: true),
                Column("action", "Action"), Column("taken", "Taken"),
                Column("revision", "Revision"), Column("sequence", "Sequence", isNumber: true),
            ], output, presentation: .lines { "\($0[2].forPeople)\($0[1].forPeople)" },
            empty: empty)
    }

    /// One cell for each column.
    var row: [Cell] {
        let title = saved == nil ? "Would have \(verb.lowercased())" : verb
        let rest = saved.map { ", revision \($0.revisionID), sequence \($0.sequence)" } ?? ""
        return [
            .text(document.collection.description),
            .both("\(document.title)\(object)\(rest)", program: .text(document.id)),
            .both("\(title) ", program: .text(saved == nil ? "none" : action)),
            .optional(taken?.id.description), .optional(saved?.revisionID.description),
            saved.map { .integer($0.sequence) } ?? .none,
        ]
    }

    private var taken: ConflictedDocument.Side? {
        if case .take(let side) = resolution { side } else { nil }
    }

    private var action: String {
        switch resolution {
        case .take: "taken"
        case .delete: "deleted"
        case .save: "merged"
        }
    }

    private var verb: String {
        switch resolution {
        case .take: "Resolved"
        case .delete: "Deleted"
        case .save: "Merged"
        }
    }

    private var object: String {
        guard let taken else { return "" }
        let id = taken.id.description
        return " with \(taken.name == id ? id : "\(taken.name) \(id)")"
    }
}
