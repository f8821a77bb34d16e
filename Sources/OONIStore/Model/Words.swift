extension OONIStore {
    /// Who began a run.
    public struct TaskOrigin: OpenEnumeration {
        /// The word as it is written.
        public let rawValue: String

        /// A word, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The user.
        public static let ooniRun = Self(rawValue: "ooni-run")
        /// The app, in the background.
        public static let autorun = Self(rawValue: "autorun")

        /// The words that are known.
        public static let known: [Self] = [
            .ooniRun, .autorun,
        ]
    }

    /// How a device was connected.
    public struct NetworkType: OpenEnumeration {
        /// The word as it is written.
        public let rawValue: String

        /// A word, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A virtual private network.
        public static let vpn = Self(rawValue: "vpn")
        /// Wi-Fi.
        public static let wifi = Self(rawValue: "wifi")
        /// A mobile network.
        public static let mobile = Self(rawValue: "mobile")
        /// A cable.
        public static let wiredEthernet = Self(rawValue: "wired_ethernet")
        /// Another device, by Bluetooth.
        public static let bluetooth = Self(rawValue: "bluetooth")
        /// Another device, by USB.
        public static let usb = Self(rawValue: "usb")
        /// Not at all.
        public static let noInternet = Self(rawValue: "no_internet")

        /// The words that are known.
        public static let known: [Self] = [
            .vpn, .wifi, .mobile, .wiredEthernet, .bluetooth, .usb, .noInternet,
        ]
    }

    /// A test of OONI's engine; one that is not known is experimental.
    public struct TestName: OpenEnumeration {
        /// The word as it is written.
        public let rawValue: String

        /// A word, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Streaming of video.
        public static let dash = Self(rawValue: "dash")
        /// Facebook Messenger.
        public static let facebookMessenger = Self(rawValue: "facebook_messenger")
        /// Middle boxes, by their changes of headers.
        public static let httpHeaderFieldManipulation = Self(
            rawValue: "http_header_field_manipulation")
        /// Middle boxes, by their answers to nonsense.
        public static let httpInvalidRequestLine = Self(rawValue: "http_invalid_request_line")
        /// The speed of the network.
        public static let ndt = Self(rawValue: "ndt")
        /// Psiphon.
        public static let psiphon = Self(rawValue: "psiphon")
        /// Signal.
        public static let signal = Self(rawValue: "signal")
        /// Telegram.
        public static let telegram = Self(rawValue: "telegram")
        /// Tor.
        public static let tor = Self(rawValue: "tor")
        /// Websites.
        public static let webConnectivity = Self(rawValue: "web_connectivity")
        /// WhatsApp.
        public static let whatsapp = Self(rawValue: "whatsapp")

        /// The words that are known.
        public static let known: [Self] = [
            .dash, .facebookMessenger, .httpHeaderFieldManipulation, .httpInvalidRequestLine,
            .ndt, .psiphon, .signal, .telegram, .tor, .webConnectivity, .whatsapp,
        ]

        /// Whether its keys are kept: speeds, that the lists show.
        public var isPerformance: Bool { self == .dash || self == .ndt }
    }

    /// What OONI's server says of an uploaded measurement.
    public struct VerificationStatus: OpenEnumeration {
        /// The word as it is written.
        public let rawValue: String

        /// A word, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is what it seems to be.
        public static let verified = Self(rawValue: "Verified")
        /// It is not.
        public static let failed = Self(rawValue: "Failed")
        /// That is not known.
        public static let unverified = Self(rawValue: "Unverified")

        /// The words that are known.
        public static let known: [Self] = [
            .verified, .failed, .unverified,
        ]
    }
}
