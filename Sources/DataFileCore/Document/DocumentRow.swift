internal import StoreFormat

/// The columns of a document's row that hold its revisions.
struct DocumentRow {
    /// The current revision.
    var revisionID: RevisionID?
    var body: [UInt8]?
    var extra: [UInt8]?
    var flags: DocumentFlags

    /// Lends the columns.
    func withContent<T>(_ use: (RowContent) throws -> T) throws -> T {
        try (revisionID?.binary).withOptionalBytes { version in
            try body.withOptionalBytes { body in
                try extra.withOptionalBytes { extra in
                    try use(
                        RowContent(version: version, body: body, extra: extra, flags: flags))
                }
            }
        }
    }
}
