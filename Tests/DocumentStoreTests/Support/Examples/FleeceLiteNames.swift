// The names that examples in the documentation of FleeceLite use without declaring them.
import DocumentStore

var fleeceBytes: [UInt8] { never() }
var oldFleece: FleeceDocument { never() }
var newFleece: FleeceDocument { never() }
var fleeceDictionary: FleeceDictionary { never() }
var fleeceArray: FleeceArray { never() }
