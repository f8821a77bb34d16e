/// A short edit script between two strings, by scalars, so that no UTF-8 sequence is cut.
///
/// E. W. Myers' algorithm in linear space ("An O(ND) Difference Algorithm and Its Variations",
/// 1986). The work is limited by steps, not by time as in the reference, so that the same strings
/// always have the same difference: what remains when the steps are used up is replaced as a whole.
struct TextDifference {
    /// A range to keep, delete or insert.
    enum Edit {
        case keep(ArraySlice<Unicode.Scalar>)
        case delete(ArraySlice<Unicode.Scalar>)
        case insert(ArraySlice<Unicode.Scalar>)
    }

    /// Ranges of both strings that have to be made equal.
    private struct Box {
        var old: Range<Int>
        var new: Range<Int>
    }

    private let old: [Unicode.Scalar]
    private let new: [Unicode.Scalar]
    /// The number of steps left; initially about 10 ms.
    private var steps = 1 << 22

    init(old: [Unicode.Scalar], new: [Unicode.Scalar]) {
        self.old = old
        self.new = new
    }

    /// The edits in the order in which they occur in the strings.
    mutating func edits() -> [Edit] {
        var matches: [Box] = []
        var boxes = [Box(old: old.indices, new: new.indices)]
        while var box = boxes.popLast() {
            matches.append(head(of: &box))
            let tail = tail(of: &box)
            if box.old.isEmpty, box.new.isEmpty {
                matches.append(tail)
                continue
            }
            // A box in which everything is equal, after the rest of this one.
            boxes.append(tail)
            guard !box.old.isEmpty, !box.new.isEmpty, let (x, y) = middle(of: box) else { continue }
            boxes.append(Box(old: x..<box.old.upperBound, new: y..<box.new.upperBound))
            boxes.append(Box(old: box.old.lowerBound..<x, new: box.new.lowerBound..<y))
        }
        return edits(between: matches)
    }

    /// Deletes and inserts what lies between matches.
    private func edits(between matches: [Box]) -> [Edit] {
        var edits: [Edit] = []
        var (x, y) = (0, 0)
        var copiedEnd = 0
        let end = Box(old: old.count..<old.count, new: new.count..<new.count)
        for match in matches.filter({ !$0.old.isEmpty }) + [end] {
            if x < match.old.lowerBound || y < match.new.lowerBound {
                if copiedEnd < x { edits.append(.keep(old[copiedEnd..<x])) }
                if x < match.old.lowerBound { edits.append(.delete(old[x..<match.old.lowerBound])) }
                if y < match.new.lowerBound { edits.append(.insert(new[y..<match.new.lowerBound])) }
                copiedEnd = match.old.lowerBound
            }
            (x, y) = (match.old.upperBound, match.new.upperBound)
        }
        if copiedEnd < x { edits.append(.keep(old[copiedEnd..<x])) }
        return edits
    }

    /// Removes the common prefix.
    private func head(of box: inout Box) -> Box {
        var count = 0
        let common = min(box.old.count, box.new.count)
        let (x, y) = (box.old.lowerBound, box.new.lowerBound)
        while count < common, old[x + count] == new[y + count] { count += 1 }
        box = Box(old: (x + count)..<box.old.upperBound, new: (y + count)..<box.new.upperBound)
        return Box(old: x..<(x + count), new: y..<(y + count))
    }

    /// Removes the common suffix.
    private func tail(of box: inout Box) -> Box {
        var count = 0
        let common = min(box.old.count, box.new.count)
        let (x, y) = (box.old.upperBound, box.new.upperBound)
        while count < common, old[x - 1 - count] == new[y - 1 - count] { count += 1 }
        box = Box(old: box.old.lowerBound..<(x - count), new: box.new.lowerBound..<(y - count))
        return Box(old: (x - count)..<x, new: (y - count)..<y)
    }
}

extension TextDifference {
    /// The furthest reaching path on each diagonal, from one corner of a box.
    private struct Front {
        private var ends: [Int]
        private let origin: Int

        init(reach: Int) {
            ends = Array(repeating: 0, count: 2 * reach + 3)
            origin = reach + 1
        }

        subscript(diagonal: Int) -> Int {
            get { ends[origin + diagonal] }
            set { ends[origin + diagonal] = newValue }
        }

        /// The point on a diagonal at which the path with `edits` edits starts
        /// its run of equal scalars.
        func start(_ diagonal: Int, edits: Int) -> Int {
            let isDown =
                diagonal == -edits || diagonal != edits && self[diagonal - 1] < self[diagonal + 1]
            return isDown ? self[diagonal + 1] : self[diagonal - 1] + 1
        }
    }

    /// A point on a shortest path through a box whose first and last scalars differ; nil if the
    /// steps are used up.
    ///
    /// Paths grow from both corners at once, until one from the start meets one from the end.
    private mutating func middle(of box: Box) -> (old: Int, new: Int)? {
        let (width, height) = (box.old.count, box.new.count)
        let delta = width - height
        let reach = min((width + height + 1) / 2, 4096)
        var forward = Front(reach: reach)
        var backward = Front(reach: reach)
        steps -= reach / 8
        for edits in 0...reach {
            steps -= 2 * edits + 2
            guard steps > 0 else { return nil }
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                var x = forward.start(diagonal, edits: edits)
                x += forwardRun(box, x, x - diagonal)
                forward[diagonal] = x
                let other = delta - diagonal
                if delta % 2 != 0, abs(other) < edits, x + backward[other] >= width,
                    let point = point(box, x, x - diagonal)
                {
                    return point
                }
            }
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                var x = backward.start(diagonal, edits: edits)
                x += backwardRun(box, x, x - diagonal)
                backward[diagonal] = x
                let other = delta - diagonal
                if delta % 2 == 0, abs(other) <= edits, x + forward[other] >= width,
                    let point = point(box, width - x, height - (x - diagonal))
                {
                    return point
                }
            }
        }
        return nil
    }

    /// The point in the strings; nil if it is outside the box, where paths that have reached its
    /// edge continue, or a corner, which would not divide the box.
    private func point(_ box: Box, _ x: Int, _ y: Int) -> (old: Int, new: Int)? {
        guard x >= 0, x <= box.old.count, y >= 0, y <= box.new.count, x + y > 0,
            x + y < box.old.count + box.new.count
        else { return nil }
        return (box.old.lowerBound + x, box.new.lowerBound + y)
    }

    private mutating func forwardRun(_ box: Box, _ x: Int, _ y: Int) -> Int {
        var run = 0
        while y >= 0, x + run < box.old.count, y + run < box.new.count,
            old[box.old.lowerBound + x + run] == new[box.new.lowerBound + y + run]
        {
            run += 1
        }
        steps -= run
        return run
    }

    private mutating func backwardRun(_ box: Box, _ x: Int, _ y: Int) -> Int {
        var run = 0
        while y >= 0, x + run < box.old.count, y + run < box.new.count,
            old[box.old.upperBound - 1 - x - run] == new[box.new.upperBound - 1 - y - run]
        {
            run += 1
        }
        steps -= run
        return run
    }
}
