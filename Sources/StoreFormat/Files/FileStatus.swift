internal import StorePlatform

/// What is known of a file without opening it.
package struct FileStatus {
    package let entry: FileSystem.Entry
    /// In bytes.
    package let size: Int
    /// When it was changed last, in milliseconds since 1970.
    package let modified: Int64

    init(_ status: stat) {
        entry = FileSystem.entry(status)
        size = Int(status.st_size)
        let time = status.modification
        let (milliseconds, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        modified =
            isTooLarge
            ? (time.tv_sec < 0 ? .min : .max)
            : milliseconds.addingSaturated(Int64(time.tv_nsec) / 1_000_000)
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
