import DocumentStore

// Checks of the file against the model.
extension DocumentHistoryRun {
    /// Compares the complete contents.
    func check(_ snapshot: Snapshot) throws {
        for id in Self.ids { try check(id, snapshot) }
        let live = model.documents.filter { !$0.value.isDeleted }
        let count = try collection.count(in: snapshot)
        try require(
            count == (live.count, model.documents.count - live.count), "count: \(count)")
        let last = try collection.keyStore.lastSequence(in: snapshot)
        try require(last == model.lastSequence, "last \(last), not \(model.lastSequence)")
        try checkWalks(snapshot, live)
        try checkRows(snapshot)
        for digest in model.blobs {
            try require(try file.blobs.contains(Blob(digest: digest)), "no blob \(digest)")
        }
    }

    /// One document by its id.
    func check(_ id: String, _ snapshot: Snapshot) throws {
        let live = try collection.get(id, in: snapshot)
        let document = try collection.get(id, includesDeleted: true, in: snapshot)
        let history = try collection.history(of: id, in: snapshot)
        guard let known = model.documents[id] else {
            return try require(document == nil && history == nil, "\(id) exists")
        }
        guard let document, let history else {
            throw DocumentMismatch(description: "\(id) does not exist")
        }
        try require((live == nil) == known.isDeleted, "\(id) deleted: \(known.isDeleted)")
        let found = try json(document.properties)
        try require(found == known.body.json, "\(id): \(found), not \(known.body.json)")
        try require(
            document.revisionID == known.revisionID && history.revisionID == known.revisionID,
            "\(id): \(document.revisionID.map { "\($0)" } ?? ""), not \(known.revisionID)")
        try require(
            document.sequence == known.sequence && document.subsequence == known.subsequence,
            "\(id): sequence \(document.sequence).\(document.subsequence), not "
                + "\(known.sequence).\(known.subsequence)")
        try checkFlags(document, known)
        try check(history, known)
    }

    private func checkFlags(_ document: Document, _ known: ModelDocument) throws {
        var flags: DocumentFlags = known.isDeleted ? .deleted : []
        if known.isConflicted { flags.insert(.conflicted) }
        let hasBlobs = known.bodies.contains { !$0.blobs.isEmpty }
        if hasBlobs { flags.insert(.hasAttachments) }
        // The blob flag of a revision may outlive its body: it only states where to look for blobs.
        var found = document.flags
        if !hasBlobs { found.remove(.hasAttachments) }
        // It is one of two ways to store a revision of the first remote, which are compared below.
        found.remove(.synced)
        try require(
            found == flags,
            "\(document.id): flags \(found), not \(flags) \(known.bodies.map(\.json))")
    }

    private func check(_ history: DocumentHistory, _ known: ModelDocument) throws {
        let id = history.id
        try require(
            history.remotes == known.remotes, "\(id): \(history.remotes), not \(known.remotes)")
        let found = try history.conflicts().map { conflict in
            "\(conflict.id) \(try json(conflict.properties)) \(conflict.isDeleted) "
                + "\(conflict.remotes.sorted())"
        }.sorted()
        let expected = known.conflicts.map {
            "\($0.id) \($0.body?.json ?? "{}") \($0.isDeleted) \($0.remotes.sorted())"
        }.sorted()
        try require(found == expected, "\(id): conflicts \(found), not \(expected)")
        switch (history.form, known.form) {
        case (.tree(let tree), .tree(let model)):
            let branch = try tree.history(of: 0).prefix(8).map {
                try RevisionID(binary: tree.revisions[$0].id)
            }
            let expected = Array(model.branch(of: model.current).prefix(8))
            try require(branch == expected, "\(id): \(branch), not \(expected)")
        case (.vector(_, let remotes), .vector(_, let model)):
            for (number, remote) in model {
                let other = remotes.revision(ofRemote: number)
                let found = try other?.properties.map { try json($0) }
                // A row without properties has no body.
                let isEmpty = found == nil && remote.body?.json == "{}"
                try require(
                    (found == remote.body?.json || isEmpty)
                        && other?.flags.contains(.deleted) == remote.isDeleted,
                    "\(id): remote \(number) has \(found ?? "nothing")")
            }
        default: try require(false, "\(id): tree and vector")
        }
    }

    private func json(_ properties: FleeceDictionary?) throws -> String {
        var writer = JSONWriter(options: .init(canonical: true))
        try writer.write(properties, after: [])
        return writer.text.string
    }

    private func checkWalks(_ snapshot: Snapshot, _ live: [String: ModelDocument]) throws {
        var found: [String] = []
        try collection.forEach(in: snapshot) { result in
            let document = try result.get()
            found.append("\(document.id) \(try json(document.properties))")
        }
        let expected = live.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.body.json)" }
        try require(found.sorted() == expected.sorted(), "walk: \(found), not \(expected)")
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.includesDeleted = true
        let all = try ids(options, snapshot)
        let order = model.documents.sorted { $0.value.sequence < $1.value.sequence }.map(\.key)
        try require(all == order, "by sequence: \(all), not \(order)")
        options.conflictedOnly = true
        let conflicted = try ids(options, snapshot)
        let others = order.filter { model.documents[$0]?.isConflicted == true }
        try require(conflicted == others, "conflicted: \(conflicted), not \(others)")
    }

    private func ids(
        _ options: RecordEnumerator.Options, _ snapshot: Snapshot
    ) throws -> [String] {
        let records = try collection.records(options, in: snapshot)
        var ids: [String] = []
        while let record = try records.next() { ids.append(record.key) }
        return ids
    }

    /// Checks that every tree, vector and extra of a row is encoded to the same bytes again.
    private func checkRows(_ snapshot: Snapshot) throws {
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        let records = try collection.records(options, in: snapshot)
        while let record = try records.next() {
            guard record.layout == .versionVector else {
                let extra = record.extra ?? []
                try require(
                    try RevisionTree(binary: extra).binary == extra, "the tree of \(record.key)")
                continue
            }
            let revision = try RevisionID(binary: record.version)
            try require(revision.binary == record.version, "the version of \(record.key)")
            guard let extra = record.extra else { continue }
            let body = try record.body.map {
                try FleeceDocument(validating: $0, sharedKeys: snapshot.sharedKeys)
            }
            let remotes = try RemoteRevisions(
                extra: extra, body: body, sharedKeys: snapshot.sharedKeys)
            guard let body else {
                throw DocumentMismatch(description: "\(record.key) has an extra and no body")
            }
            try require(
                try remotes.encoded(body: body) == extra, "the extra of \(record.key)")
        }
    }
}
