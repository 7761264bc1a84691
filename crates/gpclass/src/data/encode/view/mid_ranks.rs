//! The distinct values of a column with their mid-ranks.

/// Distinct values in order. Rows count by weight; those of weight zero do not.
pub(super) struct MidRanks {
    pub values: Vec<f64>,
    /// The weight of the rows that have each value.
    pub masses: Vec<f64>,
    /// The share of all rows below each value and half of those that have it.
    pub ranks: Vec<f64>,
    /// The weight of all rows.
    pub total: f64,
}

impl MidRanks {
    /// None of a column with fewer than three values: there is nothing between its ends that could be moved.
    pub fn of(column: &[f64], weights: Option<&[f64]>) -> Option<Self> {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let mut rows: Vec<usize> = (0..column.len()).filter(|&row| weight(row) > 0.0).collect();
        // Rows of one value stay in their order, so that their weights are always added up the same way.
        rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
        let (mut values, mut masses): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for row in rows {
            match (values.last(), masses.last_mut()) {
                (Some(last), Some(mass)) if *last == column[row] => *mass += weight(row),
                _ => {
                    values.push(column[row]);
                    masses.push(weight(row));
                }
            }
        }
        if values.len() < 3 {
            return None;
        }
        let total: f64 = masses.iter().sum();
        let mut below = 0.0;
        let rank = |mass: &f64| {
            let rank = (below + 0.5 * mass) / total;
            below += mass;
            rank
        };
        let ranks = masses.iter().map(rank).collect();
        Some(MidRanks { values, masses, ranks, total })
    }

    /// The value at a rank, between the mid-ranks by straight lines. Quartiles differ however many rows are tied: three
    /// mid-ranks cover at least half of all ranks.
    pub fn quantile(&self, rank: f64) -> f64 {
        let next = self.ranks.partition_point(|r| *r < rank);
        if next == 0 || next == self.ranks.len() {
            return self.values[next.saturating_sub(1)];
        }
        let share = (rank - self.ranks[next - 1]) / (self.ranks[next] - self.ranks[next - 1]);
        (1.0 - share) * self.values[next - 1] + share * self.values[next]
    }

    /// The weighted mean over the values.
    pub fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.masses.iter().enumerate().map(|(i, mass)| mass * of(i)).sum::<f64>() / self.total
    }
}
