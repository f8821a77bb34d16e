internal import DocumentStore

/// The distribution of body sizes, in powers of two.
struct SizeHistogram: Sendable {
    /// Element 0 counts empty bodies, element n those of 2^(n-1) to 2^n - 1 bytes.
    private(set) var counts: [Int]

    init(_ counts: [Int] = []) { self.counts = counts }

    /// Adds the live documents of a collection, without reading bodies.
    mutating func add(_ collection: DocumentCollection, _ snapshot: Snapshot) throws {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.order = .unsorted
        var counts = counts
        try collection.records(options, in: snapshot).forEachRow { row in
            let index = Int.bitWidth - row.bodySize.leadingZeroBitCount
            while counts.count <= index { counts.append(0) }
            counts[index] += 1
            return true
        }
        self.counts = counts
    }

    /// The smallest and the largest size of each class, and its count, without empty classes at the
    /// ends.
    var classes: [(smallest: Int, largest: Int, count: Int)] {
        guard let first = counts.firstIndex(where: { $0 > 0 }),
            let last = counts.lastIndex(where: { $0 > 0 })
        else { return [] }
        return (first...last).map { index in
            let smallest = index == 0 ? 0 : 1 << (index - 1)
            return (smallest, max(0, smallest * 2 - 1), counts[index])
        }
    }

    private static let barWidth = 40

    /// Writes a bar for each class.
    func writeText() throws {
        let classes = classes
        let most = classes.map(\.count).max() ?? 0
        guard most > 0 else { return }
        let numbers = classes.map { "\($0.count)" }
        let width = numbers.map(\.utf8.count).max() ?? 0
        for (item, number) in zip(classes, numbers) {
            let length = Int((Double(item.count) / Double(most) * Double(Self.barWidth)).rounded())
            let bar = String(repeating: "#", count: item.count > 0 ? max(1, length) : 0)
            let from = DisplayWidth.padded(Text.size(item.smallest), 10, toRight: true)
            let count = DisplayWidth.padded(number, width, toRight: true)
            let line = "\(from) on  \(count)  \(bar)"
            try StandardOutput.current.write((bar.isEmpty ? "\(from) on  \(count)" : line) + "\n")
        }
    }

    /// `[{"from":256,"to":511,"documents":3},…]`
    var json: [JSONText] {
        classes.map { item in
            var object = JSONObject()
            object.add("from", item.smallest)
            object.add("to", item.largest)
            object.add("documents", item.count)
            return object.finished()
        }
    }
}
