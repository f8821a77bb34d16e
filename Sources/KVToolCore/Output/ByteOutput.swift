internal import DocumentStore

/// The destination of a command's bytes: standard output, or a file that appears only when it is
/// complete.
package final class ByteOutput {
    private let path: String?
    private let draft: String
    private var descriptor: Int32?
    private var buffer: [UInt8] = []
    private static let flushSize = 1 << 18

    /// Opens a file; nil and `-` are standard output.
    ///
    /// - Parameter replaces: whether an existing file may be replaced.
    package init(path: String?, replaces: Bool = false) throws {
        guard let path, path != "-" else {
            (self.path, draft) = (nil, "")
            return
        }
        guard !path.isEmpty else { throw ToolError("the file's path is empty", status: .usage) }
        self.path = path
        try OutputDestination.requireOutsideOfDatabases(path)
        let entry = System.entry(path)
        switch entry {
        case .nothing, .other: break
        case .directory:
            throw ToolError("\(path) is a directory, not a file", status: .cannotOpen)
        case .file:
            guard replaces else {
                throw ToolError(
                    "\(path) already exists; use --force to overwrite it", status: .conflict)
            }
        }
        do {
            // A device or a pipe must not be replaced by a file.
            let file =
                entry == .other
                ? (path, try System.open(path, .replacing)) : try Self.openDraft(of: path)
            (draft, descriptor) = file
        } catch let failure as System.Failure {
            throw ToolError(
                "\(path) cannot be written: \(failure.message)", status: .cannotOpen)
        }
    }

    /// Creates a new file beside `path`. Existing files with such names are not reused: they may
    /// belong to another process, or be links.
    private static func openDraft(of path: String) throws -> (String, Int32) {
        var number = 1
        while true {
            let draft = path + (number == 1 ? "" : ".\(number)") + ".part"
            do {
                let descriptor = try System.open(draft, .creatingShared)
                if let old = System.permissions(path) {
                    System.setPermissions(old, of: descriptor)
                }
                return (draft, descriptor)
            } catch let failure as System.Failure where failure.isExisting && number < 100 {
                number += 1
            }
        }
    }

    deinit {
        // Removes an incomplete file.
        guard let descriptor else { return }
        System.close(descriptor)
        if draft != path { System.remove(draft) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard path != nil else {
            return try StandardOutput.current.write(bytes, keepsColours: false)
        }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.flushSize { try flush() }
    }

    package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// Writes buffered bytes and gives the file its final name.
    package func finish() throws {
        guard let path, let descriptor else { return }
        try flush()
        self.descriptor = nil
        do {
            try System.closeWritten(descriptor)
            if draft != path { try System.move(draft, to: path) }
        } catch let failure as System.Failure {
            if draft != path { System.remove(draft) }
            throw ToolError("\(path) cannot be written: \(failure.message)")
        }
    }

    private func flush() throws {
        guard let descriptor else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            try buffer.withUnsafeBytes { try System.write(descriptor, $0) }
        } catch let failure as System.Failure {
            throw ToolError("\(path ?? "") cannot be written: \(failure.message)")
        }
    }
}

/// Checks the path of an output file.
package enum OutputDestination {
    /// Throws for a file inside the directory of a database or its blobs, where it could overwrite
    /// part of the database.
    package static func requireOutsideOfDatabases(_ path: String) throws {
        guard let directory = EnclosingDatabase.around(path) else { return }
        throw ToolError(
            "\(Text.line(path)) is in the database \(Text.line(directory)); specify another path",
            status: .conflict)
    }
}
