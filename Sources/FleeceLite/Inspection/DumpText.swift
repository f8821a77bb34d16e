internal import StorePlatform

/// Describes values and pointers in a dump.
struct DumpText {
    static let addressDigits = 4

    let bytes: UnsafeRawBufferPointer
    /// The document into which extern pointers lead; empty if it is not known.
    let base: UnsafeRawBufferPointer
    let sharedKeys: SharedKeys

    /// The description of a position: its meaning, and any problem.
    struct Remark {
        var meaning: String
        var problem: String?
    }

    static func address(_ offset: Int) -> String {
        Hexadecimal.encoded(UInt(offset), digits: addressDigits)
    }

    /// Describes a value that is not a pointer.
    ///
    /// - Parameters:
    ///   - isPreview: whether a short description is enough: the value is the target of a pointer,
    ///     of which there can be many, or much of it belongs to other values.
    func value(_ value: RawValue, isPreview: Bool = false) -> Remark {
        guard value.end != nil else {
            return Remark(meaning: Self.name(value.tag), problem: "cut off")
        }
        switch value.tag {
        case FleeceTag.shortInteger, FleeceTag.integer:
            return Remark(meaning: integer(value))
        case FleeceTag.float: return Remark(meaning: floatingPoint(value))
        case FleeceTag.special: return special(value)
        case FleeceTag.string: return string(value, isPreview)
        case FleeceTag.data:
            let count = value.bytes(tag: FleeceTag.data)?.count ?? 0
            return Remark(meaning: "data, \(count) bytes")
        default:
            let collection = value.array ?? value.dictionary
            let wide = collection?.isWide == true ? ", wide" : ""
            return Remark(
                meaning: "\(Self.name(value.tag)) of \(collection?.count ?? 0)\(wide)")
        }
    }

    private static func name(_ tag: UInt8) -> String {
        switch tag {
        case FleeceTag.shortInteger, FleeceTag.integer: "integer"
        case FleeceTag.float: "float"
        case FleeceTag.special: "special"
        case FleeceTag.string: "string"
        case FleeceTag.data: "data"
        case FleeceTag.array: "array"
        default: "dictionary"
        }
    }

    private func integer(_ value: RawValue) -> String {
        guard let integer = value.integer else { return "integer" }
        guard integer.isUnsigned else { return "integer \(integer.bits)" }
        return "integer \(UInt64(bitPattern: integer.bits)), unsigned"
    }

    private func floatingPoint(_ value: RawValue) -> String {
        guard let (number, isSingle) = value.floatingPoint else { return "float" }
        if isSingle { return "float \(Float(number))" }
        return "double \(number)" + (value.byte(0) & 0x08 == 0 ? ", in 4 bytes" : "")
    }

    private func special(_ value: RawValue) -> Remark {
        switch value.byte(0) {
        case FleeceSpecial.null: Remark(meaning: "null")
        case FleeceSpecial.false: Remark(meaning: "false")
        case FleeceSpecial.true: Remark(meaning: "true")
        case FleeceSpecial.undefined: Remark(meaning: "undefined")
        default: Remark(meaning: "null", problem: "a special value that the format does not have")
        }
    }

    private func string(_ value: RawValue, _ isPreview: Bool) -> Remark {
        guard let contents = value.string else { return Remark(meaning: "string") }
        let length = isPreview ? FleeceLimits.dumpedPreview : FleeceLimits.dumpedText
        let wrong = isPreview ? nil : UTF8Validation.firstInvalid(in: contents)
        let problem = wrong.map { "not UTF-8 from its byte \($0) on" }
        guard contents.count > length else {
            return Remark(meaning: "string \(quoted(contents[...]))", problem: problem)
        }
        var end = length
        while end > 0, contents[end] & 0xC0 == 0x80 { end -= 1 }
        return Remark(
            meaning: "string \(quoted(contents[..<end]))…, \(contents.count) bytes",
            problem: problem)
    }

    private func quoted(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        Self.quoted(String(decoding: bytes, as: UTF8.self))
    }

    static func quoted(_ string: String) -> String {
        var text = JSONText()
        text.append(quoted: string)
        return text.string
    }
}

extension DumpText {
    func pointer(_ start: UnsafeRawPointer, at position: Int, isWide: Bool) -> DumpPointer {
        DumpPointer(start, at: position, isWide: isWide, baseCount: base.count)
    }

    /// Describes a pointer and its target.
    func pointer(_ pointer: DumpPointer) -> Remark {
        let name = (pointer.isWide ? "wide " : "") + "pointer"
        guard let target = pointer.target else {
            return pointer.isExtern
                ? externPointer(pointer, name)
                : Remark(
                    meaning: "\(name) back \(pointer.distance)",
                    problem: pointer.distance == 0
                        ? "points to itself"
                        : "points \(pointer.distance - pointer.position) bytes before 0000")
        }
        let old = pointer.isExtern ? " (predates the extern flag)" : ""
        let way = "\(name)\(old) back \(pointer.distance) to \(Self.address(target))"
        guard bytes[target] & FleeceTag.pointerBit == 0 else {
            return Remark(meaning: way, problem: chainProblem(pointer))
        }
        let value = RawValue(
            base: pointer.base, offset: target, limit: pointer.position)
        let remark = self.value(value, isPreview: true)
        return Remark(
            meaning: "\(way): \(remark.meaning)",
            problem: value.end == nil ? "the target does not end before the pointer" : nil)
    }

    private func externPointer(_ pointer: DumpPointer, _ name: String) -> Remark {
        let before = pointer.distance - pointer.position
        let way = "extern \(name) back \(pointer.distance)"
        guard before > 0 else {
            return Remark(meaning: way, problem: "points into this document, not into the base")
        }
        guard let start = base.baseAddress, !base.isEmpty else {
            return Remark(meaning: "\(way), \(before) bytes before 0000")
        }
        let target = base.count - before
        guard target >= 0 else {
            return Remark(meaning: way, problem: "points \(-target) bytes before the base")
        }
        let value = RawValue(base: start, offset: target, limit: base.count)
        let isPointer = value.byte(0) & FleeceTag.pointerBit != 0
        let what =
            isPointer ? "pointer" : self.value(value, isPreview: true).meaning
        return Remark(
            meaning: "\(way) to \(Self.address(target)) of the base: \(what)",
            problem: !isPointer && value.end == nil ? "the target is cut off" : nil)
    }

    /// The problem of a chain of pointers; nil if it leads to a value.
    private func chainProblem(_ pointer: DumpPointer) -> String? {
        let raw = RawValue(
            base: pointer.base, offset: pointer.position,
            limit: pointer.position + pointer.width)
        return raw.followed(wide: pointer.isWide) == nil
            ? "points to a chain of pointers without a value" : nil
    }
}
