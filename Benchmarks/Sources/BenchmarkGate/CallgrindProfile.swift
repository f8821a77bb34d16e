/// What callgrind counted in one run of a program.
public struct CallgrindProfile: Sendable, Equatable {
    /// The instructions of all threads.
    public var instructions: Int
    /// How often memory was asked for: the calls of `malloc` and its kin.
    public var allocations: Int

    /// A profile with these counts.
    public init(instructions: Int, allocations: Int) {
        self.instructions = instructions
        self.allocations = allocations
    }

    /// Reads the text of a file that `callgrind --callgrind-out-file` wrote.
    ///
    /// Throws `GateError` with the number of the line for what is no such file, does not count
    /// instructions, or breaks off.
    public init(text: String) throws {
        var reader = CallgrindReader()
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            try reader.read(Substring(line))
        }
        self = try reader.profile()
    }

    /// The functions that memory is asked for with; what they call among themselves is no other
    /// allocation.
    static let allocators: Set<String> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign", "valloc",
        "pvalloc", "__libc_malloc", "__libc_calloc", "__libc_realloc", "__libc_memalign",
        "__posix_memalign",
    ]
}
