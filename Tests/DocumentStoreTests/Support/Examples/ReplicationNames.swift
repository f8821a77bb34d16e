// The names that examples in the documentation use without declaring them.
import DocumentStore
import Replication

var events: DocumentCollection { never() }
var endpoint: any ReplicationEndpoint { never() }
var replicator: Replicator { never() }
