internal import DocumentStore

/// What a line of a patch asks for, where a document is as it is.
enum PatchStep {
    /// The document is as it is to be.
    case none
    case write(FleeceDocument)
    /// Only the expiration changes.
    case touch
    case delete
    /// A tombstone where nothing was.
    case makeTombstone
    case purge

    /// The document is not as the patch expects it.
    struct Conflict: Error {
        let message: String
    }

    /// - Parameter force: whether what the document is does not matter.
    ///
    /// Throws a `Conflict`, also with `force` where the line does not say enough.
    init(_ line: PatchLine, _ current: Document?, force: Bool) throws {
        switch line.kind {
        case .added: self = try Self.addition(line, current, force)
        case .removed: self = try Self.removal(line, current, force)
        case .changed: self = try Self.change(line, current, force)
        }
    }

    private static func addition(
        _ line: PatchLine, _ current: Document?, _ force: Bool
    ) throws -> PatchStep {
        if line.deleted == true {
            guard let current else { return .makeTombstone }
            if current.isDeleted { return .none }
            guard force else { throw Conflict(message: "is there, and not deleted") }
            return .delete
        }
        guard let body = line.body else { return .none }
        guard let current, !current.isDeleted else { return .write(body) }
        if try isSame(current, body) { return .none }
        guard force else { throw Conflict(message: "is there already, with another body") }
        return .write(body)
    }

    private static func removal(
        _ line: PatchLine, _ current: Document?, _ force: Bool
    ) throws -> PatchStep {
        guard let current else { return .none }
        let leavesNothing = line.deleted == false
        guard !current.isDeleted else { return leavesNothing ? .purge : .none }
        if line.wasDeleted == true, !force {
            throw Conflict(message: "is there, where a tombstone is expected")
        }
        guard try force || isExpected(line, current) else {
            throw Conflict(message: "has another body than the one that is to be removed")
        }
        return leavesNothing ? .purge : .delete
    }

    private static func change(
        _ line: PatchLine, _ current: Document?, _ force: Bool
    ) throws -> PatchStep {
        guard let current, !current.isDeleted else {
            let state = current == nil ? "is not there" : "is deleted"
            guard force, let body = line.body else { throw Conflict(message: state) }
            return .write(body)
        }
        guard line.delta != nil || line.body != nil else { return .touch }
        if let body = line.body, try isSame(current, body) { return .touch }
        if let isNow = line.isNow, try digest(current) == isNow { return .touch }
        guard try force || isExpected(line, current) else {
            throw Conflict(message: "has another body than the one that the patch was made for")
        }
        if let body = line.body { return .write(body) }
        guard let result = try line.delta.map({ try result(of: $0, current) }) else {
            return .touch
        }
        return try isSame(current, result) ? .touch : .write(result)
    }

    private static func result(
        of delta: FleeceDelta, _ current: Document
    ) throws -> FleeceDocument {
        do {
            // A document without properties has no body.
            let body = try current.body ?? FleeceDocument(json: "{}")
            let document = try FleeceDocument(trusted: delta.applied(to: body.root))
            guard document.root.dictionary != nil else {
                throw FleeceError(.invalidData, "the delta makes no JSON object")
            }
            return document
        } catch let error as FleeceError {
            throw Conflict(message: "is not what the delta was made for: \(error.message)")
        }
    }

    private static func isSame(_ current: Document, _ body: FleeceDocument) throws -> Bool {
        guard let own = current.body else { return body.root.dictionary?.isEmpty == true }
        return own.root == body.root
    }

    /// Whether the body is the one that the patch was made for, as far as it says which that is.
    private static func isExpected(_ line: PatchLine, _ current: Document) throws -> Bool {
        guard let was = line.was else { return true }
        return try digest(current) == was
    }

    private static func digest(_ current: Document) throws -> String {
        do {
            let body = try current.body ?? FleeceDocument(json: "{}")
            return try BodyDigest.text(of: body.root)
        } catch let error as FleeceError {
            throw Conflict(message: "is damaged: \(error.message)")
        }
    }
}
