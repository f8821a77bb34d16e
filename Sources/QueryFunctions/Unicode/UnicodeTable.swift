/// The tokenizer's data for each code point: whether it belongs to words, and its folding. A
/// two-level table, which stores equal blocks of 256 code points once.
///
/// It is the Unicode 6 table of SQLite's tokenizers, regardless of later versions of Unicode, since
/// indexes depend on it.
struct UnicodeTable: @unchecked Sendable {
    // Unchecked: the memory is written once, and lives as long as the process.

    /// The shared table of the process, created on first use.
    static let shared = UnicodeTable()

    private let blocks: UnsafePointer<UInt8>
    private let entries: UnsafePointer<UInt16>
    private let foldings: UnsafePointer<Folding>

    /// The data of a code point: a class in two bits, and the number of a folding.
    struct Entry {
        fileprivate static let word: UInt16 = 1
        fileprivate static let mark: UInt16 = 2

        fileprivate let bits: UInt16

        /// Whether it belongs to words.
        @inline(__always) var isWord: Bool { bits & Entry.word != 0 }

        /// Whether it is a mark that does not end a word.
        @inline(__always) var isMark: Bool { bits & Entry.mark != 0 }
    }

    /// The offsets that are added to a code point: for case folding only, and for removing the mark
    /// too.
    fileprivate struct Folding: Hashable {
        var plain: Int32 = 0
        var bare: Int32 = 0
    }

    /// The entry of a code point; every number above Unicode's range is a letter, as in SQLite.
    @inline(__always)
    func entry(_ code: UInt32) -> Entry {
        guard code < UnicodeTable.limit else { return Entry(bits: Entry.word) }
        let block = Int(blocks[Int(code >> 8)])
        return Entry(bits: entries[block &<< 8 | Int(code & 0xff)])
    }

    /// The code point in lower case, and without its mark if `bare`; 0 if nothing remains.
    @inline(__always)
    func fold(_ code: UInt32, _ entry: Entry, bare: Bool) -> UInt32 {
        let number = Int(entry.bits >> 2)
        guard number != 0 else { return bare && entry.isMark ? 0 : code }
        let folding = foldings[number]
        return UInt32(bitPattern: Int32(bitPattern: code) &+ (bare ? folding.bare : folding.plain))
    }

    fileprivate static let limit: UInt32 = 0x110000
}

extension UnicodeTable {
    private init() {
        var builder = Builder()
        builder.addFoldings()
        builder.addClasses()
        blocks = UnsafePointer(builder.blocks.copied())
        entries = UnsafePointer(builder.entries.copied())
        foldings = UnsafePointer(builder.foldings.copied())
    }

    /// Builds the two levels from the lists in UnicodeTable+Data.swift.
    private struct Builder {
        /// Block 0 contains only letters without folding, like most of Unicode.
        var blocks = [UInt8](repeating: 0, count: Int(UnicodeTable.limit >> 8))
        var entries = [UInt16](repeating: Entry.word, count: 256)
        var foldings = [Folding()]
        private var numbers: [Folding: UInt16] = [:]
        /// The block without any letters.
        private var emptyBlock: UInt8?

        private mutating func change(_ code: Int32, _ body: (inout UInt16) -> Void) {
            let block = Int(code) >> 8
            if blocks[block] == 0 {
                blocks[block] = UInt8(truncatingIfNeeded: entries.count >> 8)
                entries.append(contentsOf: repeatElement(Entry.word, count: 256))
            }
            body(&entries[Int(blocks[block]) << 8 | Int(code) & 0xff])
        }

        /// Adds marks and separators, after the letters, none of whose blocks is empty.
        mutating func addClasses() {
            for index in stride(from: 0, to: UnicodeTable.gaps.count, by: 2) {
                let last = UnicodeTable.gaps[index + 1]
                var code = UnicodeTable.gaps[index]
                while code <= last {
                    if code & 0xff == 0, last - code >= 0xff, blocks[Int(code) >> 8] == 0 {
                        blocks[Int(code) >> 8] = emptyBlockNumber()
                        code += 0x100
                    } else {
                        change(code) { $0 = 0 }
                        code += 1
                    }
                }
            }
            for code in UnicodeTable.marks { change(code) { $0 = Entry.mark } }
        }

        private mutating func emptyBlockNumber() -> UInt8 {
            if let emptyBlock { return emptyBlock }
            let number = UInt8(truncatingIfNeeded: entries.count >> 8)
            entries.append(contentsOf: repeatElement(0, count: 256))
            emptyBlock = number
            return number
        }

        mutating func addFoldings() {
            var bases: [Int32: Int32] = [:]
            each(UnicodeTable.bases) { code, base in bases[code] = base }
            each(UnicodeTable.folds) { code, difference in
                let folded = code + difference
                add(code, Folding(plain: difference, bare: (bases[folded] ?? folded) - code))
            }
            for (code, base) in bases { add(code, Folding(plain: 0, bare: base - code)) }
        }

        private func each(_ runs: [Int32], _ body: (Int32, Int32) -> Void) {
            for index in stride(from: 0, to: runs.count, by: 4) {
                let step = max(Int(runs[index + 2]), 1)
                for code in stride(from: runs[index], through: runs[index + 1], by: step) {
                    body(code, runs[index + 3])
                }
            }
        }

        private mutating func add(_ code: Int32, _ folding: Folding) {
            let number: UInt16
            if let known = numbers[folding] {
                number = known
            } else {
                number = UInt16(truncatingIfNeeded: foldings.count)
                numbers[folding] = number
                foldings.append(folding)
            }
            change(code) { $0 = Entry.word | number << 2 }
        }
    }
}

extension Array where Element: BitwiseCopyable {
    /// A copy of the elements in memory that is never freed.
    fileprivate func copied() -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: Swift.max(count, 1))
        _ = memory.initialize(from: self)
        return memory.baseAddress.unsafelyUnwrapped
    }
}
