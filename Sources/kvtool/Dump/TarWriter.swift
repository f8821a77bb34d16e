/// Writes an archive; see `TarHeader`.
struct TarWriter {
    private let output: ByteOutput

    init(_ output: ByteOutput) { self.output = output }

    /// Adds a file of these bytes.
    func add(_ name: String, _ bytes: [UInt8]) throws {
        try begin(name, size: bytes.count)
        try output.write(bytes)
        try end(size: bytes.count)
    }

    /// Begins a file, whose bytes come next.
    func begin(_ name: String, size: Int) throws {
        try output.write(TarHeader(file: name, size: size).bytes)
    }

    /// Adds bytes of the file.
    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    /// Ends the file.
    func end(size: Int) throws {
        try output.write([UInt8](repeating: 0, count: TarHeader.padding(size)))
    }

    /// Ends the archive.
    func finish() throws {
        try output.write([UInt8](repeating: 0, count: 2 * TarHeader.block))
    }
}
