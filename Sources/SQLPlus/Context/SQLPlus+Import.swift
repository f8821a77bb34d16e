// Re-exported, so that `import SQLPlus` is sufficient: its API uses the types of these modules.
@_exported public import SQLCore

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
