//! The vector-state trap, and the only `unsafe` of the project.
//!
//! The backend's hand-written AVX kernels return with the upper halves of the vector registers dirty. On Intel
//! machines every later SSE-coded instruction in that thread (libm's `exp` and `ln`, our own baseline code) then
//! pays for merging with them: measured, `exp` went from 5.5 ns to 180 ns. One `vzeroupper` undoes it.

/// Marks the upper halves of the vector registers as unused. A no-op where there are none.
#[inline]
pub fn clear_vector_state() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: AVX is present. The upper halves are never live here: the calling convention makes all
        // vector registers caller-saved and code compiled without AVX keeps nothing in the upper halves;
        // code compiled with AVX sees them in the clobber list.
        unsafe {
            std::arch::asm!(
                "vzeroupper",
                out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
                out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
                out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
                out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
                options(nomem, nostack, preserves_flags)
            );
        }
    }
}

/// Runs a backend call and cleans up behind it.
pub(crate) fn guarded<R>(call: impl FnOnce() -> R) -> R {
    let result = call();
    clear_vector_state();
    result
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use crate::{Mat, Op, multiply};

    /// The processor's own record of which vector state is in use: bit 2 is the upper half of ymm, bit 6 of zmm.
    fn upper_halves_in_use() -> bool {
        let (low, _high): (u32, u32);
        // SAFETY: the caller has checked that XGETBV with ECX = 1 exists.
        unsafe {
            std::arch::asm!("xgetbv", in("ecx") 1, out("eax") low, out("edx") _high, options(nomem, nostack));
        }
        low & (1 << 2 | 1 << 6) != 0
    }

    fn record_is_available() -> bool {
        std::arch::is_x86_feature_detected!("xsavec") && std::arch::is_x86_feature_detected!("avx2")
    }

    #[test]
    fn products_leave_the_vector_registers_clean() {
        if !record_is_available() {
            return;
        }
        super::clear_vector_state();
        if upper_halves_in_use() {
            return; // this processor does not track the state, so it has no penalty to avoid either
        }
        let a = Mat::from_fn(200, 200, |i, j| (i as f64 - j as f64).sin());
        let _product = multiply(&a, Op::Plain, &a, Op::Plain);
        assert!(!upper_halves_in_use(), "a backend call left the upper halves of the vector registers dirty");
    }
}
