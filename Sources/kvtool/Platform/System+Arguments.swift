#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension System {
    /// Overwrites the end of an argument of this process, so that lists of processes do not show
    /// it.
    ///
    /// What has been read of `CommandLine.arguments` stays as it is; the length can still be seen.
    /// `argv`
    ///
    /// - Parameters:
    ///   - number: 0 is the program's name.
    ///   - offset: how many bytes of it stay.
    static func overwriteArgument(_ number: Int, from offset: Int) {
        guard number < Int(CommandLine.argc), let text = CommandLine.unsafeArgv[number] else {
            return
        }
        let length = strlen(text)
        guard offset < length else { return }
        memset(text + offset, Int32(UInt8(ascii: "x")), length - offset)
    }
}
