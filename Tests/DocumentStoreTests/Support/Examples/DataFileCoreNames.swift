// The names that examples in DataFileCore's documentation use without declaring them.
import DocumentStore
import SQLTables

/// Examples are compiled, never run.
private func never<Value>() -> Value { preconditionFailure("an example was run") }

var photo: Blob { never() }
var databaseKey: any DatabaseKey { never() }
var newDatabaseKey: any DatabaseKey { never() }
var history: DocumentHistory { never() }
