internal import DocumentStore

/// A file with the records that an import rejected: one JSON object per line, with the text of the
/// record.
package final class ErrorLog {
    /// A rejected record.
    struct Entry {
        private(set) var file = ""
        let location: TextLocation
        let message: String
        /// The text of the document.
        let document: [UInt8]?
        /// The message for the console, on one line.
        private(set) var text = ""

        init(location: TextLocation, message: String, document: [UInt8]?) {
            self.location = location
            self.message = message
            self.document = document
        }

        /// Sets the file name and the message, which are known later.
        mutating func name(_ file: String, _ text: String) {
            self.file = file
            self.text = text
        }
    }

    private let path: String
    private let descriptor: Int32

    /// Opens a file for appending, and creates it if it does not exist.
    package init(path: String) throws {
        self.path = path
        try OutputDestination.requireOutsideOfDatabases(path)
        do {
            descriptor = try System.open(path, .appending)
        } catch let failure as System.Failure {
            throw ToolError(
                "\(path) cannot be written: \(failure.message)", status: .cannotOpen)
        }
    }

    deinit { System.close(descriptor) }

    func add(_ entry: Entry) throws {
        var object = JSONObject()
        object.add("file", entry.file)
        object.add("line", entry.location.line)
        object.add("column", entry.location.column)
        object.add("message", entry.message)
        object.add("text", entry.document.map { String(decoding: $0, as: UTF8.self) })
        do {
            try (object.finished().utf8 + [0x0A]).withUnsafeBytes {
                try System.write(descriptor, $0)
            }
        } catch let failure as System.Failure {
            throw ToolError("\(path) cannot be written: \(failure.message)")
        }
    }
}
