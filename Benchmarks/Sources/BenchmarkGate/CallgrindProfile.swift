/// The counts of callgrind for one run of a program.
public struct CallgrindProfile: Sendable, Equatable {
    /// The instructions of all threads.
    public var instructions: Int
    /// The number of allocations: calls of `malloc` and related functions.
    public var allocations: Int

    /// Creates a profile from counts.
    public init(instructions: Int, allocations: Int) {
        self.instructions = instructions
        self.allocations = allocations
    }

    /// Parses the contents of a file written by `callgrind --callgrind-out-file`.
    ///
    /// Throws `GateError` with the number of the line if it is not such a file, does not count
    /// instructions, or is truncated.
    public init(text: String) throws {
        var reader = CallgrindReader()
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            try reader.read(Substring(line))
        }
        self = try reader.profile()
    }

    /// The allocating functions; calls among themselves are not further allocations.
    static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc",
        "pvalloc", "__libc_malloc", "__libc_calloc", "__libc_realloc", "__libc_memalign",
        "__posix_memalign",
    ]
}
