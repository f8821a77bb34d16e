/// Where a command writes its bytes: standard output, or a file that appears only when it is
/// whole.
final class ByteOutput {
    private let path: String?
    private let draft: String
    private var descriptor: Int32?
    private var buffer: [UInt8] = []
    private static let flushSize = 1 << 18

    /// Standard output for nil and `-`.
    ///
    /// - Parameter replaces: whether a file that is there may be written over.
    init(path: String?, replaces: Bool = false) throws {
        guard let path, path != "-" else {
            (self.path, draft) = (nil, "")
            return
        }
        guard !path.isEmpty else { throw ToolError("the file's path is empty", status: .usage) }
        self.path = path
        switch System.entry(path) {
        case .nothing: draft = path + ".part"
        // A device or a pipe is not replaced by a file.
        case .other: draft = path
        case .folder:
            throw ToolError("\(path) is a folder; a file is needed", status: .cannotOpen)
        case .file:
            guard replaces else {
                throw ToolError(
                    "\(path) exists already; --force writes over it", status: .conflict)
            }
            draft = path + ".part"
        }
        do {
            descriptor = try System.open(draft, .replacing)
        } catch let failure as System.Failure {
            throw ToolError(
                "\(path) cannot be written: \(failure.message)", status: .cannotOpen)
        }
    }

    deinit {
        // What is not whole goes.
        guard let descriptor else { return }
        System.close(descriptor)
        if draft != path { System.remove(draft) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard path != nil else { return try StandardOutput.write(bytes) }
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.flushSize { try flush() }
    }

    func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// Writes the rest; the file gets its name.
    func finish() throws {
        guard let path, let descriptor else { return }
        try flush()
        System.close(descriptor)
        self.descriptor = nil
        guard draft != path else { return }
        do {
            try System.move(draft, to: path)
        } catch let failure as System.Failure {
            System.remove(draft)
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
