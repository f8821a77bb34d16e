package import FleeceLite

/// Checks whether the bodies in a collection's row are readable: that of the current revision,
/// those of other revisions, and those of remotes.
///
/// This is the complete check. It takes too long for queries, which only check a body's root.
package struct RowBodyCheck {
    package let sharedKeys: SharedKeys
    let level: FleeceValidation

    /// The result of checking a body.
    package enum Finding {
        case readable(RawBody)
        case notADictionary
        case damaged(any Error)
    }

    /// - Parameters:
    ///   - sharedKeys: the file's shared keys; empty if they are damaged, which makes every body
    ///     with integer keys unreadable.
    ///   - level: `.strict`, so that overwritten bytes in strings are found, too.
    package init(sharedKeys: SharedKeys, level: FleeceValidation = .strict) {
        self.sharedKeys = sharedKeys
        self.level = level
    }

    /// Checks a body, which must not be empty, from its root to its end.
    package func look(at body: UnsafeRawBufferPointer) -> Finding {
        do {
            try level.check(body, sharedKeys: sharedKeys)
        } catch {
            return .damaged(error)
        }
        return RawBody(body, sharedKeys: sharedKeys).map { .readable($0) } ?? .notADictionary
    }

    /// Whether a body is empty, or a dictionary that is readable to its end.
    package func isReadable(_ body: UnsafeRawBufferPointer) -> Bool {
        guard !body.isEmpty else { return true }
        guard case .readable = look(at: body) else { return false }
        return true
    }

    /// The remotes' revisions of a row whose own body is readable.
    ///
    /// Throws an error that describes the damage.
    package func remotes(
        _ extra: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
    ) throws -> RemoteRevisions {
        let extra = [UInt8](extra)
        let base = body.isEmpty ? nil : try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
        _ = try FleeceDocument(validating: extra, sharedKeys: sharedKeys, level: level, base: base)
        return try RemoteRevisions(extra: extra, body: base, sharedKeys: sharedKeys)
    }
}

// The columns of a row; `NULL` is passed as empty.
extension RowBodyCheck {
    /// Whether all bodies are readable.
    ///
    /// Takes time proportional to the length of the columns.
    package func isWhole(
        version: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer,
        extra: UnsafeRawBufferPointer
    ) -> Bool {
        guard !isTree(version, body, extra) else { return isWholeTree(body) }
        guard isReadable(body) else { return false }
        guard !extra.isEmpty else { return true }
        guard VersionVector.isVector(version) || RemoteRevisions.isStored(in: extra) else {
            return isWholeTree(extra)
        }
        do {
            _ = try remotes(extra, body)
            return true
        } catch {
            return false
        }
    }

    /// Whether the body of the current revision is readable.
    package func hasWholeCurrentBody(
        version: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer,
        extra: UnsafeRawBufferPointer
    ) -> Bool {
        guard isTree(version, body, extra) else { return isReadable(body) }
        do {
            return try RevisionTree.currentBody(in: body).map { isReadable($0) } ?? true
        } catch {
            return false
        }
    }

    /// Whether the column `body` is a tree of all bodies, as in rows of 2.x.
    private func isTree(
        _ version: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer,
        _ extra: UnsafeRawBufferPointer
    ) -> Bool {
        extra.isEmpty && !version.isEmpty && !VersionVector.isVector(version)
            && RevisionTree.hasOutline(body)
    }

    private func isWholeTree(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let tree = try? RevisionTree(binary: [UInt8](bytes)) else { return false }
        return tree.revisions.allSatisfy { revision in
            revision.body.map { body in body.withUnsafeBytes { isReadable($0) } } ?? true
        }
    }
}
