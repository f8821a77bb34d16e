import Testing

@Suite("ARCHITECTURE.md")
struct ArchitecturePageTests {
    @Test("its table of layers equals Package.swift")
    func layers() throws {
        let page = try PackageFiles.text("ARCHITECTURE.md")
        var found: [Int: Set<String>] = [:]
        for row in page.matches(of: #/\n\| (\d+) \| `(\w+)` \|/#) {
            found[Int(row.1) ?? -1, default: []].insert(String(row.2))
        }
        #expect(found == PackageFiles.manifest.layers)
    }

    /// The directories of each target as the page lists them, the lowest first.
    private static func directories() throws -> [String: [String]] {
        let page = try PackageFiles.text("ARCHITECTURE.md")
        let section = page.split(separator: "\n## ").first { $0.hasPrefix("Directories") }
        let rows = try #require(section).matches(of: #/\n\| (\w+) \| (.+) \|/#)
        var directories: [String: [String]] = [:]
        for row in rows.dropFirst() {
            directories[String(row.1), default: []] += row.2.split(separator: "·")
                .compactMap { $0.firstMatch(of: #/^\s*`(\w+)`/#).map { String($0.1) } }
        }
        return directories
    }

    @Test("its table of directories lists each directory of Sources once")
    func everyDirectory() throws {
        var expected: [String: Set<String>] = [:]
        for file in try PackageFiles.all.get() {
            let parts = file.directory(2).split(separator: "/").map(String.init)
            guard file.target != nil, parts.count == 2 else { continue }
            expected[parts[0], default: []].insert(parts[1])
        }
        let found = try Self.directories()
        for target in Set(expected.keys).union(found.keys) {
            #expect(found[target]?.sorted() == expected[target]?.sorted(), "\(target)")
        }
    }

    @Test("its table of directories lists each one below those that use it")
    func order() throws {
        let directories = try Self.directories()
        /// The height of a directory; 0 for files that are not in a listed directory.
        func height(_ path: String) -> Int? {
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count == 2 else { return 0 }
            return directories[parts[0]]?.firstIndex(of: parts[1]).map { $0 + 1 }
        }
        let graph = TypeGraph(try PackageFiles.all.get(), PackageFiles.manifest)
        var count = 0
        for (user, used) in graph.arrows {
            for (path, names) in used
            where path.split(separator: "/")[0] == user.split(separator: "/")[0] {
                count += 1
                guard let above = height(user), let below = height(path), below >= above else {
                    continue
                }
                Issue.record(
                    """
                    \(user) uses \(names.sorted().joined(separator: ", ")) of \(path), which \
                    ARCHITECTURE.md lists after it: move the type, or the entry
                    """)
            }
        }
        #expect(count > 100)
    }
}
