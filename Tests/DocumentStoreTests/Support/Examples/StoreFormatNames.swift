// The names that examples in the documentation of StoreFormat use without declaring them.
import DocumentStore

var storedRecord: Record { never() }
var revisionTree: RevisionTree { never() }
var localVector: VersionVector { never() }
var remoteVector: VersionVector { never() }
var remoteRevisions: RemoteRevisions { never() }
