//! Every training row as the others predict it, by refinement of rows near each other together: the cavities of one local
//! search serve all of them.

use super::around::Batch;
use super::local::{Local, is_proper};
use super::{Global, Refined};
use crate::interrupt::{Interrupt, Interrupted};
use crate::likelihood::Gaussian;
use gpclass_linalg::map_tasks;

/// Neighbours for every row that is left out of the same search.
const NEIGHBOURS_OF_ONE: usize = 8;
/// Rows that are left out of one search, at least and at most.
const FEWEST: usize = 4;
const MOST: usize = 16;
/// Rows around the middle of a part, in multiples of the neighbours of a single row: those at its edge see fewer on one side.
const WIDER: usize = 2;

impl Global<'_> {
    /// All training rows, each without its own label: parts of rows near each other, each with the rows around its middle. A
    /// row at the edge of its part sees somewhat fewer of its neighbours than a new row in its place would.
    pub fn left_out(self, neighbours: usize, interrupt: Interrupt<'_>) -> Result<Refined, Interrupted> {
        let Some(factor) = self.factor() else { return Ok(Refined { latents: Vec::new(), unsettled: 0 }) };
        let parts = self.kernel.near_parts(self.inputs, (neighbours / NEIGHBOURS_OF_ONE).clamp(FEWEST, MOST));
        let middles: Vec<usize> = parts.iter().map(|part| self.middle(part)).collect();
        let around = WIDER * neighbours;
        let middle_rows = self.inputs.select_rows(&middles);
        let nearest = self.near.nearest(self.kernel, self.inputs, &middle_rows, around, |_| None);
        let found = map_tasks(parts.len(), |p| {
            interrupt.check()?;
            let part = &parts[p];
            // The part stands first; what is near its middle follows.
            let others = nearest[p].iter().filter(|row| !part.contains(row));
            let rows: Vec<usize> = part.iter().chain(others).copied().collect();
            let batch = Batch::new(self, factor, None, rows.iter().copied());
            Ok(self.cavities(&batch, &rows, part.len(), interrupt))
        });
        let found = found.into_iter().collect::<Result<Vec<_>, Interrupted>>()?;
        interrupt.check()?;
        let unsettled =
            found.iter().zip(&parts).map(|((_, settled), part)| if *settled { 0 } else { part.len() }).sum();
        let latents = parts.iter().zip(found).flat_map(|(part, (latents, _))| part.iter().copied().zip(latents));
        Ok(Refined::in_order(latents, self.inputs.rows(), unsettled))
    }

    /// The cavities of the first `count` of some rows, and whether their search settled.
    fn cavities(
        self,
        batch: &Batch<'_>,
        rows: &[usize],
        count: usize,
        interrupt: Interrupt<'_>,
    ) -> (Vec<Gaussian>, bool) {
        let refined = || {
            let around = batch.around(rows, None, None)?;
            let start = batch.start(rows, &around);
            let local = Local::new(self.observations, rows);
            let found = local.search(&around, start.as_ref(), self.method, interrupt)?;
            let shifted = |(cavity, mean): (&Gaussian, &f64)| Gaussian { mean: cavity.mean + mean, ..*cavity };
            let cavities: Vec<Gaussian> = found.cavities.iter().zip(&around.mean).map(shifted).take(count).collect();
            cavities.iter().all(|&cavity| is_proper(cavity)).then_some((cavities, found.report.outcome.converged()))
        };
        refined().unwrap_or_else(|| (rows[..count].iter().map(|&row| self.inferred.cavities[row]).collect(), false))
    }

    /// The row of a part that is nearest to the mean of its rows, all columns alike.
    fn middle(self, part: &[usize]) -> usize {
        let columns = || self.inputs.values().columns();
        let mean: Vec<f64> =
            columns().map(|column| part.iter().map(|&row| column[row]).sum::<f64>() / part.len() as f64).collect();
        let away = |row: usize| columns().zip(&mean).map(|(column, m)| (column[row] - m).powi(2)).sum::<f64>();
        part.iter().copied().min_by(|&a, &b| away(a).total_cmp(&away(b))).unwrap_or(part[0])
    }
}
