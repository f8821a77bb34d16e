// A program with tables needs one import: connections and values are SQLCore's.
@_exported public import SQLCore
