//! How far inputs lie apart, which makes weights of features large or small.

use super::Of;

/// Mean distances between rows in one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Of squared differences; of a discrete feature the share of pairs that differ.
    pub squared: f64,
    /// Of the sizes of differences; of a discrete feature the same share.
    pub absolute: f64,
}

/// Mean distances between rows, feature by feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    distances: Vec<Distance>,
}

impl Spread {
    /// From the mean distances in each feature.
    pub fn new(distances: Vec<Distance>) -> Self {
        Spread { distances }
    }

    /// The inverse squared lengthscale at which a typical squared distance over all features is 2; for one feature,
    /// its share of that. Constant features count as if they varied by one unit.
    pub fn weight(&self, of: Of) -> f64 {
        self.typical(of, 2.0, |distance| distance.squared)
    }

    /// The inverse lengthscale at which a typical sum of the differences in all features is 1; for one feature, its share of
    /// that. Constant features count as if they varied by one unit.
    pub fn rate(&self, of: Of) -> f64 {
        self.typical(of, 1.0, |distance| distance.absolute)
    }

    /// What a weight has to be for distances to sum to `total`.
    fn typical(&self, of: Of, total: f64, distance: fn(&Distance) -> f64) -> f64 {
        let unit = |distance: f64| if distance > 0.0 { distance } else { total };
        let own = match of {
            Of::All => None,
            Of::Feature(m) => self.distances.get(m),
        };
        match own {
            Some(own) => total / (unit(distance(own)) * self.distances.len() as f64),
            None => total / unit(self.distances.iter().map(distance).sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(distances: &[(f64, f64)]) -> Spread {
        Spread::new(distances.iter().map(|&(squared, absolute)| Distance { squared, absolute }).collect())
    }

    #[test]
    fn features_share_a_typical_distance() {
        let mixed = spread(&[(0.5, 0.4), (8.0, 2.0), (0.0, 0.0)]);
        assert_eq!(mixed.weight(Of::All), 2.0 / 8.5);
        assert_eq!([0, 1, 2].map(|m| mixed.weight(Of::Feature(m))), [2.0 / 1.5, 2.0 / 24.0, 1.0 / 3.0]);
        assert_eq!(mixed.rate(Of::All), 1.0 / 2.4);
        assert_eq!([0, 1, 2].map(|m| mixed.rate(Of::Feature(m))), [1.0 / (3.0 * 0.4), 1.0 / 6.0, 1.0 / 3.0]);
        let constant = spread(&[(0.0, 0.0)]);
        assert_eq!((constant.weight(Of::All), constant.rate(Of::All)), (1.0, 1.0));
    }
}
