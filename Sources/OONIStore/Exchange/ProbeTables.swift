// The app's tables: the columns that are read, with their names in all versions from 5 to 21.

enum ProbeDescriptor: Int, ProbeColumns {
    case runID, revision, name, shortDescription, description, author, nettests
    case nameByLanguage, shortDescriptionByLanguage, descriptionByLanguage
    case icon, color, animation, expirationDate, dateCreated, dateUpdated, dateInstalled
    case autoUpdate, rejectedRevision, revisions

    static let table = OONIStore.ImportReport.Table.descriptors
    static let names = [
        ["runId"], ["revision"], ["name"], ["short_description"], ["description"], ["author"],
        ["nettests"], ["name_intl"], ["short_description_intl"], ["description_intl"], ["icon"],
        ["color"], ["animation"], ["expiration_date"], ["date_created"], ["date_updated"],
        ["date_installed"], ["auto_update"], ["rejected_revision"],
        ["revisions"],
    ]
}

enum ProbeNetwork: Int, ProbeColumns {
    case id, name, asn, countryCode, type

    static let table = OONIStore.ImportReport.Table.networks
    static let names = [["id"], ["network_name"], ["asn"], ["country_code"], ["network_type"]]
}

enum ProbeUrl: Int, ProbeColumns {
    case id, url, category, countryCode

    static let table = OONIStore.ImportReport.Table.urls
    static let names = [["id"], ["url"], ["category_code"], ["country_code"]]
}

enum ProbeResult: Int, ProbeColumns {
    case id, descriptorName, runID, revision, startTime, isViewed, isDone, dataUsageUp
    case dataUsageDown, failureMessage, network, taskOrigin, run

    static let table = OONIStore.ImportReport.Table.results
    static let names = [
        ["id"], ["descriptor_name", "test_group_name"], ["descriptor_runId"],
        ["descriptor_revision"], ["start_time"], ["is_viewed"], ["is_done"], ["data_usage_up"],
        ["data_usage_down"], ["failure_msg"], ["network_id"], ["task_origin"], ["run_id"],
    ]
}

enum ProbeMeasurement: Int, ProbeColumns {
    case id, result, testName, startTime, runtime, isDone, isUploaded, isFailed, failureMessage
    case isUploadFailed, uploadFailureMessage, isRerun, reportID, isAnomaly, testKeys, url
    case rerunNetwork, uid, verificationStatus

    static let table = OONIStore.ImportReport.Table.measurements
    static let names = [
        ["id"], ["result_id"], ["test_name"], ["start_time"], ["runtime"], ["is_done"],
        ["is_uploaded"], ["is_failed"], ["failure_msg"], ["is_upload_failed"],
        ["upload_failure_msg"], ["is_rerun"], ["report_id"], ["is_anomaly"], ["test_keys"],
        ["url_id"], ["rerun_network"], ["uid"], ["verification_status"],
    ]
}

enum ProbeArticle: Int, ProbeColumns {
    case url, title, source, description, imageURL, time

    static let table = OONIStore.ImportReport.Table.articles
    static let names = [
        ["url"], ["title"], ["source"], ["description"], ["image_url"], ["time"],
    ]
}
