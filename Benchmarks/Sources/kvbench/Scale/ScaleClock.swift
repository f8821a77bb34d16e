import CBaseline

/// Measures a step: the time of its timed part, the memory of all of it.
struct ScaleClock {
    private let path: String
    private let memoryBefore: Int
    private var seconds = 0.0
    private var walSize = 0

    /// Starts a step on the file at `path`.
    init(_ path: String) {
        self.path = path
        // Otherwise the step could use memory freed by the previous one, and seem to need none.
        baseline_release_memory()
        memoryBefore = ProcessMemory.resetPeak()
    }

    mutating func time(_ body: () throws -> Void) rethrows {
        let start = Clock.wall()
        try body()
        seconds += Clock.wall() - start
        walSize = max(walSize, ProcessMemory.size(of: path + DatabaseFile.wal))
    }

    /// The measurements at the end of the step.
    func step(_ name: String, _ items: Int) -> ScaleStep {
        ScaleStep(
            name: name, items: items, seconds: seconds,
            memory: max(ProcessMemory.peak() - memoryBefore, 0),
            fileSize: DatabaseFile.size(path), walSize: walSize)
    }
}
