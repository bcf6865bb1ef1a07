#if os(Linux)
    import CTestSupport
    import Testing

    @Suite("The space that is left on a stack", .enabled(if: !WaitLimit.isSanitized))
    struct StackSpaceTests {
        @Test(arguments: [(size: 64, left: 16), (96, 24), (192, 32), (512, 32)])
        func `A stack is low when a quarter is left, and at most 32 KiB`(size: Int, left: Int) {
            // Found at the end of a call: each takes more than 1 KiB.
            #expect(abs(test_stack_left_when_low(size << 10) - left << 10) < 3 << 10)
        }
    }
#endif
