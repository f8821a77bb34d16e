internal import KVToolCore

/// The browser of the person at this machine.
enum Browser {
    /// Opens a URL; without a browser the printed URL remains.
    static func open(_ url: String) {
        #if os(macOS)
            let command = "open"
        #else
            let command = "xdg-open >/dev/null 2>&1"
        #endif
        _ = try? OtherProgram(shell: command, [url])
    }
}
