package import DocumentStore

/// A destination for exported documents.
package protocol DocumentSink {
    /// Writes a document: an object with `_id` first.
    mutating func write(_ json: borrowing JSONText, id: String) throws
    /// Completes the output.
    mutating func finish() throws
}

/// Writes one document per line.
package struct LineSink: DocumentSink {
    package let output: ByteOutput

    package init(output: ByteOutput) {
        self.output = output
    }

    package mutating func write(_ json: borrowing JSONText, id: String) throws {
        try json.utf8.withUnsafeBytes { try output.write($0) }
        try Self.end.withUnsafeBytes { try output.write($0) }
    }

    package mutating func finish() throws { try output.finish() }

    private static let end: [UInt8] = [0x0A]
}

/// Writes one array with a line for each document, or an object with the array as its last
/// property.
package struct ArraySink: DocumentSink {
    private let output: ByteOutput
    /// The text before and after the array.
    private let (beginning, end): (String, String)
    private var isFirst = true

    package init(output: ByteOutput) {
        self.output = output
        (beginning, end) = ("", "")
    }

    /// - Parameter header: the properties before `documents`.
    package init(output: ByteOutput, header: JSONObject) {
        self.output = output
        let properties = String(decoding: header.properties, as: UTF8.self)
        (beginning, end) = ("{\(properties),\"documents\":", "}")
    }

    package mutating func write(_ json: borrowing JSONText, id: String) throws {
        try output.write(Array((isFirst ? "\(beginning)[\n" : ",\n").utf8))
        isFirst = false
        try json.utf8.withUnsafeBytes { try output.write($0) }
    }

    package mutating func finish() throws {
        let last = isFirst ? "\(beginning)[]" : "\n]"
        try output.write(Array("\(last)\(end)\n".utf8))
        try output.finish()
    }
}

/// Writes a file `ID.json` for each document into a directory.
package struct DirectorySink: DocumentSink {
    private let directory: String
    private let replaces: Bool

    /// Creates the directory if it does not exist.
    package init(_ path: String, replaces: Bool) throws {
        directory = path.hasSuffix("/") ? path : path + "/"
        try OutputDestination.requireOutsideOfDatabases(directory + "document")
        self.replaces = replaces
        switch System.entry(path) {
        case .directory:
            guard replaces || (try? System.names(in: path).isEmpty) == true else {
                throw ToolError(
                    "\(path) is not empty; --force writes into it anyway", status: .conflict)
            }
        case .nothing:
            do {
                try System.createDirectory(path)
            } catch let failure as System.Failure {
                throw ToolError(
                    "\(path) cannot be created: \(failure.message)", status: .cannotOpen)
            }
        case .file, .other: throw ToolError("\(path) is not a directory", status: .conflict)
        }
    }

    package mutating func write(_ json: borrowing JSONText, id: String) throws {
        let name = EscapedID.name(id)
        var number = 1
        while true {
            // On case-insensitive file systems, `a` and `A` are the same name.
            let path = "\(directory)\(name)\(number == 1 ? "" : "~\(number)").json"
            do {
                return try write(json.utf8 + [0x0A], to: try open(path))
            } catch let failure as System.Failure {
                guard failure.isExisting, number < 1000 else {
                    throw ToolError(
                        "\(path) cannot be written: \(failure.message)",
                        status: ExitStatus(failure))
                }
                number += 1
            }
        }
    }

    package mutating func finish() throws {}

    /// Creates a new file, replacing an existing one if allowed. Links are not followed.
    private func open(_ path: String) throws -> Int32 {
        do {
            return try System.open(path, .creatingShared)
        } catch let failure as System.Failure where failure.isExisting && replaces {
            let old = System.permissions(path)
            System.remove(path)
            let file = try System.open(path, .creatingShared)
            if let old { System.setPermissions(old, of: file) }
            return file
        }
    }

    private func write(_ bytes: [UInt8], to file: Int32) throws {
        do {
            try bytes.withUnsafeBytes { try System.write(file, $0) }
        } catch {
            System.close(file)
            throw error
        }
        try System.closeWritten(file)
    }
}
