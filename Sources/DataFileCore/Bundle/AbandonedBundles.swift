internal import StoreFormat

/// Bundles that a killed process was making, deleting or working with: hidden folders beside their
/// place.
enum AbandonedBundles {
    /// Removes those in a folder that nobody works on any more.
    ///
    /// Who makes a bundle keeps its folder locked (`HiddenFolder`): one that can be locked was
    /// abandoned. Nothing is removed where the file system has no locks, and what cannot be removed
    /// stays.
    static func remove(in parent: String) {
        guard let folder = try? OpenFolder(FileSystem.resolved(parent)) else { return }
        var names: [String] = []
        try? folder.forEachName { if isHidden($0) { names.append($0) } }
        for name in names {
            let path = "\(folder.path)/\(name)"
            guard let found = try? OpenFolder(path),
                (try? found.lock(.exclusive, waits: false)) == .locked
            else { continue }
            try? FileSystem.removeTree(path)
        }
    }

    /// Whether a name is one that `BundlePath.unusedSibling` has made.
    private static func isHidden(_ name: String) -> Bool {
        ["new", "deleted", "work"].contains { purpose in
            let prefix = BundlePath.hiddenPrefix + purpose + "-"
            guard name.hasPrefix(prefix) else { return false }
            let number = name.dropFirst(prefix.count)
            return (1...16).contains(number.count) && number.allSatisfy(\.isHexDigit)
        }
    }
}
