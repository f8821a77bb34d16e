// The names that examples in the documentation of SQLPlus use without declaring them.
import SQLPlus

/// Examples are compiled, never run.
private func never<Value>() -> Value { preconditionFailure("an example was run") }

var plusKey: EncryptionKey { never() }
var plusContext: SQLContext { never() }
