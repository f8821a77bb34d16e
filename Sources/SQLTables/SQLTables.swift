// A program that uses tables needs a single import: contexts and values come from SQLCore.
@_exported public import SQLCore
