/// A place where the house is not tidy: where, what, and what to do.
struct Finding: Equatable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
