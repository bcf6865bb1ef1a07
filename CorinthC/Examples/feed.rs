// A feed in a thread, and a thread that trades.
//
//     rustc -O feed.rs -L "$(pkg-config --variable=libdir corinth)" && ./feed
use std::ffi::{c_char, c_void, CStr};
use std::sync::mpsc;
use std::thread;

#[repr(C)]
#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    owner: *mut c_void,
}

#[repr(C)]
struct Error {
    code: i32,
    text: *const c_char,
}

#[repr(C)]
struct Observer {
    context: *mut c_void,
    value: Option<unsafe extern "C" fn(*mut c_void, Value)>,
    end: Option<unsafe extern "C" fn(*mut c_void, i32, *const Error)>,
    release: Option<unsafe extern "C" fn(*mut c_void)>,
}

#[repr(C)]
struct Buffering {
    policy: i32,
    capacity: u32,
    stall_timeout: i64,
    statistics: *mut c_void,
}

const DROP_OLDEST: i32 = 2;
const COMPLETED: i32 = 0;

#[link(name = "corinth")]
extern "C" {
    fn corinth_pipe(inbox: *const Buffering, input: *mut *mut c_void) -> *mut c_void;
    fn corinth_send(input: *mut c_void, value: Value);
    fn corinth_end(input: *mut c_void, end: i32, error: *const Error);
    fn corinth_filter(
        signal: *mut c_void, is_included: unsafe extern "C" fn(*mut c_void, Value) -> bool, context: *mut c_void,
        release: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> *mut c_void;
    fn corinth_queue_create(name: *const c_char) -> *mut c_void;
    fn corinth_observe_on(signal: *mut c_void, scheduler: *mut c_void, buffering: *const Buffering) -> *mut c_void;
    fn corinth_observe(signal: *mut c_void, observer: *const Observer) -> *mut c_void;
    fn corinth_dispose(disposable: *mut c_void);
    fn corinth_release(handle: *mut c_void);
}

/// One reference to a handle. Any thread may use it.
struct Handle(*mut c_void);
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}
impl Drop for Handle {
    fn drop(&mut self) {
        unsafe { corinth_release(self.0) }
    }
}

struct Signal(Handle);
struct Input(Handle);
struct Queue(Handle);
/// Ends when it is dropped.
struct Observation(Handle);
impl Drop for Observation {
    fn drop(&mut self) {
        unsafe { corinth_dispose((self.0).0) }
    }
}

unsafe extern "C" fn drop_box<T>(context: *mut c_void) {
    drop(Box::from_raw(context as *mut T))
}

fn pipe() -> (Signal, Input) {
    let mut input = std::ptr::null_mut();
    let signal = unsafe { corinth_pipe(std::ptr::null(), &mut input) };
    (Signal(Handle(signal)), Input(Handle(input)))
}

impl Input {
    fn send(&self, bits: u64) {
        unsafe { corinth_send((self.0).0, Value { bits, owner: std::ptr::null_mut() }) }
    }
    fn complete(&self) {
        unsafe { corinth_end((self.0).0, COMPLETED, std::ptr::null()) }
    }
}

impl Signal {
    // `FnMut` and `Send` are enough: callbacks of a signal never overlap, whichever thread runs them (law E2).
    fn filter<F: FnMut(u64) -> bool + Send + 'static>(&self, f: F) -> Signal {
        unsafe extern "C" fn call<F: FnMut(u64) -> bool>(context: *mut c_void, value: Value) -> bool {
            (*(context as *mut F))(value.bits)
        }
        let context = Box::into_raw(Box::new(f)) as *mut c_void;
        Signal(Handle(unsafe { corinth_filter((self.0).0, call::<F>, context, Some(drop_box::<F>)) }))
    }

    fn observe_on(&self, queue: &Queue, capacity: u32) -> Signal {
        let buffering = Buffering { policy: DROP_OLDEST, capacity, stall_timeout: 0, statistics: std::ptr::null_mut() };
        Signal(Handle(unsafe { corinth_observe_on((self.0).0, (queue.0).0, &buffering) }))
    }

    fn observe<F: FnMut(Option<u64>) + Send + 'static>(&self, f: F) -> Observation {
        unsafe extern "C" fn value<F: FnMut(Option<u64>)>(context: *mut c_void, value: Value) {
            (*(context as *mut F))(Some(value.bits))
        }
        unsafe extern "C" fn end<F: FnMut(Option<u64>)>(context: *mut c_void, _: i32, _: *const Error) {
            (*(context as *mut F))(None)
        }
        let context = Box::into_raw(Box::new(f)) as *mut c_void;
        let observer = Observer { context, value: Some(value::<F>), end: Some(end::<F>), release: Some(drop_box::<F>) };
        Observation(Handle(unsafe { corinth_observe((self.0).0, &observer) }))
    }
}

fn main() {
    let (ticks, input) = pipe();
    let name = CStr::from_bytes_with_nul(b"trading\0").unwrap();
    let queue = Queue(Handle(unsafe { corinth_queue_create(name.as_ptr()) }));
    let (tell, told) = mpsc::channel();
    let (mut count, mut sum) = (0, 0);
    let observation = ticks.filter(|tick| tick % 2 == 0).observe_on(&queue, 4096).observe(move |tick| match tick {
        Some(tick) => {
            count += 1;
            sum += tick;
        }
        None => tell.send((count, sum)).unwrap(),
    });
    let feed = thread::spawn(move || {
        for tick in 0..1000 {
            input.send(tick);
        }
        input.complete();
    });
    feed.join().unwrap();
    let (count, sum) = told.recv().unwrap();
    println!("{} ticks, sum {}", count, sum);
    drop(observation);
}
