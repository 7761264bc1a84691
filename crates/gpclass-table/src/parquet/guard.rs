//! Turning a decoder's panic on damaged bytes into an error, without its message on the terminal.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

static QUIET_HOOK: Once = Once::new();

/// The result of `work`, or `None` if it panicked. Panics elsewhere are reported as ever.
pub fn without_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    QUIET_HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                report(info);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_none_and_guards_nest() {
        assert_eq!(without_panic(|| 7), Some(7));
        assert_eq!(without_panic(|| -> i32 { panic!("decoder") }), None);
        let inner = without_panic(|| (without_panic(|| -> i32 { panic!("inner") }), GUARDED.get()));
        assert_eq!(inner, Some((None, true)));
        assert!(!GUARDED.get());
    }
}
