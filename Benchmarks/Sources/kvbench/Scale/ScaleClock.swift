import CBaseline

/// What a step takes: the time of what it is told to time, the memory of all.
struct ScaleClock {
    private let path: String
    private let memoryBefore: Int
    private var seconds = 0.0
    private var walSize = 0

    /// Begins a step on the file at `path`.
    init(_ path: String) {
        self.path = path
        // Otherwise the step could use what the one before it has freed, and seem to need nothing.
        baseline_release_memory()
        memoryBefore = ProcessMemory.resetPeak()
    }

    mutating func time(_ body: () throws -> Void) rethrows {
        let start = Clock.wall()
        try body()
        seconds += Clock.wall() - start
        walSize = max(walSize, ProcessMemory.size(of: path + DatabaseFile.wal))
    }

    /// What there is at the end of the step.
    func step(_ name: String, _ items: Int) -> ScaleStep {
        ScaleStep(
            name: name, items: items, seconds: seconds,
            memory: max(ProcessMemory.peak() - memoryBefore, 0),
            fileSize: DatabaseFile.size(path), walSize: walSize)
    }
}
