// The names that examples in StoreTestSupport's documentation use without declaring them.
import StoreTestSupport
// The examples are parts of tests.
@_exported public import Testing

var testDirectory: TemporaryDirectory { never() }
var peoplePath: String { never() }
var writerProgram: String { never() }
func makeDriver() throws -> any HistoryDriver { never() }
/// Whether a file has all acknowledged operations, and each of them completely.
func isWhole(_ path: String, acknowledged: [String] = []) throws -> Bool { never() }
func addPerson(to path: String) throws {}
