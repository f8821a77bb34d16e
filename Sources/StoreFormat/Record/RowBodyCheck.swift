package import FleeceLite

/// Tells whether bodies can be read that a row of a collection keeps: that of the current revision,
/// those of others, and what remotes have.
///
/// What a body is asked here is all that is asked of one: to read it so far takes too long for
/// queries, which look at its root only.
package struct RowBodyCheck {
    package let sharedKeys: SharedKeys
    let level: FleeceValidation

    /// What a body is.
    package enum Finding {
        case readable(RawBody)
        case noDictionary
        case damaged(any Error)
    }

    /// - Parameters:
    ///   - sharedKeys: those of the file; none if they are damaged, so that no body can be read
    ///     that has numbers for keys.
    ///   - level: `.strict`, so that no text in it has bytes that were overwritten.
    package init(sharedKeys: SharedKeys, level: FleeceValidation = .strict) {
        self.sharedKeys = sharedKeys
        self.level = level
    }

    /// Looks at a body that there is, from its root to its end.
    package func look(at body: UnsafeRawBufferPointer) -> Finding {
        do {
            try level.check(body, sharedKeys: sharedKeys)
        } catch {
            return .damaged(error)
        }
        return RawBody(body, sharedKeys: sharedKeys).map { .readable($0) } ?? .noDictionary
    }

    /// Whether a body is a dictionary that can be read to its end, or there is none.
    package func isReadable(_ body: UnsafeRawBufferPointer) -> Bool {
        guard !body.isEmpty else { return true }
        guard case .readable = look(at: body) else { return false }
        return true
    }

    /// What remotes have, of a row whose own body can be read.
    ///
    /// Throws what is wrong with it.
    package func remotes(
        _ extra: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
    ) throws -> RemoteRevisions {
        let extra = [UInt8](extra)
        let base = body.isEmpty ? nil : try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
        _ = try FleeceDocument(validating: extra, sharedKeys: sharedKeys, level: level, base: base)
        return try RemoteRevisions(extra: extra, body: base, sharedKeys: sharedKeys)
    }
}

// The columns of a row, which are empty where they are `NULL`.
extension RowBodyCheck {
    /// Whether all bodies can be read.
    ///
    /// Takes a time that grows as the length of the columns does.
    package func isWhole(
        version: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer,
        extra: UnsafeRawBufferPointer
    ) -> Bool {
        guard !isTree(version, body, extra) else { return isWholeTree(body) }
        guard isReadable(body) else { return false }
        guard !extra.isEmpty else { return true }
        guard VersionVector.isVector(version) else { return isWholeTree(extra) }
        do {
            _ = try remotes(extra, body)
            return true
        } catch {
            return false
        }
    }

    /// Whether the body of the current revision can be read.
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

    /// Whether all bodies are in the column `body`, as in rows of 2.x.
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
