#if os(Linux)
    import Foundation
    import Testing

    @testable import Corinth

    @Suite("The space that is left on a stack", .enabled(if: !WaitLimit.isSanitized))
    struct StackSpaceTests {
        /// In bytes.
        private static let frame = 1024

        @Test(
            "A stack is low when a quarter is left, and at most 32 KiB",
            arguments: [(size: 64, left: 16), (96, 24), (192, 32), (512, 32)])
        func left(size: Int, left: Int) {
            let found = StackSpaceTests.spaceWhenLow(onStackOf: size << 10)
            #expect(abs(found - left << 10) < 3 * StackSpaceTests.frame)
        }

        @safe private final class Descent {
            let stack: UnsafeMutableRawPointer
            var left = 0

            init(_ stack: UnsafeMutableRawPointer) { unsafe self.stack = unsafe stack }

            /// Recurs until the stack is low.
            func descend() {
                unsafe withUnsafeTemporaryAllocation(byteCount: frame, alignment: 16) { buffer in
                    if !StackSpace.isLow { return descend() }
                    left = unsafe UnsafeRawPointer(buffer.baseAddress.sure) - UnsafeRawPointer(stack)
                }
            }
        }

        /// Not a `Thread`: the system gives that any larger stack that is free.
        private static func spaceWhenLow(onStackOf size: Int) -> Int {
            let stack = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1 << 14)
            defer { unsafe stack.deallocate() }
            let descent = unsafe Descent(stack)
            unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
                let attributes = unsafe buffer.baseAddress.sure
                unsafe pthread_attr_init(attributes)
                unsafe pthread_attr_setstack(attributes, stack, size)
                var thread: pthread_t = 0
                let error = unsafe pthread_create(
                    &thread, attributes,
                    { descent in
                        unsafe Unmanaged<Descent>.fromOpaque(descent.sure).takeUnretainedValue().descend()
                        return nil
                    }, Unmanaged.passUnretained(descent).toOpaque())
                #expect(error == 0)
                if error == 0 { pthread_join(thread, nil) }
                unsafe pthread_attr_destroy(attributes)
            }
            return descent.left
        }
    }
#endif
