extension FleeceEncoder {
    /// The position of the next value, in units of 2 bytes.
    @inline(__always)
    var outputHalf: UInt32 { UInt32(truncatingIfNeeded: output.count &>> 1) }

    /// Writes items as slots of 2 bytes, or of 4 if `isWide` or a pointer needs it; returns
    /// whether they have 4.
    @inline(__always)
    @discardableResult
    mutating func writeSlots(
        _ items: UnsafePointer<SlotItem>, count: Int, isWide: Bool
    ) -> Bool {
        output.reserve(count &* 4 &+ 16)
        if !isWide {
            // Narrow slots are written optimistically; whether all pointers fit
            // is known only afterwards.
            let slots = output.end
            var half = outputHalf
            var distances: UInt32 = 0
            for index in 0..<count {
                let item = items[index]
                let distance = item.distance(fromHalf: half)
                let pointer = item.isPointer ? distance : 0
                let bits = item.isPointer ? 0x8000 | distance : item.bits >> 16
                distances |= pointer
                slots.storeBytes(
                    of: UInt16(truncatingIfNeeded: bits).bigEndian, toByteOffset: index &* 2,
                    as: UInt16.self)
                half &+= 1
            }
            if distances <= UInt32(FleeceLimits.narrowReach / 2) {
                output.extend(count &* 2)
                return false
            }
        }
        return writeSlotsInFull(items, count: count, isWide: isWide)
    }

    @inline(never)
    private mutating func writeSlotsInFull(
        _ items: UnsafePointer<SlotItem>, count: Int, isWide: Bool
    ) -> Bool {
        let start = outputHalf
        let isWide = isWide || needsWideSlots(items, count: count, from: start)
        let externBit: UInt32 = base?.usesExternPointers == true ? 1 : 0
        for index in 0..<count {
            let item = items[index]
            let half = start + UInt32(index * (isWide ? 2 : 1))
            let distance =
                item.isIntoBase ? item.baseDistance(fromHalf: half) : item.distance(fromHalf: half)
            let extern = item.isIntoBase ? externBit : 0
            if isWide {
                let bits = item.isPointer ? 0x8000_0000 | extern << 30 | distance : item.bits
                output.append(bigEndian: bits)
            } else {
                let bits = item.isPointer ? 0x8000 | extern << 14 | distance : item.bits >> 16
                output.append(bigEndian: UInt16(truncatingIfNeeded: bits))
            }
        }
        return isWide
    }

    private func needsWideSlots(
        _ items: UnsafePointer<SlotItem>, count: Int, from start: UInt32
    ) -> Bool {
        for index in 0..<count where items[index].isPointer {
            let item = items[index]
            let half = start + UInt32(index)
            let distance =
                item.isIntoBase ? item.baseDistance(fromHalf: half) : item.distance(fromHalf: half)
            if distance > UInt32(FleeceLimits.narrowReach / 2) { return true }
        }
        return false
    }
}

extension GrowingBuffer where Element == UInt8 {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        reserve(8)
        end.storeBytes(of: value.bigEndian, as: type(of: value))
        extend(value.bitWidth / 8)
    }
}
