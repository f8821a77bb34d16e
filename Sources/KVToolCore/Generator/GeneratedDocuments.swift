internal import DocumentStore
internal import SampleData

/// A sequence of synthetic documents, as JSON.
package struct GeneratedDocuments: Sequence, IteratorProtocol {
    private enum Kind {
        case people(People)
        case texts(Paragraphs)
        case template(GeneratorTemplate, GeneratorValues)
    }

    private var kind: Kind
    private var number = 0
    private let count: Int
    /// The error that ended the sequence.
    package private(set) var error: (any Error)?

    package init(people count: Int, seed: UInt64) {
        (kind, self.count) = (.people(People(count: count, seed: seed)), count)
    }

    package init(texts count: Int, seed: UInt64) {
        (kind, self.count) = (.texts(Paragraphs(count: count, seed: seed)), count)
    }

    package init(_ template: GeneratorTemplate, count: Int, seed: UInt64) {
        (kind, self.count) = (.template(template, GeneratorValues(seed: seed)), count)
    }

    package mutating func next() -> String? {
        guard number < count else { return nil }
        number += 1
        switch kind {
        case .people(var people):
            let person = people.next()
            kind = .people(people)
            return person
        case .texts(var texts):
            guard let text = texts.next() else { return nil }
            kind = .texts(texts)
            return Self.document(text, number)
        case .template(let template, var values):
            values.index = number - 1
            var text = JSONText()
            do {
                try template.write(to: &text, &values)
            } catch {
                self.error = error
                return nil
            }
            kind = .template(template, values)
            return text.string
        }
    }

    private static func document(_ text: String, _ number: Int) -> String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: Swift.max(0, 7 - digits.count))
        var json = JSONObject()
        json.add("_id", "text-\(zeros)\(digits)")
        json.add("text", text)
        return json.finished().string
    }
}

/// Synthetic documents as a source for an import.
package struct GeneratedSource: DocumentSource {
    private var documents: GeneratedDocuments
    package let totalBytes: Int
    package private(set) var consumed = 0
    package var name: String { "the generator" }
    package var hasLines: Bool { false }
    package var canResume: Bool { false }

    package init(_ documents: GeneratedDocuments, count: Int) {
        self.documents = documents
        totalBytes = count
    }

    package mutating func next(_ body: (SourceDocument) throws -> Void) throws -> Bool {
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
