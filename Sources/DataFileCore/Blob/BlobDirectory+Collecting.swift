internal import StoreFormat
internal import StorePlatform

extension BlobDirectory {
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
        guard let directory = try OpenDirectory(path) else { return found }
        try directory.forEachName { name in
            if let digest = try digest(ofFile: name, in: directory) {
                if isRemovable(digest, directory.status(name)) { found.digests.insert(digest) }
            } else if try isLeftover(name, directory, keepsEncrypted: false) {
                found.hasLeftovers = true
            }
        }
        return found
    }

    private func isLeftover(
        _ name: String, _ directory: OpenDirectory, keepsEncrypted: Bool
    ) throws -> Bool {
        guard let status = directory.status(name), status.entry == .file, isOld(status.modified)
        else { return false }
        return try Self.isDraft(name)
            || isOtherForm(name, directory, keepsEncrypted: keepsEncrypted)
    }

    /// Whether a file was left by the encryption of the database, or its opposite, that a crash has
    /// ended: a plain one beside the encrypted one, or an encrypted one whose key is gone.
    private func isOtherForm(
        _ name: String, _ directory: OpenDirectory, keepsEncrypted: Bool
    ) throws -> Bool {
        guard cipher == nil else { return try isPlainLeftover(name, in: directory) }
        return !keepsEncrypted && BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil
    }

    package func remove(_ unused: Set<BlobDigest>, keepsEncrypted: Bool) throws -> BlobRemoval {
        var removal = BlobRemoval()
        guard let directory = try OpenDirectory(path) else { return removal }
        guard try lockAlone(directory) else {
            removal.isComplete = false
            return removal
        }
        // First: of a plain file it is the encrypted one that tells that it is a leftover.
        try removeLeftovers(directory, keepsEncrypted: keepsEncrypted)
        for digest in unused {
            // Somebody may have put it again since it was found.
            guard let status = directory.status(fileName(digest)), isRemovable(digest, status) else {
                continue
            }
            // A plain leftover that is not old yet would stay for good.
            if try isPlainLeftover(digest.fileName, in: directory) {
                try directory.remove(digest.fileName)
            }
            try directory.remove(fileName(digest))
            removal.blobs += 1
            removal.bytes += status.size
        }
        try directory.sync()
        return removal
    }

    /// A put keeps its file locked until it is installed: only a crash leaves one that is not.
    private func removeLeftovers(_ directory: OpenDirectory, keepsEncrypted: Bool) throws {
        var names: [String] = []
        try directory.forEachName {
            if try isLeftover($0, directory, keepsEncrypted: keepsEncrypted) { names.append($0) }
        }
        for name in names {
            guard let file = try directory.file(name), try file.lock(.exclusive) == .locked else {
                continue
            }
            try directory.remove(name)
        }
    }

    /// Others hold the lock for moments, but for one who copies the directory: for that nobody waits.
    func lockAlone(_ directory: OpenDirectory) throws -> Bool {
        for _ in 0..<Self.attempts {
            switch try directory.lock(.exclusive, waits: false) {
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
        let directory = try OpenDirectory(path)
        _ = try directory?.lock(.shared, waits: true)
        return directory
    }
}
