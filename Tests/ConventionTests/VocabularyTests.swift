import Testing

@Suite("Vocabulary")
struct VocabularyTests {
    /// The sources, and the pages that people read. The changelog keeps the words of its versions.
    private static func texts() throws -> [(path: String, text: String)] {
        let sources = try PackageFiles.all.get().filter(\.isInSources).map {
            ($0.path, $0.lines.joined(separator: "\n"))
        }
        let pages = try PackageFiles.names(in: "").filter { $0.hasSuffix(".md") }
        let docs = try PackageFiles.names(in: "docs").map { "docs/\($0)" }
        let catalogs = try PackageFiles.targets().flatMap { target in
            let catalog = "Sources/\(target)/\(target).docc"
            guard PackageFiles.exists(catalog) else { return [String]() }
            return try PackageFiles.names(in: catalog).map { "\(catalog)/\($0)" }
        }
        let others = (pages + docs + catalogs).filter {
            $0 != "CHANGELOG.md" && $0.hasSuffix(".md")
        }
        return try sources + others.map { ($0, try PackageFiles.text($0)) }
    }

    @Test("sources, help and pages use the standard words")
    func standardWords() throws {
        let texts = try Self.texts()
        #expect(texts.count > 800)
        for word in Vocabulary.all {
            for (path, line) in try word.lines(in: texts) {
                Issue.record("\(path):\(line): not /\(word.pattern)/, but \(word.standard)")
            }
        }
    }

    @Test("each word is found in its example", arguments: Vocabulary.all)
    func examples(_ word: Vocabulary) throws {
        let lines = try word.lines(in: [("page.md", "a line\n\(word.example)\n")]).map(\.line)
        #expect(lines == [2])
    }

    @Test("standard words are not found")
    func standard() throws {
        let text = """
            A collation, a Boolean, a directory, the WAL; there is no index, it is no longer used.
            Notifies observers; background maintenance; a subquery, a CTE, an aggregate function.
            """
        for word in Vocabulary.all {
            #expect(try word.lines(in: [("page.md", text)]).isEmpty, "\(word.pattern)")
        }
    }

    @Test("an exception applies to its files and lines, and is needed")
    func exceptions() throws {
        let texts = try Self.texts()
        for word in Vocabulary.all {
            for (index, exception) in word.exceptions.enumerated() {
                var strict = word
                strict.exceptions.remove(at: index)
                let covered = texts.filter { $0.path.hasPrefix(exception.path) }
                let (all, others) = (try strict.lines(in: covered), try word.lines(in: covered))
                #expect(
                    all.count > others.count, "\(exception.path): \(exception.reason)")
            }
        }
    }
}
