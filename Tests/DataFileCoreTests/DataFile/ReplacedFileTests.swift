import DataFileCore
import EngineTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// A file that is removed or replaced while a handle has it open.
@Suite("Files that were replaced while open")
struct ReplacedFileTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws { fixture = try EngineFixture() }

    @Test("nothing is written to a file that was removed or replaced")
    func replaced() throws {
        let file = try fixture.open()
        try file.write { _ = try store.set("a", in: $0) }
        try FileSystem.move(fixture.path, to: fixture.directory("gone.cblite2"))
        storeError(.cannotOpenFile) { try file.write { _ = try store.set("b", in: $0) } }
        try DataFile(path: fixture.path, options: DataFileOptions(access: .create)).close()
        storeError(.cannotOpenFile) { try file.write { _ = try store.set("b", in: $0) } }
        file.close()
        #expect(try fixture.liveRows() == [])
    }
}
