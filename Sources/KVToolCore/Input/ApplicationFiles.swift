package import DocumentStore

/// The databases that the program itself has open, where an application runs commands: all handles
/// of a process to a file need the same options.
package final class ApplicationFiles: ContextValue {
    private let files: [DataFile]

    package init() { files = [] }

    package init(_ files: [DataFile]) { self.files = files }

    /// The options with which the application has a database open, with the access of the command;
    /// nil if it has not.
    func options(for path: String, _ access: DataFileOptions.Access) -> DataFileOptions? {
        guard var options = files.first(where: { System.isSame($0.path, path) })?.options
        else { return nil }
        options.access = access
        return options
    }
}
