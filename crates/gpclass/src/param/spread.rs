//! How far inputs lie apart, which makes weights of features large or small.

use super::Of;

/// Mean squared distances between rows, feature by feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    distances: Vec<f64>,
}

impl Spread {
    /// From the mean squared distance in each feature.
    pub fn new(distances: Vec<f64>) -> Self {
        Spread { distances }
    }

    /// The inverse squared lengthscale at which a typical squared distance over all features is 2; for one feature,
    /// its share of that. Constant features count as if they varied by one unit.
    pub fn weight(&self, of: Of) -> f64 {
        let unit = |distance: f64| if distance > 0.0 { distance } else { 2.0 };
        let own = match of {
            Of::All => None,
            Of::Feature(m) => self.distances.get(m),
        };
        match own {
            Some(&distance) => 2.0 / (unit(distance) * self.distances.len() as f64),
            None => 2.0 / unit(self.distances.iter().sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_share_a_typical_distance_of_two() {
        let spread = Spread::new(vec![0.5, 8.0, 0.0]);
        assert_eq!(spread.weight(Of::All), 2.0 / 8.5);
        assert_eq!([0, 1, 2].map(|m| spread.weight(Of::Feature(m))), [2.0 / 1.5, 2.0 / 24.0, 1.0 / 3.0]);
        assert_eq!(Spread::new(vec![0.0]).weight(Of::All), 1.0);
    }
}
