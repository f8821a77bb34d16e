// The names that examples in the documentation of FleeceLite use without declaring them.
import DocumentStore

/// Examples are compiled, never run.
private func never<Value>() -> Value { preconditionFailure("an example was run") }

var fleeceBytes: [UInt8] { never() }
var oldFleece: FleeceDocument { never() }
var newFleece: FleeceDocument { never() }
var fleeceDictionary: FleeceDictionary { never() }
var fleeceArray: FleeceArray { never() }
