// The names that examples in the documentation use without declaring them.
import PostgresReplication

var endpoint: PostgresEndpoint { never() }
