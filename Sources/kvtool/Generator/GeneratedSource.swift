/// Made-up documents, to be imported.
struct GeneratedSource: DocumentSource {
    private var documents: GeneratedDocuments
    let totalBytes: Int
    private(set) var consumed = 0
    var name: String { "the generator" }
    var hasLines: Bool { false }
    var canGoOn: Bool { false }

    init(_ documents: GeneratedDocuments, count: Int) {
        self.documents = documents
        totalBytes = count
    }

    mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool {
        guard var document = documents.next() else {
            if let error = documents.error { throw error }
            return false
        }
        consumed += 1
        try document.withUTF8 {
            try body(SourceDocument(json: UnsafeRawBufferPointer($0), line: 1))
        }
        return true
    }
}
