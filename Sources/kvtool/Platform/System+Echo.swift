#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension System {
    /// No more bytes are taken of a line that is typed.
    private static let maximumLine = 1 << 16

    /// Runs `body` while the terminal of standard input does not show what is typed, but for the
    /// lines' ends. What was typed before is dropped. `tcsetattr`
    ///
    /// Ctrl-C ends the program at once, after the terminal is as it was.
    static func withoutEcho<T>(_ body: () throws -> T) throws -> T {
        var found = termios()
        guard tcgetattr(standardInput, &found) == 0 else { throw Failure() }
        let before = found
        let restore: @Sendable () -> Void = {
            var before = before
            _ = tcsetattr(standardInput, TCSADRAIN, &before)
        }
        return try Interruption.ending(after: restore, isNew: false, isInCommand: true) {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            silent.c_lflag |= tcflag_t(ECHONL)
            defer { restore() }
            guard tcsetattr(standardInput, TCSAFLUSH, &silent) == 0 else { throw Failure() }
            return try body()
        }
    }

    /// A line of standard input without its end, and no byte of the next one; nil at the end of
    /// input. `read`
    static func typedLine() throws -> [UInt8]? {
        var line: [UInt8] = []
        while line.count < maximumLine {
            var byte: UInt8 = 0
            let count = try withUnsafeMutableBytes(of: &byte) {
                try read(standardInput, into: $0)
            }
            guard count > 0 else { return line.isEmpty ? nil : line }
            guard byte != 0x0A else { return line }
            line.append(byte)
        }
        return line
    }
}
