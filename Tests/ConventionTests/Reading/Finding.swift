/// A violation of a rule: its location, and a message that says what to do.
struct Finding: Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
