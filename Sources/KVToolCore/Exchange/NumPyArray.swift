/// An array of single-precision numbers in NumPy's format.
///
/// The format is that of numpy.lib.format, versions 1 to 3: a magic number, the length of the
/// header, and the header, a dictionary in Python's syntax.
struct NumPyArray {
    let shape: [Int]
    private let bytes: ArraySlice<UInt8>

    /// - Parameter path: the path of the file for messages.
    init(_ bytes: [UInt8], _ path: String) throws {
        func damaged(_ what: String) -> ToolError {
            ToolError("\(Text.line(path)) is not an array of NumPy: \(what)")
        }
        guard bytes.starts(with: [0x93] + Array("NUMPY".utf8)) else {
            throw damaged("it does not begin with the magic number")
        }
        guard bytes.count >= 12 else { throw damaged("the header is cut off") }
        let isLong = bytes[6] > 1
        let length = bytes[8..<(isLong ? 12 : 10)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let start = isLong ? 12 : 10
        guard length <= bytes.count - start else { throw damaged("the header is cut off") }
        let header = String(decoding: bytes[start..<(start + length)], as: UTF8.self)
        guard header.contains("'<f4'") else {
            throw damaged("its numbers are not float32; convert them with astype('<f4')")
        }
        guard !header.contains("'fortran_order': True") else {
            throw damaged("its columns are contiguous; convert it with numpy.ascontiguousarray")
        }
        guard let open = header.firstIndex(of: "("), let close = header[open...].firstIndex(of: ")")
        else { throw damaged("the header has no shape") }
        shape = try header[header.index(after: open)..<close].split(separator: ",").map {
            let number = $0.drop { $0 == " " }
            guard let count = Int(number) else { throw damaged("its shape has \(number)") }
            return count
        }
        var size = 4
        for count in shape {
            let (product, overflows) = size.multipliedReportingOverflow(by: count)
            guard !overflows, count >= 0 else { throw damaged("its shape is \(shape)") }
            size = product
        }
        self.bytes = bytes[(start + length)...]
        guard size == self.bytes.count, size > 0 else {
            throw damaged("it has \(self.bytes.count) bytes instead of \(size)")
        }
    }

    /// The positions of the first dimension.
    var rows: Range<Int> { 0..<(shape.first ?? 0) }

    /// The bytes of a row; all of an array of one dimension.
    func row(_ index: Int) -> [UInt8] {
        guard shape.count > 1 else { return Array(bytes) }
        let size = bytes.count / max(1, shape[0])
        return Array(bytes.dropFirst(index * size).prefix(size))
    }
}
