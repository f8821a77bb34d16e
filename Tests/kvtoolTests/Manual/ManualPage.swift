import Foundation
import ProjectTestSupport

/// A page of the documentation, whose `console` blocks are run.
///
///     ```console
///     $ kvtool ls people.cblite2
///     what it writes
///     ```
///
/// A command that ends with `\` goes on in the next line. In place of lines that do not matter
/// stands one with `…`. A status other than 0 is a last line `(status 8)`. What nobody need see
/// stands in a comment, `<!-- console`, without output.
struct ManualPage {
    /// A command, and what it is to write.
    struct Step {
        let command: String
        var output: [String]
        let isHidden: Bool
        /// The command, and the lines of its output.
        let lines: Range<Int>
        /// The heading that it stands under.
        let section: String
    }

    /// The text between a heading and the next one.
    struct Section {
        let name: String
        let lines: [String]
    }

    let file: URL
    private(set) var lines: [String]

    /// A page of this repository.
    init(_ path: String) throws {
        let file = PackageDirectory.url.appending(path: path)
        self.init(file, try String(contentsOf: file, encoding: .utf8))
    }

    init(_ file: URL, _ text: String) {
        self.file = file
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The commands in their order.
    var steps: [Step] {
        var steps: [Step] = []
        var section = ""
        var index = 0
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.hasPrefix("### ") { section = String(line.dropFirst(4)) }
            guard line == "```console" || line == "<!-- console" else { continue }
            let isHidden = line == "<!-- console"
            let rest = lines[index...]
            let end = rest.firstIndex(of: isHidden ? "-->" : "```") ?? lines.count
            while index < end {
                let step = step(at: index, before: end, isHidden, section)
                index = step.lines.upperBound
                steps.append(step)
            }
        }
        return steps
    }

    private func step(at start: Int, before end: Int, _ isHidden: Bool, _ section: String) -> Step {
        var index = start
        var command = lines[index].hasPrefix("$ ") ? String(lines[index].dropFirst(2)) : ""
        index += 1
        while command.hasSuffix("\\"), index < end {
            command += "\n" + lines[index]
            index += 1
        }
        let output = lines[index..<end].prefix { !$0.hasPrefix("$ ") }
        return Step(
            command: command, output: Array(output), isHidden: isHidden,
            lines: start..<output.endIndex, section: section)
    }

    /// The sections with headings of the third level, which are of commands.
    var sections: [Section] {
        let starts = lines.indices.filter { lines[$0].hasPrefix("### ") }
        return starts.map { start in
            let end = lines[(start + 1)...].firstIndex {
                $0.hasPrefix("#") && !$0.hasPrefix("####")
            }
            return Section(
                name: String(lines[start].dropFirst(4)),
                lines: Array(lines[(start + 1)..<(end ?? lines.count)]))
        }
    }

    /// The page with other outputs in place of some steps', which come with the last step first.
    mutating func replace(_ step: Step, _ output: [String]) {
        let head = step.lines.count - step.output.count
        lines.replaceSubrange((step.lines.lowerBound + head)..<step.lines.upperBound, with: output)
    }

    /// The page with other lines between two marks, which stay.
    ///
    /// - Returns: whether the marks are there.
    mutating func replace(between start: String, and end: String, _ new: [String]) -> Bool {
        guard let first = lines.firstIndex(of: start),
            let last = lines[first...].firstIndex(of: end)
        else { return false }
        lines.replaceSubrange((first + 1)..<last, with: new)
        return true
    }

    /// The lines between two marks, nil if the marks are not there.
    func lines(between start: String, and end: String) -> [String]? {
        guard let first = lines.firstIndex(of: start),
            let last = lines[first...].firstIndex(of: end)
        else { return nil }
        return Array(lines[(first + 1)..<last])
    }

    func write() throws {
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    }
}
