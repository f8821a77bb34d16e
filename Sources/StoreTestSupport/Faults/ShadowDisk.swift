internal import Foundation
internal import SQLCore
internal import SampleData

/// The guaranteed and the possible contents of a disk, for the files written by a `FaultVFS`.
///
/// The files themselves contain every write at once, as a process sees them. Here the contents of a
/// file are those of its latest sync, and the changes since then are pending. A file that was
/// created or deleted since then may or may not exist.
struct ShadowDisk {
    fileprivate enum Change {
        case write([UInt8], at: Int)
        case truncate(Int)
        /// The directory entry was removed; later changes are to a new file.
        case delete
    }

    private struct File {
        /// The guaranteed contents; nil if the directory may not have an entry for it.
        var contents: [UInt8]?
        var pending: [Change] = []
    }

    /// The size of the smallest part of a write that a disk writes atomically, in bytes.
    fileprivate static let sector = 512

    private var files: [String: File] = [:]

    mutating func opened(_ file: FaultFile) {
        guard let path = file.path, files[path] == nil else { return }
        // The previous contents are assumed to be on the disk. Opening and closing the file in this
        // process would release SQLite's locks, so it is read through SQLite's descriptor.
        let contents = file.contents()
        files[path] = File(contents: contents.isEmpty ? nil : contents)
    }

    mutating func wrote(_ path: String?, _ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        add(.write(Array(bytes), at: Int(offset)), path)
    }

    mutating func truncated(_ path: String?, to size: Int64) {
        add(.truncate(Int(size)), path)
    }

    mutating func synced(_ path: String?) {
        guard let path, let file = files[path] else { return }
        var contents = file.contents
        for change in file.pending { change.apply(to: &contents) { _ in true } }
        files[path] = File(contents: contents ?? [])
    }

    mutating func deleted(_ path: String, isDurable: Bool) {
        if isDurable { files[path] = File(contents: nil) } else { add(.delete, path) }
    }

    private mutating func add(_ change: Change, _ path: String?) {
        guard let path else { return }
        files[path, default: File()].pending.append(change)
    }

    /// Writes a possible state of the disk after a power loss into another directory.
    ///
    /// Each sector of each pending change is on the disk or not, at random. Since a later write of
    /// a sector may be there without an earlier one, and vice versa, this covers every order in
    /// which a disk may write them.
    func writeImage(of directory: String, to target: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Some disks have nearly everything, some nearly nothing.
        let chance = random.pick([0, 1, 5, 9, 10])
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            guard path.hasPrefix(directory + "/") else { continue }
            var contents = file.contents
            for change in file.pending {
                let before = contents
                change.apply(to: &contents) { _ in random.below(10) < chance }
                // If the directory still has the old file, the new one with this name has no entry.
                if case .delete = change, before != nil, contents != nil { break }
            }
            let copy = target + path.dropFirst(directory.count)
            guard let contents else {
                try? FileManager.default.removeItem(atPath: copy)
                continue
            }
            try FileManager.default.createDirectory(
                atPath: (copy as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try Self.write(contents, to: copy)
        }
    }
}

extension ShadowDisk {
    /// Writes a file without a sync, unlike Foundation, whose sync takes longer than everything
    /// else.
    private static func write(_ contents: [UInt8], to path: String) throws {
        let file = fopen(path, "wb")
        let count = file.map { fwrite(contents, 1, contents.count, $0) }
        guard file.map({ fclose($0) }) == 0, count == contents.count else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }
}

extension ShadowDisk.Change {
    /// Applies the part of a change that has reached the disk to a file's contents.
    ///
    /// - Parameter arrives: whether the sector at an offset has reached the disk.
    fileprivate func apply(to contents: inout [UInt8]?, _ arrives: (Int) -> Bool) {
        switch self {
        case .delete:
            if arrives(0) { contents = nil }
        case .truncate(let size):
            guard arrives(0), let old = contents else { return }
            contents =
                old.count >= size
                ? Array(old.prefix(size)) : old + Array(repeating: 0, count: size - old.count)
        case .write(let bytes, let offset):
            var start = 0
            while start < bytes.count {
                let position = offset + start
                let end = min(
                    bytes.count, (position / ShadowDisk.sector + 1) * ShadowDisk.sector - offset)
                if arrives(position) { put(bytes[start..<end], at: position, in: &contents) }
                start = end
            }
        }
    }

    private func put(_ bytes: ArraySlice<UInt8>, at offset: Int, in contents: inout [UInt8]?) {
        var file = contents.take() ?? []
        if file.count < offset + bytes.count {
            file.append(
                contentsOf: repeatElement(0, count: offset + bytes.count - file.count))
        }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        contents = file
    }
}

extension FaultFile {
    /// The whole file, read without counting the calls.
    func contents() -> [UInt8] {
        var size: Int64 = 0
        guard uncountedSize(&size) == .ok, size > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let whole = UnsafeMutableRawBufferPointer(buffer)
            count = uncountedRead(into: whole, at: 0) == .ok ? Int(size) : 0
        }
    }
}
