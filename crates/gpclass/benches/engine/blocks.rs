//! What a default fit of some thousand rows takes beside learning from blocks, in dense EP evaluations of the same rows.

use crate::default::Bench;
use crate::suite::Failure;
use crate::timing::Runs;
use cpu_time::ProcessTime;
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Control, FitOptions, fit};
use gpclass::likelihood::Likelihood;
use gpclass::model::Model;
use std::sync::{Arc, Mutex};

pub const NAME: &str = "default fit beside blocks";
/// Dense evaluations that what follows the blocks may take.
const AIM: f64 = 3.0;
/// What the fit calls the part that follows the blocks.
const FOLLOWS: &str = "posteriors of all rows";

/// Prints seconds of the two parts and of one evaluation: EP from cold at the default tolerance with the gradient.
pub fn print(n: usize) -> Result<(), Failure> {
    let data = Bench::new(n)?.data;
    let columns = data.inputs().features().len();
    let kernel = Kernel::matern32(4.0, Scales::Ard(vec![1.0 / columns as f64; columns])) + Kernel::bias(1.0);
    let model = Model::new(kernel, Likelihood::probit());
    let mut evaluation = Runs::default();
    evaluation.time(|| -> Result<(), Failure> {
        std::hint::black_box(model.infer(&data, None)?.evidence_gradient()?);
        Ok(())
    })?;
    let learned: Arc<Mutex<Option<f64>>> = Arc::default();
    let (start, noted) = (ProcessTime::now(), Arc::clone(&learned));
    let teller = move |progress: &gpclass::learn::Progress<'_>| {
        if let (FOLLOWS, Ok(mut noted)) = (progress.what, noted.lock()) {
            noted.get_or_insert(start.elapsed().as_secs_f64());
        }
    };
    let control = Control { teller: Some(Arc::new(teller)), ..Control::default() };
    let selection = fit(&data, &FitOptions::default(), &control)?;
    let whole = start.elapsed().as_secs_f64();
    let blocks = learned.lock().ok().and_then(|noted| *noted).ok_or("the fit did not learn from blocks")?;
    let rest = whole - blocks;
    println!(
        "\n{NAME}, n = {n}: one EP evaluation {:.2} s, blocks {blocks:.2} s, the rest {rest:.2} s or {:.2} evaluations (aim {AIM}), {} members",
        evaluation.best(),
        rest / evaluation.best(),
        selection.members.len()
    );
    Ok(())
}
