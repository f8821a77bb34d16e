// The names that examples in DataFileCore's documentation use without declaring them.
import DocumentStore
import SQLTables

var photo: Blob { never() }
var databaseKey: any DatabaseKey { never() }
var newDatabaseKey: any DatabaseKey { never() }
var history: DocumentHistory { never() }
func vector(of value: FleeceValue?) -> [Float]? { never() }
