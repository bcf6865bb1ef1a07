public import Corinth
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension URLSession: ReactiveExtensionsProvider {}

extension Reactive where Base: URLSession {
    /// A producer that makes one request for each start.
    ///
    /// It sends the data and the response and completes, or it fails. Disposing of a start cancels its request.
    ///
    /// - Parameter request: The request.
    /// ## Concurrency
    /// Callbacks run on the session's delegate queue.
    public func data(with request: URLRequest) -> SignalProducer<(Data, URLResponse), any Error> {
        SignalProducer { [base] observer, lifetime in
            let task = base.dataTask(with: request) { data, response, error in
                if let data, let response {
                    observer.send(value: (data, response))
                    observer.sendCompleted()
                } else {
                    observer.send(error: error ?? URLError(.unknown))
                }
            }
            lifetime.observeEnded { task.cancel() }
            task.resume()
        }
    }
}
