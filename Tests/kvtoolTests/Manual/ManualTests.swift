import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// The pages are true: what they show is run, and compared with what comes.
///
/// With STORE_WRITE_DOCS=1 in the environment they are rewritten where they are not.
@Suite("Documentation of kvtool", .serialized, .enabled(if: PostgresServer.isInstalled))
struct ManualTests {
    private static let manual = "docs/kvtool.md"
    private static let pages = [
        manual, "README.md", "docs/replication-tutorial.md", "docs/vectors.md",
    ]
    private static let writes = ProcessInfo.processInfo.environment["STORE_WRITE_DOCS"] == "1"

    private func run(_ page: ManualPage) throws -> [ManualShell.Result] {
        let shell = try ManualShell()
        return try page.steps.map { try shell.run($0) }
    }

    @Test("the commands of a page write what the page says", arguments: pages)
    func outputs(_ path: String) throws {
        var page = try ManualPage(path)
        let results = try run(page)
        #expect(!results.isEmpty)
        for result in results.reversed() {
            let step = result.step
            if step.isHidden {
                #expect(
                    result.status == 0 || step.command.contains(" # may fail"),
                    "\(path): \(step.command)\n\(result.lines.joined(separator: "\n"))")
                continue
            }
            if VolatileText.isSame(result.lines, as: step.output) { continue }
            if Self.writes {
                page.replace(step, result.lines)
            } else {
                let new = result.lines.joined(separator: "\n")
                let old = step.output.joined(separator: "\n")
                Issue.record("\(path): $ \(step.command)\nwrites\n\(new)\nnot\n\(old)")
            }
        }
        if Self.writes { try page.write() }
    }

    @Test("each command has a section, and each section a command, which is run in it")
    func sections() throws {
        let page = try ManualPage(Self.manual)
        let names = try CommandReference.read().commands.map(\.commandName)
        let sections = page.sections
        #expect(Set(sections.map(\.name)) == Set(names))
        #expect(sections.count == Set(sections.map(\.name)).count)
        let steps = page.steps
        for name in names {
            let isRun = steps.contains {
                $0.section == name && $0.command.contains("kvtool \(name)")
            }
            #expect(isRun, "no block of the section \(name) runs kvtool \(name)")
        }
    }

    @Test("each section begins with what the command says of its arguments")
    func summaries() throws {
        var page = try ManualPage(Self.manual)
        for entry in try CommandReference.read().commands {
            let marks = ("<!-- arguments of \(entry.commandName) -->", "<!-- end -->")
            if Self.writes {
                _ = page.replace(between: marks.0, and: marks.1, entry.summary)
            } else {
                #expect(
                    page.lines(between: marks.0, and: marks.1) == entry.summary,
                    "\(entry.commandName): write it again with STORE_WRITE_DOCS=1")
            }
        }
        if Self.writes { try page.write() }
    }

    @Test("the tables of fields name those that the JSON has, all of them and no others")
    func fields() throws {
        let page = try ManualPage(Self.manual)
        let results = try run(page)
        for section in page.sections {
            let table = JSONFields.tables(in: section.lines)
            var found: Set<String> = []
            for result in results where result.step.section == section.name {
                guard result.step.command.contains("kvtool \(section.name)"),
                    result.step.command.contains("--json"),
                    let value = try? JSONSerialization.jsonObject(with: result.written)
                else { continue }
                found.formUnion(JSONFields.paths(of: value, opaque: table.opaque))
            }
            let (missing, wrong) = (
                found.subtracting(table.fields),
                table.fields.subtracting(found).subtracting(table.rare)
            )
            #expect(missing.isEmpty, "\(section.name): the table lacks \(missing.sorted())")
            #expect(wrong.isEmpty, "\(section.name): no JSON has \(wrong.sorted())")
        }
    }

    @Test("links of the pages lead somewhere", arguments: [manual, "docs/coming-from-cblite.md"])
    func links(_ path: String) throws {
        let page = try ManualPage(path)
        let text = page.lines.joined(separator: "\n")
        let links = text.matches(of: /\]\(([^)#]+)(?:#[^)]*)?\)/).map { String($0.1) }
        for link in links where !link.hasPrefix("http") {
            let file = page.file.deletingLastPathComponent().appending(path: link)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(path): \(link)")
        }
    }
}

extension ManualTests {
    @Test("a page is taken apart into commands and outputs, and put together again")
    func parsing() {
        let text = """
            ### ls
            ```console
            $ one \\
              more
            out
            $ two
            ```
            <!-- console
            $ three
            -->
            """
        var page = ManualPage(URL(filePath: "/none"), text)
        let steps = page.steps
        #expect(steps.map(\.command) == ["one \\\n  more", "two", "three"])
        #expect(steps.map(\.output) == [["out"], [], []])
        #expect(steps.map(\.isHidden) == [false, false, true])
        #expect(steps.allSatisfy { $0.section == "ls" })
        page.replace(steps[1], ["second"])
        page.replace(steps[0], ["first", "line"])
        #expect(page.steps.map(\.output) == [["first", "line"], ["second"], []])
    }

    @Test("what varies is no difference, anything else is")
    func volatile() {
        #expect(VolatileText.isSame(["a 18ea6aa9efb4ca01@*  5"], as: ["a 0000000000000001@* 5"]))
        #expect(!VolatileText.isSame(["a 18ea6aa9efb4ca01@*  5"], as: ["a 18ea6aa9efb4ca01@* 6"]))
        #expect(VolatileText.isSame(["took 1.5 ms", "x"], as: ["took 12 s", "x"]))
        #expect(VolatileText.isSame(["get  500  4.7 ms  106048"], as: ["get 500 12 s 9"]))
        #expect(!VolatileText.isSame(["get  500  4.7 ms  106048"], as: ["get 501 4.7 ms 106048"]))
        #expect(VolatileText.isSame(["10 KB in 2 free pages"], as: ["0 B in 1 free page"]))
        #expect(VolatileText.isSame(["1", "2", "3", "4"], as: ["1", "…", "4"]))
        #expect(!VolatileText.isSame(["1", "2", "3", "4"], as: ["1", "…", "3"]))
        #expect(!VolatileText.isSame(["1"], as: ["1", "…", "1"]))
    }

    @Test("fields are found in objects inside arrays, but not in what users have stored")
    func fieldPaths() throws {
        let json: [String: Any] = ["a": [["b": 1], ["c": ["d": 2]]], "e": ["f": 1]]
        #expect(
            JSONFields.paths(of: json, opaque: ["a[].c"])
                == ["a", "a[].b", "a[].c", "e", "e.f"])
        let table = JSONFields.tables(in: [
            "| field | type | meaning |", "|---|---|---|", "| `a`, `b` | JSON | x |",
            "| `c` | *string* | x |", "",
        ])
        #expect(table.fields == ["a", "b", "c"])
        #expect(table.opaque == ["a", "b"])
        #expect(table.rare == ["c"])
    }
}
