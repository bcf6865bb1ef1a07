import Corinth

/// A bug that is put into the service on purpose, so that a test can see that it is found.
enum ServiceFault: String, CaseIterable {
    /// Connections whose client has vanished are kept.
    case leak
    /// A request is lost now and then.
    case loss
    /// Two requests of a connection change places now and then.
    case order
    /// Clients change the number of an object's references without atomic operations.
    case references

    var law: ServiceLaws.Law {
        switch self {
        case .leak: .release
        case .loss: .loss
        case .order: .order
        case .references: .references
        }
    }

    /// What the service handles in place of each item of a partition. A partition's owner uses it.
    final class Stage: @unchecked Sendable {  // Callbacks of a partition are serial.
        private let fault: ServiceFault?
        private var count = 0
        private var held: ServiceItem?

        init(_ fault: ServiceFault?) { self.fault = fault }

        func items(for item: ServiceItem) -> [ServiceItem] {
            if let first = held {
                if first.link.id != item.link.id { return [item] }
                held = nil
                return item.event.isTerminating ? [first, item] : [item, first]
            }
            if item.event.isTerminating { return [item] }
            count += 1
            guard count.isMultiple(of: 100) else { return [item] }
            switch fault {
            case .loss: return []
            case .order:
                held = item
                return []
            case .leak, .references, nil: return [item]
            }
        }
    }
}
