internal import Crypto
internal import CryptoExtras
internal import SQLCore
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file that lives as long as it is open: sorted rows, tables of one statement, undone
/// statements.
///
/// SQLite writes parts of any length anywhere in it. It is encrypted with AES-256-CTR in sectors,
/// each under a number that is used once, and with a key that goes with the file. Nothing tells
/// whether somebody has changed it.
final class TemporaryFile: SQLFile {
    private static let sector = 4096

    private let key = SymmetricKey(size: .bits256)
    /// How often each sector was written.
    private var generations: [UInt32] = []
    /// Sectors whose writing failed: nobody knows what is in them.
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

    /// Whether a part goes beyond the end of the file.
    private func isShort(_ part: Part) -> Bool {
        var size: Int64 = 0
        guard super.size(&size) == .ok else { return true }
        return Int64(part.sector * Self.sector + part.offset + part.range.count) > size
    }

    /// Writes a part of a sector; what else is in it is encrypted again with it.
    private func write(_ part: Part, _ bytes: UnsafeRawBufferPointer) -> SQLResultCode {
        let plain = buffer.prefix(Self.sector)
        var length = part.offset + bytes.count
        if bytes.count < Self.sector {
            var size: Int64 = 0
            let code = super.size(&size)
            guard code == .ok else { return code }
            let there = size - Int64(part.sector * Self.sector)
            length = max(length, Int(min(Int64(Self.sector), max(there, 0))))
            let found = readSector(part.sector, into: plain)
            guard found == .ok || found == .shortRead else { return found }
        }
        plain.part(part.offset..<part.offset + bytes.count).copyMemory(from: bytes)
        while generations.count <= part.sector { generations.append(0) }
        let (generation, isOver) = generations[part.sector].addingReportingOverflow(1)
        guard !isOver else { return .writeFailed }
        generations[part.sector] = generation
        let range = plain.part(..<length)
        let isEncrypted = turn(range, part.sector)
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

    /// Reads and decrypts a sector; zeros where nothing was written.
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
        return turn(bytes.part(..<length), sector) ? code : .readFailed
    }

    /// Encrypts or decrypts bytes from the beginning of a sector on, which is the same.
    private func turn(_ bytes: UnsafeMutableRawBufferPointer, _ sector: Int) -> Bool {
        guard !bytes.isEmpty else { return true }
        var nonce: [UInt8] = []
        for word in [UInt64(sector), UInt64(generations[sector])] {
            for place in 0..<6 { nonce.append(UInt8(truncatingIfNeeded: word >> (8 * place))) }
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

    /// What a range of the file has of one sector.
    private struct Part {
        let sector: Int
        /// From the beginning of the sector.
        let offset: Int
        /// In the bytes that are read or written.
        let range: Range<Int>

        static func all(of count: Int, at offset: Int64) -> [Part] {
            var parts: [Part] = []
            var done = 0
            while done < count {
                let place = Int(offset) + done
                let start = place % TemporaryFile.sector
                let length = min(TemporaryFile.sector - start, count - done)
                parts.append(
                    Part(
                        sector: place / TemporaryFile.sector, offset: start,
                        range: done..<done + length))
                done += length
            }
            return parts
        }
    }
}
