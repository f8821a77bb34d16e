internal import KVToolCore
internal import SQLCore

/// The most memory that SQLite may take, as the variable `KVTOOL_MEMORY` says: for files of
/// strangers.
enum MemoryLimit {
    static let variable = "KVTOOL_MEMORY"

    /// Sets the limit for this process, if there is one.
    ///
    /// Throws for a text that is no size.
    static func apply() throws {
        guard let text = System.environment(variable) else { return }
        guard let bytes = bytes(of: text) else {
            throw ToolError(
                "\(variable) is \(Text.line(text)), which is not a size such as 256M; it is a "
                    + "number of bytes, or of kilobytes, megabytes or gigabytes with K, M or G",
                status: .usage)
        }
        SQLContext.limitMemory(bytes: bytes)
    }

    /// Nil for what is not a number above 0, or too large.
    static func bytes(of text: String) -> Int? {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else {
            return nil
        }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
        return isTooLarge ? nil : bytes
    }
}
