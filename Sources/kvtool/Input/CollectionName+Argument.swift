internal import DocumentStore

extension CollectionName {
    /// Reads a name as it was typed: one that no collection can have is wrong usage.
    init(argument: String) throws {
        self = try ToolError.asUsage { try CollectionName(argument) }
    }
}
