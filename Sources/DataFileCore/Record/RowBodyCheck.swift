internal import FleeceLite

/// Tells whether all bodies can be read that a row of a collection keeps: that of the current
/// revision, those of others, and what remotes have.
struct RowBodyCheck {
    /// Whether bodies can be read does not depend on what the numbers of keys stand for.
    private let sharedKeys = SharedKeys()

    /// Looks at the columns of a row, which are empty where they are `NULL`.
    ///
    /// Takes a time that grows as their length does.
    func isWhole(
        version: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer,
        extra: UnsafeRawBufferPointer
    ) -> Bool {
        let isVector = VersionVector.isVector(version)
        guard !extra.isEmpty else {
            let mayBeTree = !version.isEmpty && !isVector
            return mayBeTree && RevisionTree.hasOutline(body)
                ? isWholeTree(body) : isReadable(body)
        }
        guard isReadable(body) else { return false }
        return isVector ? areWholeRemotes(extra, body) : isWholeTree(extra)
    }

    /// Whether a body is a dictionary that can be read to its end, or there is none.
    private func isReadable(_ body: UnsafeRawBufferPointer) -> Bool {
        guard !body.isEmpty else { return true }
        guard RawBody(body, sharedKeys: sharedKeys) != nil else { return false }
        do {
            try FleeceValidation.structure.check(body, sharedKeys: sharedKeys)
            return true
        } catch {
            return false
        }
    }

    private func isWholeTree(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let tree = try? RevisionTree(binary: [UInt8](bytes)) else { return false }
        return tree.revisions.allSatisfy { revision in
            revision.body.map { body in body.withUnsafeBytes { isReadable($0) } } ?? true
        }
    }

    /// Whether all of a column can be read that leads into the body, too.
    private func areWholeRemotes(
        _ extra: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
    ) -> Bool {
        do {
            let base =
                body.isEmpty ? nil : try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
            let remotes = try FleeceDocument(
                validating: [UInt8](extra), sharedKeys: sharedKeys, base: base)
            return remotes.root.array != nil
        } catch {
            return false
        }
    }
}
