import Foundation
import Testing

/// The commands as the tool itself describes them.
struct CommandReference: Decodable {
    /// A command, or the tool.
    struct Entry: Decodable {
        let commandName: String
        var abstract: String?
        var discussion: String?
        var aliases: [String]?
        var shouldDisplay: Bool?
        var subcommands: [Entry]?
        var arguments: [Argument]?

        var isShown: Bool { shouldDisplay != false && commandName != "help" }
    }

    /// An argument or option.
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var isOptional: Bool?
        var isRepeating: Bool?
        var shouldDisplay: Bool?

        var isCommon: Bool {
            names?.contains { CommandReference.common.contains($0.name) } ?? false
        }

        /// As it is typed.
        var spelling: String {
            let value = "<\(valueName ?? "")>"
            guard kind != "positional" else {
                let text = isRepeating == true ? "\(value) …" : value
                return "`\(isOptional == true ? "[\(text)]" : text)`"
            }
            let names = (names ?? []).map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" }
            return names.map { kind == "option" ? "`\($0) \(value)`" : "`\($0)`" }
                .joined(separator: ", ")
        }
    }

    let command: Entry

    /// Options of all commands, which the page explains once.
    static let common: Set<String> = [
        "timeout", "key", "key-file", "trust-schema", "line", "json", "ndjson", "csv", "tsv",
        "color", "no-pager", "progress", "help", "h", "version",
    ]

    static func read() throws -> CommandReference {
        let outcome = try Kvtool.run(["--experimental-dump-help"])
        return try JSONDecoder().decode(CommandReference.self, from: outcome.standardOutput)
    }

    /// The commands that a page has sections of.
    var commands: [Entry] { (command.subcommands ?? []).filter(\.isShown) }
}

extension CommandReference.Entry {
    /// What stands at the head of a command's section.
    var summary: [String] {
        var lines = ["", (abstract ?? "")]
        if let aliases, !aliases.isEmpty {
            lines[1] += " Also called \(aliases.map { "`\($0)`" }.joined(separator: ", "))."
        }
        lines += paragraphs.flatMap { ["", $0] }
        let inner = (subcommands ?? []).filter(\.isShown)
        let own = table(of: self)
        if !own.isEmpty { lines += [""] + own }
        for entry in inner {
            lines += ["", "`kvtool \(commandName) \(entry.commandName)`: \(entry.abstract ?? "")"]
            lines += entry.paragraphs.flatMap { ["", $0] } + [""] + table(of: entry)
        }
        while lines.last == "" { lines.removeLast() }
        return lines + [""]
    }

    /// What its help says besides examples, in Markdown.
    private var paragraphs: [String] {
        (discussion ?? "").components(separatedBy: "\n\n")
            .filter { !$0.isEmpty && !$0.hasPrefix("Examples:") }
            .map { Self.markdown($0.replacing("\n", with: " ")) }
    }

    /// A text whose signs mean nothing to Markdown, but for code between backticks.
    private static func markdown(_ text: String) -> String {
        let parts = text.components(separatedBy: "`")
        let escaped = parts.enumerated().map { index, part in
            index % 2 == 1
                ? part : part.replacing(/[*_<\[\\]/) { "\\" + String($0.output) }
        }
        let whole = escaped.joined(separator: "`")
        let isList = ["+ ", "- ", "# ", "> "].contains { whole.hasPrefix($0) }
        return isList ? "\\" + whole : whole
    }

    private func table(of entry: Self) -> [String] {
        let arguments = (entry.arguments ?? []).filter {
            $0.shouldDisplay != false && !$0.isCommon
        }
        guard !arguments.isEmpty else { return [] }
        return ["| argument | meaning |", "|---|---|"]
            + arguments.map { argument in
                let meaning = (argument.abstract ?? "").replacing("|", with: "\\|")
                    .replacing("\n", with: " ")
                return "| \(argument.spelling.replacing("|", with: "\\|")) | \(meaning) |"
            }
    }
}
