internal import ArgumentParser
internal import KVToolCore

/// Throws what is said of an option, as `--limit`, that takes 0 or more and has got less.
func requireNotNegative(_ option: String, _ value: (some BinaryInteger)?) throws {
    guard let value, value < 0 else { return }
    throw ValidationError("\(option) takes 0 or more")
}
