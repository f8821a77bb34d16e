import DocumentStore
import SampleData
import StoreTestSupport

// Changes by this database.
extension DocumentHistoryRun {
    struct Note: Codable, Sendable {
        var n: Int?
        var text: String?
    }

    /// Properties with a number and a string, or none.
    func body() throws -> ModelBody {
        var body = ModelBody()
        if chance(5) { return body }
        body.members["n"] = "\(random.below(1000))"
        body.members["text"] = "\"text \(random.below(50))\""
        body.members.merge(TestIndexes.members(&random)) { $1 }
        for _ in 0..<random.below(4) {
            let key = "key\(random.below(40))"
            body.members[key] = random.pick([
                "true", "null", "-7", "1.5", "[1,\"two\",{\"three\":[3]}]",
                "{\"inner\(random.below(30))\":\"a text that is long enough to be shared\"}",
                "\"\(String(repeating: "long ", count: random.below(200)))\"",
            ])
        }
        guard chance(25) else { return body }
        let bytes = Array("blob \(random.below(40))".utf8)
        let blob = try file.blobs.put(bytes)
        body.members["blob"] =
            "{\"@type\":\"blob\",\"digest\":\"\(blob.digest)\",\"length\":\(bytes.count)}"
        body.blobs = [blob.digest]
        return body
    }

    /// Checks what saving returned, and updates the model.
    func saved(
        _ id: String, _ body: ModelBody, isDeleted: Bool = false, _ saved: DocumentCollection.Saved
    ) throws {
        let isNew = model.documents[id]?.isDeleted ?? true
        try model.save(id, body, isDeleted: isDeleted, as: saved.revisionID)
        try require(
            saved.id == id && saved.sequence == model.lastSequence && saved.subsequence == 0,
            "\(saved), not sequence \(model.lastSequence)")
        try require(isDeleted || saved.isNew == isNew, "\(saved): new is \(isNew)")
    }

    func save(_ id: String) throws {
        let body = try body()
        note("save", id)
        let result = try write { transaction in
            try collection.save(id, in: transaction) { try $0.writeJSON(body.json) }
        }
        try saved(id, body, result)
    }

    func delete(_ id: String) throws {
        let result = try write { try collection.delete(id, in: $0) }
        note(result == nil ? "delete: nothing" : "delete", id)
        let isThere = model.documents[id]?.isDeleted == false
        try require((result != nil) == isThere, "delete \(id): \(isThere)")
        if let result { try saved(id, ModelBody(), isDeleted: true, result) }
    }

    func undelete(_ id: String) throws {
        let body = try body()
        let result = try write { transaction in
            try collection.undelete(id, in: transaction) { try $0.writeJSON(body.json) }
        }
        note(result == nil ? "undelete: nothing" : "undelete", id)
        let isDeleted = model.documents[id]?.isDeleted == true
        try require((result != nil) == isDeleted, "undelete \(id): \(isDeleted)")
        if let result { try saved(id, body, result) }
    }

    func purge(_ id: String) throws {
        let was = try write { try collection.purge(id, in: $0) }
        note(was ? "purge" : "purge: nothing", id)
        try require(was == (model.documents[id] != nil), "purge \(id): \(was)")
        model.documents[id] = nil
    }

    /// Reads a document, to change it later.
    func hold(_ id: String) throws {
        note("hold", id)
        let document = try read { try collection.get(id, includesDeleted: true, in: $0) }
        let known = model.documents[id]
        keep(
            HeldDocument(
                mutable: document?.mutableCopy() ?? MutableDocument(id), document: document,
                body: known?.body ?? ModelBody()))
    }

    func keep(_ held: HeldDocument) {
        model.held.append(held)
        if model.held.count > 8 { model.held.remove(at: random.below(8)) }
    }

    /// A document that was read before, or is read now.
    private func someHeld(_ id: String) throws -> HeldDocument? {
        if model.held.isEmpty || chance(40) {
            try hold(id)
            return model.held.last
        }
        return random.pick(model.held)
    }

    func saveMutable(_ id: String) throws {
        guard let held = try someHeld(id) else { return }
        let id = held.mutable.id
        var mutable = held.mutable
        var body = held.body.with(["n": "\(random.below(1000))", "text": "\"changed\""])
        mutable["n"] = .int(Int64(body.members["n"] ?? "") ?? 0)
        mutable["text"] = .string("changed")
        if let key = body.members.keys.sorted().first(where: { $0.hasPrefix("key") }), chance(40) {
            mutable[key] = nil
            body.members[key] = nil
        }
        let isAllowed = model.allows(held.mutable.revisionID, id)
        let kind = random.pick(["fail", "overwrite", "merge", "give up"])
        let merged = isAllowed || kind != "merge" ? body : body.with(["merged": theirNumber(id)])
        let result = try write {
            try collection.save(&mutable, onConflict: handler(kind), in: $0)
        }
        note("save mutable, \(kind): \(result.saved == nil ? "conflict" : "saved")", id)
        guard let done = result.saved else {
            try require(
                !isAllowed && ["fail", "give up"].contains(kind), "\(id) is in conflict")
            return
        }
        try require(isAllowed || ["overwrite", "merge"].contains(kind), "\(id) has no conflict")
        try saved(id, merged, done)
        keep(
            HeldDocument(mutable: mutable, document: nil, body: merged))
    }

    private func theirNumber(_ id: String) -> String {
        model.documents[id]?.body.members["n"] ?? "-1"
    }

    private func handler(_ kind: String) -> ConflictHandler {
        switch kind {
        case "overwrite": .lastWriteWins
        case "merge":
            .merge { mine, theirs in
                var merged = mine
                merged["merged"] = .int(theirs?["n"]?.int ?? -1)
                return merged
            }
        case "give up": .merge { _, _ in nil }
        default: .failOnConflict
        }
    }

    func deleteDocument(_ id: String) throws {
        let held = model.held.filter { $0.document != nil }
        guard let held = held.isEmpty ? nil : random.pick(held), let document = held.document
        else { return try hold(id) }
        let id = document.id
        let isAllowed = model.documents[id] != nil && model.allows(held.mutable.revisionID, id)
        let kind = random.pick(["fail", "overwrite", "merge", "give up"])
        let merged = held.body.with(["merged": theirNumber(id)])
        let isThere = model.documents[id] != nil
        let result = try write {
            try collection.delete(document, onConflict: handler(kind), in: $0)
        }
        note("delete document, \(kind): \(result.saved == nil ? "conflict" : "saved")", id)
        guard let done = result.saved else {
            let mayFail = ["fail", "give up"].contains(kind) || (kind == "overwrite" && !isThere)
            return try require(!isAllowed && mayFail, "\(id) is in conflict")
        }
        if isAllowed || kind == "overwrite" {
            try saved(id, ModelBody(), isDeleted: true, done)
        } else {
            try require(kind == "merge", "\(id) has no conflict")
            try saved(id, merged, done)
        }
    }

    func saveTyped(_ id: String) throws {
        let notes = collection.of(Note.self)
        let value = Note(n: random.below(1000), text: "typed")
        let members = ["n": "\(value.n ?? 0)", "text": "\"typed\""]
        if chance(30) {
            note("save typed: all", id)
            let result = try write { try notes.save(value, id: id, in: $0) }
            return try saved(id, ModelBody(members: members), result)
        }
        let before = try read { try notes.get(id, in: $0) }
        let isLive = model.documents[id]?.isDeleted == false
        try require((before != nil) == isLive, "typed \(id): \(isLive)")
        var document = before ?? TypedDocument(id, value)
        let source = isLive ? model.documents[id]?.body ?? ModelBody() : ModelBody()
        document.value = value
        // Concurrent changes.
        if chance(40) { try random.pick([save, delete, purge, undelete])(id) }
        let isStale = !model.allows(before?.revisionID, id)
        let overwrites = chance(50)
        let result = try write {
            try notes.save(
                &document, onConflict: overwrites ? .lastWriteWins : .failOnConflict, in: $0)
        }
        note("save typed: \(result.saved == nil ? "conflict" : "saved")", id)
        guard let done = result.saved else {
            return try require(isStale && !overwrites, "typed \(id) is in conflict")
        }
        try require(!isStale || overwrites, "typed \(id) has no conflict")
        let under = isStale ? model.documents[id]?.body ?? ModelBody() : source
        try saved(id, under.with(members), done)
    }
}
