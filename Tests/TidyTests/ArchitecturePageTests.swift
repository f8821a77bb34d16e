import Foundation
import Testing

@Suite("ARCHITECTURE.md")
struct ArchitecturePageTests {
    @Test("its table of layers is that of Package.swift")
    func layers() throws {
        let page = try String(
            contentsOf: PackageFiles.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        var found: [Int: Set<String>] = [:]
        for row in page.matches(of: #/\n\| (\d+) \| `(\w+)` \|/#) {
            found[Int(row.1) ?? -1, default: []].insert(String(row.2))
        }
        #expect(found == PackageFiles.manifest.layers)
    }
}
