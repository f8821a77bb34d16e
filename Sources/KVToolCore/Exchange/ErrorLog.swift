internal import DocumentStore

/// A file of what an import could not take: a JSON object a line, with the text that was there.
package final class ErrorLog {
    /// Something that could not be taken.
    struct Entry {
        private(set) var file = ""
        let place: TextLocation
        let message: String
        /// The text of the document.
        let document: [UInt8]?
        /// All that in one line for people.
        private(set) var text = ""

        init(place: TextLocation, message: String, document: [UInt8]?) {
            self.place = place
            self.message = message
            self.document = document
        }

        /// Says where it was, when that is known.
        mutating func name(_ file: String, _ text: String) {
            self.file = file
            self.text = text
        }
    }

    private let path: String
    private let descriptor: Int32

    /// Adds to a file, or makes it.
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
        object.add("line", entry.place.line)
        object.add("column", entry.place.column)
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
