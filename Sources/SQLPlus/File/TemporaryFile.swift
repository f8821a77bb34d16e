internal import Crypto
internal import CryptoExtras
internal import SQLCore
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A temporary file: sorted rows, transient tables, statement journals.
///
/// SQLite writes ranges of any length at any offset. The file is encrypted with AES-256-CTR in
/// sectors, each with a nonce that is used once, and with a random key that exists only as long as
/// the file is open. It is not authenticated.
final class TemporaryFile: SQLFile {
    private static let sector = 4096

    private let key = SymmetricKey(size: .bits256)
    /// The number of writes of each sector.
    private var generations: [UInt32] = []
    /// Sectors whose last write failed: their content is undefined.
    private var lost: Set<Int> = []
    private let buffer = PageBuffer()

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        var result = SQLResultCode.ok
        for part in Part.all(of: buffer.count, at: offset) {
            let bytes = self.buffer.prefix(Self.sector)
            let code = readSector(part.sector, into: bytes)
            guard code == .ok || code == .shortRead else { return code }
            let target = buffer.part(part.range)
            target.copyMemory(
                from: UnsafeRawBufferPointer(bytes)
                    .part(part.offset..<part.offset + part.range.count))
            if code == .shortRead { result = isShort(part) ? .shortRead : result }
        }
        return result
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        for part in Part.all(of: bytes.count, at: offset) {
            let code = write(part, bytes.part(part.range))
            guard code == .ok else { return code }
        }
        return .ok
    }

    override func truncate(to size: Int64) -> SQLResultCode {
        let code = super.truncate(to: size)
        if code == .ok { lost = lost.filter { Int64($0) * Int64(Self.sector) < size } }
        return code
    }

    /// Whether a part extends past the end of the file.
    private func isShort(_ part: Part) -> Bool {
        var size: Int64 = 0
        guard super.size(&size) == .ok else { return true }
        return Int64(part.sector * Self.sector + part.offset + part.range.count) > size
    }

    /// Writes a part of a sector, which is encrypted again as a whole.
    private func write(_ part: Part, _ bytes: UnsafeRawBufferPointer) -> SQLResultCode {
        let plain = buffer.prefix(Self.sector)
        var length = part.offset + bytes.count
        if bytes.count < Self.sector {
            var size: Int64 = 0
            let code = super.size(&size)
            guard code == .ok else { return code }
            let existing = size - Int64(part.sector * Self.sector)
            length = max(length, Int(min(Int64(Self.sector), max(existing, 0))))
            let readCode = readSector(part.sector, into: plain)
            guard readCode == .ok || readCode == .shortRead else { return readCode }
        }
        plain.part(part.offset..<part.offset + bytes.count).copyMemory(from: bytes)
        while generations.count <= part.sector { generations.append(0) }
        let (generation, isOver) = generations[part.sector].addingReportingOverflow(1)
        guard !isOver else { return .writeFailed }
        generations[part.sector] = generation
        let range = plain.part(..<length)
        let isEncrypted = applyCipher(range, part.sector)
        let code =
            isEncrypted
            ? super.write(
                UnsafeRawBufferPointer(range), at: Int64(part.sector) * Int64(Self.sector))
            : .writeFailed
        if code != .ok {
            lost.insert(part.sector)
        } else if !lost.isEmpty {
            lost.remove(part.sector)
        }
        return code
    }

    /// Reads and decrypts a sector; zeros if it was never written.
    private func readSector(
        _ sector: Int, into bytes: UnsafeMutableRawBufferPointer
    ) -> SQLResultCode {
        let code = super.read(into: bytes, at: Int64(sector) * Int64(Self.sector))
        guard code == .ok || code == .shortRead else { return code }
        guard !lost.contains(sector) else { return .readFailed }
        guard sector < generations.count, generations[sector] > 0 else {
            bytes.clear()
            return code
        }
        var length = Self.sector
        if code == .shortRead {
            var size: Int64 = 0
            guard super.size(&size) == .ok else { return .readFailed }
            length = Int(max(0, min(size - Int64(sector * Self.sector), Int64(length))))
        }
        return applyCipher(bytes.part(..<length), sector) ? code : .readFailed
    }

    /// Encrypts or decrypts the leading bytes of a sector; in CTR mode both are the same operation.
    private func applyCipher(
        _ bytes: UnsafeMutableRawBufferPointer, _ sector: Int
    ) -> Bool {
        guard !bytes.isEmpty else { return true }
        var nonce: [UInt8] = []
        for word in [UInt64(sector), UInt64(generations[sector])] {
            for index in 0..<6 { nonce.append(UInt8(truncatingIfNeeded: word >> (8 * index))) }
        }
        do {
            let text = try AES._CTR.encrypt(
                UnsafeRawBufferPointer(bytes), using: key, nonce: .init(nonceBytes: nonce))
            text.copyBytes(to: bytes)
            return true
        } catch {
            return false
        }
    }

    /// The part of a range of the file that is in one sector.
    private struct Part {
        let sector: Int
        /// The offset from the beginning of the sector.
        let offset: Int
        /// The range in the bytes that are read or written.
        let range: Range<Int>

        static func all(of count: Int, at offset: Int64) -> [Part] {
            var parts: [Part] = []
            var done = 0
            while done < count {
                let position = Int(offset) + done
                let start = position % TemporaryFile.sector
                let length = min(TemporaryFile.sector - start, count - done)
                parts.append(
                    Part(
                        sector: position / TemporaryFile.sector, offset: start,
                        range: done..<done + length))
                done += length
            }
            return parts
        }
    }
}
