// The names that examples in the documentation of SQLPlus use without declaring them.
import SQLPlus

var plusKey: EncryptionKey { never() }
var plusContext: SQLContext { never() }
