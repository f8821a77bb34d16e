// The one import of a program with documents: data files and their collections, queries in all
// their forms, and the values that documents consist of.
@_exported public import DataFileCore
@_exported public import FleeceLite
@_exported public import QueryBuilder
@_exported public import QueryEngine
@_exported public import QueryFunctions
@_exported public import QueryLanguage
@_exported public import StoreFormat
@_exported public import VectorIndex
