internal import Foundation
internal import SQLCore
internal import SampleData

/// What a disk is sure to have, and what it may have, of the files that a `FaultVFS` writes.
///
/// The files themselves have every write at once, as a process sees them. Here a file's contents
/// are those of its latest sync, and the changes since then wait. A file that was made or deleted
/// since then may be there or not.
struct ShadowDisk {
    fileprivate enum Change {
        case write([UInt8], at: Int)
        case truncate(Int)
        /// The entry of the directory went; later changes are to a new file.
        case delete
    }

    private struct File {
        /// What is sure; nil if the directory may have no entry for it.
        var contents: [UInt8]?
        var pending: [Change] = []
    }

    /// The smallest part of a write that a disk does whole or not at all, in bytes.
    fileprivate static let sector = 512

    private var files: [String: File] = [:]

    mutating func opened(_ file: FaultFile) {
        guard let path = file.path, files[path] == nil else { return }
        // What was there before is taken to be on the disk. SQLite's locks would go if this
        // process opened the file and closed it, so it is read through SQLite's descriptor.
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

    /// Writes a disk that could be there after the power has gone, into another directory.
    ///
    /// Each sector of each change that waits has come to the disk or not, at random. Since a later
    /// write of a sector may be there without an earlier one, and the other way round, this is
    /// every order in which a disk may write them.
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
                // If the directory still has the old file, the new one of this name is nowhere.
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
    /// Writes a file. Foundation would sync it, which takes longer than all the rest.
    private static func write(_ contents: [UInt8], to path: String) throws {
        let file = fopen(path, "wb")
        let count = file.map { fwrite(contents, 1, contents.count, $0) }
        guard file.map({ fclose($0) }) == 0, count == contents.count else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
    }
}

extension ShadowDisk.Change {
    /// Does to a file's contents what has come to the disk.
    ///
    /// - Parameter arrives: whether the part that begins at this offset does.
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
                let place = offset + start
                let end = min(
                    bytes.count, (place / ShadowDisk.sector + 1) * ShadowDisk.sector - offset)
                if arrives(place) { put(bytes[start..<end], at: place, in: &contents) }
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
    /// All that is in the file, read below what is counted.
    func contents() -> [UInt8] {
        var size: Int64 = 0
        guard uncountedSize(&size) == .ok, size > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let whole = UnsafeMutableRawBufferPointer(buffer)
            count = uncountedRead(into: whole, at: 0) == .ok ? Int(size) : 0
        }
    }
}
