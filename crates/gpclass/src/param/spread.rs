//! How far inputs lie apart, which makes weights of features large or small.

use super::Of;

/// Mean distances between rows in one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Of squared differences; of a discrete feature the share of pairs that differ.
    pub squared: f64,
    /// Of the sizes of differences; of a discrete feature the same share.
    pub absolute: f64,
    /// Whether the feature is discrete.
    pub discrete: bool,
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

    /// The inverse squared lengthscale at which a typical squared distance in one continuous feature is 2. 1 where none varies.
    pub fn single_weight(&self) -> f64 {
        let varying = self.distances.iter().filter(|distance| !distance.discrete && distance.squared > 0.0);
        let (sum, count) = varying.fold((0.0, 0.0), |(sum, count), distance| (sum + distance.squared, count + 1.0));
        if count > 0.0 { 2.0 * count / sum } else { 1.0 }
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.distances.len()
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
        let one = |&(squared, absolute): &(f64, f64)| Distance { squared, absolute, discrete: false };
        Spread::new(distances.iter().map(one).collect())
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

    #[test]
    fn a_single_feature_is_a_continuous_one_that_varies() {
        let mut mixed = spread(&[(0.5, 0.4), (7.5, 2.0), (0.0, 0.0), (0.9, 0.9)]);
        mixed.distances[3].discrete = true;
        assert_eq!((mixed.single_weight(), mixed.features()), (0.5, 4));
        assert_eq!(spread(&[(0.0, 0.0)]).single_weight(), 1.0);
    }
}
