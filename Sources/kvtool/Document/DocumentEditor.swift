internal import DocumentStore

/// The text of a document in a file for an editor, which only this user can read.
struct DocumentEditor {
    /// Where the text is.
    let path: String
    private let command: String

    /// Writes the text into a new file.
    ///
    /// - Parameter command: the editor, as a shell runs it.
    init(_ text: [UInt8], id: String, command: String) throws {
        self.command = command
        let name = id.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(40)
        path = "\(System.temporaryFolder)/kvtool-\(DocumentID.generate())-\(String(name)).json"
        do {
            let file = try System.open(path, .making)
            defer { System.close(file) }
            try text.withUnsafeBytes { try System.write(file, $0) }
        } catch let failure as System.Failure {
            System.remove(path)
            throw ToolError("\(path) cannot be written: \(failure.message)")
        }
    }

    /// Opens the editor and waits until it is closed; returns the text then.
    func edit() throws -> [UInt8] {
        let status = try OtherProgram(shell: command, [path]).wait()
        guard status == 0 else {
            throw ToolError(
                "the editor \(Text.line(command)) ended with status \(status); the text is in "
                    + path)
        }
        return try InputFile.contents(of: path)
    }

    /// Removes the file.
    func remove() { System.remove(path) }

    /// The editor that was named, or that the environment names.
    static func command(_ given: String?) -> String {
        given ?? System.environment("VISUAL") ?? System.environment("EDITOR") ?? "vi"
    }
}
