import Foundation
import Testing

/// A word that this project used for a concept with another standard name, which is not permitted.
struct Vocabulary: Sendable, CustomTestStringConvertible {
    /// Where the word is permitted, and why.
    struct Exception: Sendable {
        /// The file, or the directory of the files.
        var path: String
        /// A part of the line; nil for every line.
        var line: String?
        var reason: String
    }

    /// A regular expression, matched without regard to case.
    var pattern: String
    /// The standard word, or an explanation.
    var standard: String
    /// An example with the word, which the pattern finds.
    var example: String
    var exceptions: [Exception] = []

    var testDescription: String { example }

    /// The lines of texts that contain the word, counted from 1, by the paths of the texts.
    func lines(in texts: [(path: String, text: String)]) throws -> [(path: String, line: Int)] {
        let expression = try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
        return texts.flatMap { path, text in
            lines(in: text, of: path, expression).map { (path, $0) }
        }
    }

    private func lines(
        in text: String, of path: String, _ expression: NSRegularExpression
    ) -> [Int] {
        let source = text as NSString
        let matches = expression.matches(
            in: text, range: NSRange(location: 0, length: source.length))
        guard !matches.isEmpty else { return [] }
        var (line, position) = (1, 0)
        return matches.compactMap { match in
            let before = NSRange(location: position, length: match.range.location - position)
            line += source.substring(with: before).utf8.count { $0 == UInt8(ascii: "\n") }
            position = match.range.location
            let content = source.substring(with: source.lineRange(for: match.range))
            return isExcepted(content, path) ? nil : line
        }
    }

    private func isExcepted(_ line: String, _ path: String) -> Bool {
        exceptions.contains {
            path.hasPrefix($0.path) && ($0.line.map(line.contains) ?? true)
        }
    }
}
