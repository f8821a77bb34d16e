// The names that examples in the documentation of the SQLite layer use without declaring them.
import SQLTables

private func never<Value>() -> Value { preconditionFailure("an example was run") }

var database: SQLContext { never() }
