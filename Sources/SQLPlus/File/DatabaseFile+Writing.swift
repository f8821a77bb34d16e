internal import SQLCore

extension DatabaseFile {
    func writePage(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        do {
            guard let cipher = try requireCipher(createsSalt: true) else { return .writeFailed }
            guard PageLayout.isPageSize(bytes.count), offset % Int64(bytes.count) == 0 else {
                return fail(.noSpaceInPages)
            }
            let number = UInt32(offset / Int64(bytes.count)) + 1
            try requireLayout(bytes, number: number)
            // All pages of a file have the same size.
            guard pageSize == 0 || pageSize == bytes.count || !hasPages else {
                return fail(.fixedPageSize)
            }
            pageSize = bytes.count
            let filled = try fillHole(cipher, before: offset)
            guard filled == .ok else { return filled }
            let page = sealed.prefix(bytes.count)
            try cipher.seal(bytes, number: number, into: page)
            let code = super.write(UnsafeRawBufferPointer(page), at: offset)
            if code == .ok { knownLength = max(knownLength, offset + Int64(bytes.count)) }
            return code
        } catch {
            return fail(error)
        }
    }

    /// Checks that the header in the first page states this page size and the reserved bytes for
    /// encryption, which would otherwise overwrite data.
    func requireLayout(
        _ page: UnsafeRawBufferPointer, number: UInt32
    ) throws(EncryptionError) {
        guard number == 1 else { return }
        guard PageLayout.statedSize(page) == page.count else { throw .fixedPageSize }
        guard page[PageLayout.reserveOffset] == UInt8(PageLayout.reserve) else {
            throw .noSpaceInPages
        }
    }

    /// Writes the empty pages that SQLite skips when it extends the file: a hole could not be
    /// distinguished from pages that an attacker has overwritten with zeros.
    private func fillHole(
        _ cipher: PageCipher, before offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard offset > knownLength else { return .ok }
        let size = Int64(pageSize)
        let end = try length() / size * size
        knownLength = max(knownLength, end)
        guard end < offset else { return .ok }
        let sealed = sealed.prefix(pageSize)
        let zeros = plain.prefix(pageSize)
        zeros.clear()
        for page in Int(end / size) + 1...Int(offset / size) where !isOfLocks(page: page) {
            try cipher.seal(UnsafeRawBufferPointer(zeros), number: UInt32(page), into: sealed)
            let code = writeSealed(page, UnsafeRawBufferPointer(sealed))
            guard code == .ok else { return code }
        }
        return .ok
    }

    /// Whether a page is the lock page, which SQLite does not use and which is not encrypted.
    func isOfLocks(page: Int) -> Bool { (page - 1) == 0x4000_0000 / pageSize }
}
