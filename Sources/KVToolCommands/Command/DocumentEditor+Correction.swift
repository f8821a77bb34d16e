internal import KVToolCore

extension DocumentEditor {
    /// Opens the editor until the text is accepted; on a terminal, a person can correct it.
    ///
    /// - Parameters:
    ///   - id: the ID of the document, for the error.
    ///   - accept: returns what the text stands for; throws a `ToolError` if it is not valid.
    func edit<T>(_ id: String, _ accept: ([UInt8]) throws -> T) throws -> T {
        while true {
            let text = try edit()
            do {
                return try accept(text)
            } catch let error as ToolError {
                let message = "\(error.message); the text is in \(path)"
                guard Prompt.canPrompt else { throw ToolError(message) }
                StandardError.current.write(message)
                guard Prompt.confirm("Correct it?") else {
                    throw ToolError("document \"\(Text.line(id))\" was not changed")
                }
            }
        }
    }
}
