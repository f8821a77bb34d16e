extension BlobFolder {
    /// Whether something that was changed at a time is older than the grace; never what seems to
    /// come from the future.
    private func isOld(_ modified: Int64) -> Bool {
        let (age, isTooLarge) = now().subtractingReportingOverflow(modified)
        return isTooLarge ? modified < 0 : age >= graceMilliseconds
    }

    private func isRemovable(_ digest: BlobDigest, _ status: FileStatus?) -> Bool {
        guard let status, status.entry == .file else { return false }
        return isOld(status.modified) && !pins.holds(digest)
    }

    func candidates() throws -> BlobCandidates {
        var found = BlobCandidates()
        guard let folder = try OpenFolder(path) else { return found }
        try folder.forEachName { name in
            if let digest = try digest(ofFile: name, in: folder) {
                if isRemovable(digest, folder.status(name)) { found.digests.insert(digest) }
            } else if isLeftover(name, folder) {
                found.hasLeftovers = true
            }
        }
        return found
    }

    private func isLeftover(_ name: String, _ folder: OpenFolder) -> Bool {
        guard isDraft(name) || isOtherForm(name, folder), let status = folder.status(name)
        else { return false }
        return status.entry == .file && isOld(status.modified)
    }

    private func isDraft(_ name: String) -> Bool {
        name.utf8.starts(with: Self.draftPrefix.utf8)
    }

    /// Whether a file was left by the encryption of the database, or its opposite, that a crash has
    /// ended: a plain one beside the encrypted one, or an encrypted one whose key is gone.
    private func isOtherForm(_ name: String, _ folder: OpenFolder) -> Bool {
        if cipher == nil { return BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil }
        return BlobDigest(fileName: name).map { folder.status(fileName($0)) != nil } ?? false
    }

    func remove(_ unused: Set<BlobDigest>) throws -> BlobRemoval {
        var removal = BlobRemoval()
        guard let folder = try OpenFolder(path) else { return removal }
        guard try lockAlone(folder) else {
            removal.isComplete = false
            return removal
        }
        for digest in unused {
            // Somebody may have put it again since it was found.
            guard let status = folder.status(fileName(digest)), isRemovable(digest, status) else {
                continue
            }
            try folder.remove(fileName(digest))
            removal.blobs += 1
            removal.bytes += status.size
        }
        try removeLeftovers(folder)
        try folder.sync()
        return removal
    }

    /// A put keeps its file locked until it is installed: only a crash leaves one that is not.
    private func removeLeftovers(_ folder: OpenFolder) throws {
        var names: [String] = []
        try folder.forEachName { if isLeftover($0, folder) { names.append($0) } }
        for name in names {
            guard let file = try folder.file(name), try file.lock(.exclusive) == .locked else {
                continue
            }
            try folder.remove(name)
        }
    }

    /// Others hold the lock for moments, but for one who copies the folder: for that nobody waits.
    private func lockAlone(_ folder: OpenFolder) throws -> Bool {
        for _ in 0..<Self.attempts {
            switch try folder.lock(.exclusive, waits: false) {
            case .locked: return true
            case .impossible: return false
            case .busy: FileSystem.pause(milliseconds: 1)
            }
        }
        return false
    }

    /// A little more than a second.
    private static let attempts = 1000

    func keep() throws -> (any Sendable)? {
        let folder = try OpenFolder(path)
        _ = try folder?.lock(.shared, waits: true)
        return folder
    }
}
