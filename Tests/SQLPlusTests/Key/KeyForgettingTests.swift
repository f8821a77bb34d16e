#if os(Linux)
    import Foundation
    import SQLCore
    import SQLPlus
    import StoreTestSupport
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Bytes of which the test itself stores no copy: each is stored masked by another byte.
    private struct HiddenBytes {
        private let hidden: [UInt8]
        private let mask: [UInt8]

        static func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }

        /// A part of the bytes.
        func part(_ range: Range<Int>) -> HiddenBytes {
            HiddenBytes(hidden: Array(hidden[range]), mask: Array(mask[range]))
        }

        /// Random bytes.
        init(count: Int) {
            self.init(hidden: Self.random(count), mask: Self.random(count))
        }

        init(hidden: [UInt8], mask: [UInt8]) {
            self.hidden = hidden
            self.mask = mask
        }

        /// Calls `body` with the bytes, in memory that is overwritten afterwards.
        func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: hidden.count)
            for place in hidden.indices {
                bytes.initializeElement(at: place, to: hidden[place] ^ mask[place])
            }
            defer {
                bytes.update(repeating: 0)
                bytes.deallocate()
            }
            return try body(UnsafeBufferPointer(bytes))
        }

        /// Whether other bytes contain them.
        func stand(in bytes: UnsafeRawBufferPointer) -> Bool {
            guard let start = bytes.baseAddress else { return false }
            let first = Int32(hidden[0] ^ mask[0])
            var place = 0
            while place + hidden.count <= bytes.count,
                let found = memchr(start + place, first, bytes.count - place - hidden.count + 1)
            {
                place = UnsafeRawPointer(found) - start
                let isHere = hidden.indices.allSatisfy {
                    bytes[place + $0] ^ mask[$0] == hidden[$0]
                }
                if isHere { return true }
                place += 1
            }
            return false
        }
    }

    /// The writable memory of this process, as the system lists it.
    private enum WritableMemory {
        private static let part = 1 << 20

        /// Whether it contains bytes that must be in it. Other tests map and unmap memory while it
        /// is read, so that a part can be missed once.
        static func doesContain(_ bytes: HiddenBytes) throws -> Bool {
            for _ in 0..<20 where try contains(bytes) { return true }
            return false
        }

        /// Whether bytes are found in it.
        static func contains(_ bytes: HiddenBytes) throws -> Bool {
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            try #require(memory >= 0)
            defer { close(memory) }
            let access = PROT_READ | PROT_WRITE
            let pages = mmap(nil, part, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            let buffer = try #require(pages == MAP_FAILED ? nil : pages)
            defer { munmap(buffer, part) }
            for range in try regions() {
                // Chunks overlap, so that no match is split.
                for start in stride(from: range.lowerBound, to: range.upperBound, by: part - 64) {
                    // The buffer itself is read, too: its old content is not a copy by the process.
                    memset(buffer, 0, part)
                    let wanted = min(part, range.upperBound - start)
                    // Memory that another thread has unmapped meanwhile is skipped.
                    let found = pread(memory, buffer, wanted, off_t(start))
                    guard found > 0 else { continue }
                    if bytes.stand(in: UnsafeRawBufferPointer(start: buffer, count: found)) {
                        return true
                    }
                }
            }
            return false
        }

        private static func regions() throws -> [Range<Int>] {
            let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            return maps.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard words.count > 1, words[1].hasPrefix("rw") else { return nil }
                let bounds = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
                return bounds.count == 2 ? bounds[0]..<bounds[1] : nil
            }
        }
    }

    @Suite("Remains of a key that is no longer used")
    struct KeyForgettingTests {
        let directory: TemporaryDirectory

        init() throws { directory = try TemporaryDirectory() }

        private static let sql = """
            PRAGMA cache_size = 4; CREATE TABLE t (a, b);
            INSERT INTO t VALUES (1, zeroblob(100000)); UPDATE t SET a = 2
            """

        /// Uses a key for a file: its bytes are in memory only while the key is retained.
        private func expectForgotten(
            _ bytes: HiddenBytes, part: Range<Int>? = nil,
            _ make: (UnsafeBufferPointer<UInt8>) throws -> EncryptionKey
        ) throws {
            let wanted = part.map(bytes.part) ?? bytes
            for mode in ["delete", "wal"] {
                let path = directory("\(UUID().uuidString).db")
                do {
                    let key = try bytes.withBytes(make)
                    let context = try SQLContext(path: path, configuration: .plus(key: key))
                    try context.exec(sql: "PRAGMA journal_mode = \(mode); \(Self.sql)")
                    #expect(try WritableMemory.doesContain(wanted))
                    try context.close()
                    #expect(try WritableMemory.doesContain(wanted))
                    let again = try SQLContext(path: path, configuration: .plus(key: key))
                    #expect(try again.selectValue(sql: "SELECT a FROM t") == .long(2))
                    try again.close()
                }
                #expect(try !WritableMemory.contains(wanted))
            }
        }

        @Test("no byte of a raw key is in memory, with the salt of the file or without")
        func rawKey() throws {
            try expectForgotten(HiddenBytes(count: 32)) { try EncryptionKey(raw: $0) }
            try expectForgotten(HiddenBytes(count: 32)) {
                try EncryptionKey(raw: Array($0) + HiddenBytes.random(16))
            }
        }

        @Test("no byte of a passphrase is in memory")
        func passphrase() throws {
            try expectForgotten(HiddenBytes(count: 24)) { try EncryptionKey(passphrase: $0) }
            // In memory that was freed without being overwritten, the middle remains longest.
            try expectForgotten(HiddenBytes(count: 20_000), part: 10_000..<10_032) {
                try EncryptionKey(passphrase: $0)
            }
        }

        /// Another process derives the key, so that this one has it only in SQLPlus.
        private func derived(_ passphrase: String, salt: String) throws -> HiddenBytes {
            let mask = HiddenBytes.random(32)
            let program = """
                import hashlib, sys
                salt, mask = bytes.fromhex(sys.argv[2]), bytes.fromhex(sys.argv[3])
                key = hashlib.pbkdf2_hmac("sha512", sys.argv[1].encode(), salt, 256000, 32)
                print(*[a ^ b for a, b in zip(key, mask)])
                """
            let digits = mask.map { String(format: "%02x", $0) }.joined()
            let result = try ChildProcess.run(
                ["python3", "-c", program, passphrase, salt, digits])
            let hidden = result.output.split(separator: " ").compactMap {
                UInt8($0.trimmingCharacters(in: .newlines))
            }
            try #require(hidden.count == 32, "\(result.output)")
            return HiddenBytes(hidden: hidden, mask: mask)
        }

        @Test(
            "no byte of what was derived from a passphrase is in memory",
            .enabled(if: ChildProcess.exists("python3")))
        func derivedKey() throws {
            var bytes: HiddenBytes?
            do {
                let key = try EncryptionKey("a passphrase that is not a secret")
                let context = try SQLContext(
                    path: directory("a.db"), configuration: .plus(key: key))
                try context.exec(sql: Self.sql)
                let salt = try context.selectValue(sql: "PRAGMA cipher_salt")?.textValue
                bytes = try derived("a passphrase that is not a secret", salt: #require(salt))
                #expect(try WritableMemory.doesContain(#require(bytes)))
                try context.close()
            }
            #expect(try !WritableMemory.contains(#require(bytes)))
        }
    }
#endif
