internal import StoreFormat
internal import StorePlatform

extension BlobDirectory {
    /// Whether a modification time is older than the grace period; false for times in the future.
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

    /// Whether an encryption or decryption that crashed left the file: a plaintext one next to the
    /// encrypted one, or an encrypted one whose key no longer exists.
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
        // First, because a plaintext file is identified as a leftover by its encrypted one.
        try removeLeftovers(directory, keepsEncrypted: keepsEncrypted)
        for digest in unused {
            // It may have been put again since it was found.
            guard let status = directory.status(fileName(digest)), isRemovable(digest, status)
            else {
                continue
            }
            // Otherwise a plaintext leftover that is still within the grace period would stay
            // forever.
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

    /// A put holds a lock on its file until it is installed: an unlocked one was left by a crash.
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

    /// Others hold the lock briefly, except while copying the directory; do not wait for that.
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

    /// Slightly more than a second.
    private static let attempts = 1000

    package func preventRemoval() throws -> (any Sendable)? {
        let directory = try OpenDirectory(path)
        _ = try directory?.lock(.shared, waits: true)
        return directory
    }
}
