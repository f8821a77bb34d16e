/// Colours and styles on a terminal.
///
/// They are enabled by `--color`, then `NO_COLOR` (https://no-color.org), `CLICOLOR_FORCE` and
/// `CLICOLOR` (https://bixense.com/clicolors), then if standard output is a terminal that supports
/// them.
package enum Colour: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case cyan = "36"

    /// Whether colours are enabled for a stream.
    package static func isOn(_ descriptor: Int32 = StandardOutput.current.descriptor) -> Bool {
        isOn(
            OutputStyle.current.color, isTerminal: System.isTerminal(descriptor),
            variable: System.environment)
    }

    static func isOn(
        _ choice: Choice, isTerminal: Bool, variable: (String) -> String?
    ) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if variable("NO_COLOR") != nil { return false }
        if let force = variable("CLICOLOR_FORCE"), force != "0" { return true }
        return isTerminal && variable("CLICOLOR") != "0" && variable("TERM") != "dumb"
            && variable("TERM") != nil
    }

    /// Whether bytes begin with an escape sequence of this type.
    static func begins(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard bytes.starts(with: [0x1B, 0x5B]) else { return false }
        let code = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "m") }.prefix(3)
        let text = String(decoding: code, as: UTF8.self)
        return (text == "0" || Colour(rawValue: text) != nil)
            && bytes.dropFirst(2 + code.count).first == UInt8(ascii: "m")
    }

    /// The escape sequences that start and end the colour.
    var start: [UInt8] { Array("\u{1B}[\(rawValue)m".utf8) }
    static let end = Array("\u{1B}[0m".utf8)

    /// Returns the text in this colour if standard output has colours.
    func callAsFunction(_ text: String) -> String {
        Self.isOn() && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
