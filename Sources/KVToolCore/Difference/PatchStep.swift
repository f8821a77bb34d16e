internal import DocumentStore

/// The change that a line of a patch requires, given the current document.
enum PatchStep {
    /// The document is already in the requested state.
    case none
    case write(FleeceDocument)
    /// Only the expiration changes.
    case touch
    case delete
    /// Leaves a tombstone for a document that does not exist.
    case createTombstone
    case purge

    /// The current document is not the one that the patch expects.
    struct Conflict: Error {
        let message: String
    }

    /// - Parameter force: whether to ignore the state of the current document.
    /// - Throws: a `Conflict`, also with `force` if the line does not contain enough information.
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
            guard let current else { return .createTombstone }
            if current.isDeleted { return .none }
            guard force else { throw Conflict(message: "exists and is not deleted") }
            return .delete
        }
        guard let body = line.body else { return .none }
        guard let current, !current.isDeleted else { return .write(body) }
        if try isSame(current, body) { return .none }
        guard force else { throw Conflict(message: "already exists with a different body") }
        return .write(body)
    }

    private static func removal(
        _ line: PatchLine, _ current: Document?, _ force: Bool
    ) throws -> PatchStep {
        guard let current else { return .none }
        let leavesNothing = line.deleted == false
        guard !current.isDeleted else { return leavesNothing ? .purge : .none }
        if line.wasDeleted == true, !force {
            throw Conflict(message: "exists, but the patch expects a tombstone")
        }
        guard try force || isExpected(line, current) else {
            throw Conflict(message: "does not have the body that the patch removes")
        }
        return leavesNothing ? .purge : .delete
    }

    private static func change(
        _ line: PatchLine, _ current: Document?, _ force: Bool
    ) throws -> PatchStep {
        guard let current, !current.isDeleted else {
            let state = current == nil ? "does not exist" : "is deleted"
            guard force, let body = line.body else { throw Conflict(message: state) }
            return .write(body)
        }
        guard line.delta != nil || line.body != nil else { return .touch }
        if let body = line.body, try isSame(current, body) { return .touch }
        if let isNow = line.isNow, try digest(current) == isNow { return .touch }
        guard try force || isExpected(line, current) else {
            throw Conflict(message: "does not have the body that the patch was created from")
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
                throw FleeceError(.invalidData, "the delta does not produce a JSON object")
            }
            return document
        } catch let error as FleeceError {
            throw Conflict(message: "does not match the delta: \(error.message)")
        }
    }

    private static func isSame(_ current: Document, _ body: FleeceDocument) throws -> Bool {
        guard let own = current.body else { return body.root.dictionary?.isEmpty == true }
        return own.root == body.root
    }

    /// Whether the body is the one that the patch was created from; true if the patch has no
    /// digest.
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
