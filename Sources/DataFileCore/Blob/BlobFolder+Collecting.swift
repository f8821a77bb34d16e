internal import StoreFormat
internal import StorePlatform

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

    package func candidates() throws -> BlobCandidates {
        var found = BlobCandidates()
        guard let folder = try OpenFolder(path) else { return found }
        try folder.forEachName { name in
            if let digest = try digest(ofFile: name, in: folder) {
                if isRemovable(digest, folder.status(name)) { found.digests.insert(digest) }
            } else if try isLeftover(name, folder, keepsEncrypted: false) {
                found.hasLeftovers = true
            }
        }
        return found
    }

    private func isLeftover(
        _ name: String, _ folder: OpenFolder, keepsEncrypted: Bool
    ) throws -> Bool {
        guard let status = folder.status(name), status.entry == .file, isOld(status.modified)
        else { return false }
        return try Self.isDraft(name)
            || isOtherForm(name, folder, keepsEncrypted: keepsEncrypted)
    }

    /// Whether a file was left by the encryption of the database, or its opposite, that a crash has
    /// ended: a plain one beside the encrypted one, or an encrypted one whose key is gone.
    private func isOtherForm(
        _ name: String, _ folder: OpenFolder, keepsEncrypted: Bool
    ) throws -> Bool {
        guard cipher == nil else { return try isPlainLeftover(name, in: folder) }
        return !keepsEncrypted && BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil
    }

    package func remove(_ unused: Set<BlobDigest>, keepsEncrypted: Bool) throws -> BlobRemoval {
        var removal = BlobRemoval()
        guard let folder = try OpenFolder(path) else { return removal }
        guard try lockAlone(folder) else {
            removal.isComplete = false
            return removal
        }
        // First: of a plain file it is the encrypted one that tells that it is a leftover.
        try removeLeftovers(folder, keepsEncrypted: keepsEncrypted)
        for digest in unused {
            // Somebody may have put it again since it was found.
            guard let status = folder.status(fileName(digest)), isRemovable(digest, status) else {
                continue
            }
            // A plain leftover that is not old yet would stay for good.
            if try isPlainLeftover(digest.fileName, in: folder) {
                try folder.remove(digest.fileName)
            }
            try folder.remove(fileName(digest))
            removal.blobs += 1
            removal.bytes += status.size
        }
        try folder.sync()
        return removal
    }

    /// A put keeps its file locked until it is installed: only a crash leaves one that is not.
    private func removeLeftovers(_ folder: OpenFolder, keepsEncrypted: Bool) throws {
        var names: [String] = []
        try folder.forEachName {
            if try isLeftover($0, folder, keepsEncrypted: keepsEncrypted) { names.append($0) }
        }
        for name in names {
            guard let file = try folder.file(name), try file.lock(.exclusive) == .locked else {
                continue
            }
            try folder.remove(name)
        }
    }

    /// Others hold the lock for moments, but for one who copies the folder: for that nobody waits.
    func lockAlone(_ folder: OpenFolder) throws -> Bool {
        for _ in 0..<Self.attempts {
            switch try folder.lock(.exclusive, waits: false) {
            case .locked: return true
            case .impossible: return false
            case .busy: pause(milliseconds: 1)
            }
        }
        return false
    }

    /// A little more than a second.
    private static let attempts = 1000

    package func keep() throws -> (any Sendable)? {
        let folder = try OpenFolder(path)
        _ = try folder?.lock(.shared, waits: true)
        return folder
    }
}
