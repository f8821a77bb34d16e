import Foundation
import StoreTestSupport

#if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
#else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
#endif

/// A program at a terminal of a test's own. `posix_openpt`, `posix_spawn`
///
/// The terminal is the program's three streams and what controls it, so that Ctrl-C is a signal.
final class PseudoTerminal {
    /// What was waited for did not come.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let master: Int32
    private let id: pid_t
    private var hasEnded = false
    private var bytes: [UInt8] = []
    /// How many of them were looked at.
    private var seen = 0

    /// Longer than anything here takes; only a test that fails waits so long.
    private static let patienceMilliseconds: Int32 = 60_000

    /// Runs the tool at a terminal of this size.
    convenience init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24,
        environment: [String: String] = [:]
    ) throws {
        try self.init([Kvtool.path] + arguments, columns, rows, environment)
    }

    /// Runs another program, such as a shell, at a wide terminal.
    convenience init(program: [String], environment: [String: String]) throws {
        try self.init(program, 200, 24, environment)
    }

    private init(
        _ command: [String], _ columns: Int, _ rows: Int, _ environment: [String: String]
    ) throws {
        let (master, name) = try Self.open()
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        self.master = master
        id = try Self.start(command, name, environment)
    }

    /// A terminal that nobody uses, and the name of its other end.
    private static func open() throws -> (master: Int32, name: String) {
        #if canImport(Darwin)
            let master = posix_openpt(O_RDWR | O_NOCTTY)
            if master >= 0, grantpt(master) == 0, unlockpt(master) == 0,
                let name = ptsname(master)
            {
                return (master, String(cString: name))
            }
        #else
            // What posix_openpt does, which Glibc's module leaves out.
            let master = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (isLocked, number): (Int32, UInt32) = (0, 0)
            let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
            if master >= 0, ioctl(master, unlock, &isLocked) == 0,
                ioctl(master, getNumber, &number) == 0
            {
                return (master, "/dev/pts/\(number)")
            }
        #endif
        throw Failure(description: "no terminal: errno \(errno)")
    }

    deinit {
        if !hasEnded {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        close(master)
    }

    /// Types keys.
    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Types a line and the key that ends it.
    func enter(_ line: String) { type(line + "\r") }

    static let controlC = "\u{3}"
    static let controlD = "\u{4}"
    static let tab = "\t"
    static let up = "\u{1B}[A"

    /// Reads until a text has come, behind the one that was waited for last; returns all up to it.
    @discardableResult
    func wait(for text: String) throws -> String {
        while true {
            if let range = bytes[seen...].firstRange(of: Array(text.utf8)) {
                defer { seen = range.upperBound }
                return String(decoding: bytes[seen..<range.upperBound], as: UTF8.self)
            }
            guard try read() else {
                throw Failure(description: "\(text.debugDescription) did not come: \(ending)")
            }
        }
    }

    /// Reads to the program's end; returns what came since the text that was waited for last, and
    /// the exit status, 128 and its number for a signal.
    func end() throws -> (output: String, status: Int32) {
        while try read() {}
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        let signal = status & 0x7F
        let output = String(decoding: bytes[seen...], as: UTF8.self)
        seen = bytes.count
        return (output, signal == 0 ? status >> 8 & 0xFF : 128 + signal)
    }

    /// All that the program has written.
    var transcript: String { String(decoding: bytes, as: UTF8.self) }

    private var ending: String { String(transcript.suffix(500)).debugDescription }

    /// False at the end.
    private func read() throws -> Bool {
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Self.patienceMilliseconds) > 0 else {
            throw Failure(description: "the program says nothing more: \(ending)")
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(master, &buffer, buffer.count)
        guard count > 0 else { return false }
        bytes += buffer.prefix(count)
        return true
    }

    private static func start(
        _ command: [String], _ terminal: String, _ environment: [String: String]
    ) throws -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes): (FileActions, Attributes) = (nil, nil)
        #else
            var (actions, attributes) = (FileActions(), Attributes())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The first terminal that the leader of a session opens controls it.
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        #if canImport(Darwin)
            let newSession = Int32(POSIX_SPAWN_SETSID)
        #else
            let newSession: Int32 = 0x80
        #endif
        posix_spawnattr_setflags(&attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGMASK)))
        let words = command.map { strdup($0) } + [nil]
        let variables = variables(environment).map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var id: pid_t = 0
        let error = posix_spawn(&id, command[0], &actions, &attributes, words, variables)
        guard error == 0 else {
            throw Failure(description: "\(command[0]) cannot be started: errno \(error)")
        }
        return id
    }

    /// Nothing of whoever runs the tests decides how things look.
    private static func variables(_ environment: [String: String]) -> [String] {
        var all = ProcessInfo.processInfo.environment
        for name in [
            "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PAGER", "KVTOOL_PAGER", "LESS", "COLUMNS",
            "KVTOOL_KEY", "KVTOOL_NEW_KEY",
        ] { all[name] = nil }
        all.merge(
            [
                "TERM": "xterm", "PAGER": "cat", "LC_ALL": "C.UTF-8", "KVTOOL_HISTORY": "/dev/null",
                "SWIFT_BACKTRACE": "enable=no",
            ]
        ) { _, new in new }
        return all.merging(environment) { _, new in new }.map { "\($0.key)=\($0.value)" }
    }
}
