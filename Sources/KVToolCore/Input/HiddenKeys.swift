internal import Synchronization

/// Removes keys from a command line. No message may repeat a key, so each key is replaced by a
/// placeholder before the arguments are parsed.
package enum HiddenKeys {
    /// The options whose values are keys.
    static let options = ["--key", "--new-key"]

    /// Whether a word is an option with a key as its value, or was intended as one: `--new-k` is
    /// not an option, but the next word is a key.
    package static func isOption(_ word: String) -> Bool {
        let isLong = word.utf8.count > 3 || word == "--k"
        return isLong && options.contains { $0.utf8.starts(with: word.utf8) }
    }

    /// The offset of a key in a word, in bytes: after an option and `=`, or after another character
    /// that was used like `=`, as in `--key:secret`; nil if there is no key.
    package static func offset(in word: String) -> Int? {
        // By bytes, because a key may begin with a combining character.
        let bytes = word.utf8
        if let end = bytes.firstIndex(of: UInt8(ascii: "=")),
            isOption(String(decoding: bytes[..<end], as: UTF8.self))
        {
            return bytes.distance(from: bytes.startIndex, to: end) + 1
        }
        let option = options.first { option in
            guard bytes.starts(with: option.utf8) else { return false }
            return bytes.dropFirst(option.utf8.count).first.map(endsName) ?? false
        }
        return option?.utf8.count
    }

    /// Whether a byte ends the name of an option. `=` was handled before.
    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "="):
            false
        default: true
        }
    }

    /// Whether the arguments are a request of a completion script: the first `--` is followed by
    /// the name of the option or argument, two numbers, and the words of the command line.
    package static func isCompletion(_ arguments: [String]) -> Bool {
        arguments.first == "---completion"
    }

    /// The location of a key: its argument, and the offset in bytes in that argument.
    package struct Location: Equatable {
        package var argument: Int
        package var offset: Int
    }

    /// The locations of all keys. The word after such an option is a key, whatever it looks like.
    package static func locations(in arguments: [String]) -> [Location] {
        let isCompletion = isCompletion(arguments)
        var locations: [Location] = []
        var index = 0
        if isCompletion, let end = arguments.firstIndex(of: "--") { index = end + 2 }
        while index < arguments.count, arguments[index] != "--" {
            if let offset = offset(in: arguments[index]) {
                locations.append(Location(argument: index, offset: offset))
            } else if isOption(arguments[index]), index + 1 < arguments.count {
                index += 1
                // In bash, `=` is a separate word.
                if isCompletion, arguments[index] == "=", index + 1 < arguments.count { index += 1 }
                locations.append(Location(argument: index, offset: 0))
            }
            index += 1
        }
        return locations
    }

    /// Returns the arguments with a placeholder for each key, after its option and `=`. Arguments
    /// of a completion are returned unchanged: their positions matter, and no message repeats them.
    package static func hidden(_ arguments: [String]) -> [String] {
        guard !isCompletion(arguments) else { return arguments }
        var hidden = arguments
        for location in locations(in: arguments).reversed() {
            let bytes = arguments[location.argument].utf8
            let key = String(decoding: bytes.dropFirst(location.offset), as: UTF8.self)
            let mark = store(key).mark
            if location.offset > 0 {
                let option = String(decoding: bytes.prefix(location.offset), as: UTF8.self)
                hidden[location.argument] = option + mark
            } else {
                hidden[location.argument - 1] += "=" + mark
                hidden.remove(at: location.argument)
            }
        }
        return hidden
    }

    /// A word of such arguments for messages: `--key=KEY`.
    package static func named(_ word: String) -> String {
        guard let offset = offset(in: word), HiddenKey(mark: String(word.dropFirst(offset))) != nil
        else { return word }
        return word.prefix(offset) + "KEY"
    }

    /// Whether the arguments contain the placeholder of a key.
    package static func areIn(_ hidden: [String]) -> Bool { !locations(in: hidden).isEmpty }

    /// Stores a typed key.
    package static func store(_ text: String) -> HiddenKey {
        HiddenKey(number: TypedKeys.current.add(text))
    }

    /// The key of a placeholder with this number; nil if there is none.
    fileprivate static func text(_ number: Int) -> String? { TypedKeys.current.text(number) }
}

/// A placeholder for a typed key, for the argument parser.
package struct HiddenKey: Hashable, Sendable {
    /// The number, starting with 1.
    let number: Int

    init(number: Int) { self.number = number }

    /// Parses a placeholder; nil for other text.
    package init?(mark: String) {
        guard mark.hasPrefix("(key "), mark.hasSuffix(")"),
            let number = Int(mark.dropFirst(5).dropLast())
        else { return nil }
        self.number = number
    }

    /// The placeholder text.
    var mark: String { "(key \(number))" }

    /// The key; empty if there is none with this number.
    var text: String { HiddenKeys.text(number) ?? "" }
}

/// The keys from command lines, by the numbers of their placeholders.
package final class TypedKeys: ContextValue {
    private let secrets = Mutex<[String]>([])

    package init() {}

    /// Adds a key and returns its number, starting with 1.
    func add(_ text: String) -> Int {
        secrets.withLock { secrets in
            secrets.append(text)
            return secrets.count
        }
    }

    /// The key with a number; nil if there is none.
    func text(_ number: Int) -> String? {
        secrets.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
}
