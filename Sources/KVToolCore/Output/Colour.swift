/// Colours and weights on a terminal.
///
/// Off where nobody looks: `--color` decides; then `NO_COLOR` (https://no-color.org),
/// `CLICOLOR_FORCE` and `CLICOLOR` (https://bixense.com/clicolors); then whether standard output is
/// a terminal that can.
package enum Colour: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case cyan = "36"

    /// Whether a stream gets colours.
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

    /// Whether bytes begin with a sequence that this type writes.
    static func begins(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard bytes.starts(with: [0x1B, 0x5B]) else { return false }
        let code = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "m") }.prefix(3)
        let text = String(decoding: code, as: UTF8.self)
        return (text == "0" || Colour(rawValue: text) != nil)
            && bytes.dropFirst(2 + code.count).first == UInt8(ascii: "m")
    }

    /// What begins the colour, and what ends it.
    var start: [UInt8] { Array("\u{1B}[\(rawValue)m".utf8) }
    static let end = Array("\u{1B}[0m".utf8)

    /// The text in this colour, where standard output has colours.
    func callAsFunction(_ text: String) -> String {
        Self.isOn() && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
