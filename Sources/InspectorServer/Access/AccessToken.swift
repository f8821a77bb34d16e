internal import StorePlatform

/// What a client shows to be let in.
package struct AccessToken: Sendable {
    let text: String

    /// What a token must be.
    package static let rule = "at least 16 letters and digits"

    /// Whether a token can be sent in a header and in a URL, and cannot be guessed easily.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.count >= 16
            && text.utf8.allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return byte < 0x80 && (character.isLetter || character.isNumber)
            }
    }

    /// - Parameter text: the token; nil for 128 random bits.
    init(_ text: String?) {
        self.text = text ?? Self.random()
    }

    private static func random() -> String {
        let halves = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
        return halves.map { Hexadecimal.encoded($0, digits: 16) }.joined()
    }

    /// Compares all bytes, so that the time does not tell how many are right.
    func matches(_ other: some StringProtocol) -> Bool {
        let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
