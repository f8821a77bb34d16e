/// The kinds of findings.
enum VerificationKind: String, CaseIterable, Sendable {
    // The file.
    case damagedPage, fileSetting, textEncoding, info, implausibleClock, counts, unusedCounts
    // Tables.
    case missingTable, missingTombstoneTable, missingColumns, notATable, unreadableRows
    case duplicateKey
    case sharedKeys
    // Rows.
    case invalidKey, unusualKey
    case invalidFlags, deletedFlag, conflictedFlag, attachmentsFlag, needlessAttachmentsFlag
    case misplacedTombstone, misplacedDocument
    case damagedBody, reservedProperty, unsharedKey
    case missingRevision, damagedRevision, damagedHistory, otherRevision, swappedColumns
    case implausibleVersion
    case missingSequence, duplicateSequence, laggingSequence
    case invalidExpiration, unusualExpiration, expired
    // Indexes.
    case missingIndexPart, differentIndexPart, ownIndex, indexRows, indexWords, leftOutVectors
    case orphanedTable, orphanedIndex, orphanedRegistration, uncheckedIndex
    case missingTrigger, differentTrigger, orphanedTrigger, foreignTrigger
    case foreignView, foreignTable, foreignIndex
    // Blobs.
    case missingBlob, blobLength, damagedBlob, unusedBlob, plainBlob, encryptedBlobs
}

extension VerificationKind {
    var area: VerificationFinding.Area {
        switch self {
        case .damagedPage, .fileSetting, .textEncoding, .info, .implausibleClock, .counts,
            .unusedCounts:
            .file
        case .missingTable, .missingTombstoneTable, .missingColumns, .notATable, .unreadableRows,
            .foreignView, .foreignTable:
            .table
        case .sharedKeys: .sharedKeys
        case .invalidKey, .unusualKey, .duplicateKey: .key
        case .invalidFlags, .deletedFlag, .conflictedFlag, .attachmentsFlag,
            .needlessAttachmentsFlag, .misplacedTombstone, .misplacedDocument:
            .flags
        case .damagedBody, .reservedProperty, .unsharedKey: .body
        case .missingRevision, .damagedRevision, .damagedHistory, .otherRevision, .swappedColumns,
            .implausibleVersion:
            .revision
        case .missingSequence, .duplicateSequence, .laggingSequence: .sequence
        case .invalidExpiration, .unusualExpiration, .expired: .expiration
        case .missingIndexPart, .differentIndexPart, .ownIndex, .indexRows, .indexWords,
            .leftOutVectors, .orphanedTable, .orphanedIndex, .orphanedRegistration,
            .uncheckedIndex, .foreignIndex:
            .index
        case .missingTrigger, .differentTrigger, .orphanedTrigger, .foreignTrigger: .trigger
        case .missingBlob, .blobLength, .damagedBlob, .unusedBlob, .plainBlob, .encryptedBlobs:
            .blob
        }
    }

    var severity: VerificationFinding.Severity {
        switch self {
        case .fileSetting, .unusedCounts, .unusualKey, .needlessAttachmentsFlag, .unsharedKey,
            .laggingSequence, .unusualExpiration, .expired, .orphanedTable, .orphanedIndex,
            .leftOutVectors, .uncheckedIndex, .foreignTrigger, .foreignView, .foreignTable,
            .foreignIndex, .unusedBlob, .plainBlob:
            .note
        default: .error
        }
    }

    /// Whether it can be fixed without losing anything.
    var isFixable: Bool {
        switch self {
        case .missingTombstoneTable, .attachmentsFlag, .misplacedTombstone, .misplacedDocument,
            .swappedColumns, .laggingSequence, .missingIndexPart, .differentIndexPart, .ownIndex,
            .indexRows, .indexWords, .orphanedTable, .orphanedRegistration, .missingTrigger,
            .differentTrigger, .orphanedTrigger, .implausibleClock, .implausibleVersion:
            true
        default: false
        }
    }
}
