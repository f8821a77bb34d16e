extension CommandOutput {
    /// The lines as they come, each without its end; nil at the end.
    struct Lines {
        private let output: CommandOutput
        private var buffer: [UInt8] = []

        init(_ output: CommandOutput) {
            self.output = output
        }

        /// The lines of the next part of the output.
        mutating func next() async -> [[UInt8]]? {
            guard let part = await output.next() else { return nil }
            buffer += part
            guard let end = buffer.lastIndex(of: 0x0A) else { return [] }
            let lines = buffer[..<end].split(separator: 0x0A).map { Array($0) }
            buffer.removeSubrange(...end)
            return lines
        }
    }
}
