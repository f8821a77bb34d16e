internal import DocumentStore

/// Files in the directory for temporary ones.
package enum TemporaryFile {
    /// Writes bytes into a new file, readable only by this user; returns its path.
    ///
    /// - Parameter name: the end of its name.
    package static func create(_ bytes: [UInt8], name: String) throws -> String {
        let path = "\(System.temporaryDirectory)/kvtool-\(DocumentID.generate())-\(name)"
        do {
            let file = try System.open(path, .creating)
            defer { System.close(file) }
            try bytes.withUnsafeBytes { try System.write(file, $0) }
            return path
        } catch let failure as System.Failure {
            System.remove(path)
            throw ToolError("\(path) cannot be written: \(failure.message)")
        }
    }
}
