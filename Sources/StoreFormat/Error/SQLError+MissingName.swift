internal import SQLCore

extension SQLError {
    /// The function, collation, module or tokenizer that SQLite lacks; nil if that is not what the
    /// error is about.
    package var missingName: String? {
        guard .error ~= code else { return nil }
        let beginnings = [
            "unknown function: ", "no such function: ", "no such collation sequence: ",
            "no such module: ", "unknown tokenizer: ",
        ]
        for beginning in beginnings where message.hasPrefix(beginning) {
            return String(message.dropFirst(beginning.count).prefix { $0 != "(" })
        }
        return nil
    }
}
