//! p(y|f) = eps + (1 - 2 eps) Phi(y (f + b)/sigma): the papers' likelihoods and their union. // math 2

use super::floored::Levels;
use super::{Curvature, Gaussian, LikelihoodError, LikelihoodFamily, Moments};
use crate::data::Sign;
use crate::param::{Param, Role};
use crate::special::phi_cdf;
use serde::{Deserialize, Serialize};

/// z is held within this range, so that its square stays finite.
const FARTHEST: f64 = 1e150;

/// Which parameters a member of the family has. In files it has the name of its [`LikelihoodFamily`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// eps; b = 0, sigma = 0 (EMEP 9, TAN 4, ROBUST 10).
    Step,
    /// none; eps = 0, b = 0, sigma = 1 (TAN 5).
    Probit,
    /// b; eps = 0, sigma = 1 (TAN 6, EPCV 13).
    ProbitBias,
    /// sigma; eps = 0, b = 0 (TAN 7).
    ProbitNoise,
    /// eps; b = 0, sigma = 1 (ROBUST section 5).
    Robust,
    /// eps, b and sigma: mislabelled and noisy, as TAN's conclusion asks.
    Full,
}

/// The three parameters of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Eps,
    B,
    Sigma,
}

impl Slot {
    pub fn name(self) -> &'static str {
        match self {
            Slot::Eps => "eps",
            Slot::B => "b",
            Slot::Sigma => "sigma",
        }
    }

    fn role(self) -> Role {
        match self {
            Slot::Eps => Role::LabelError,
            Slot::B => Role::Shift,
            Slot::Sigma => Role::Softness,
        }
    }
}

impl Member {
    /// Every member.
    pub const ALL: [Member; 6] =
        [Member::Step, Member::Probit, Member::ProbitBias, Member::ProbitNoise, Member::Robust, Member::Full];

    /// The likelihood of the same name.
    pub fn family(self) -> LikelihoodFamily {
        match self {
            Member::Step => LikelihoodFamily::Step,
            Member::Probit => LikelihoodFamily::Probit,
            Member::ProbitBias => LikelihoodFamily::ProbitBias,
            Member::ProbitNoise => LikelihoodFamily::ProbitNoise,
            Member::Robust => LikelihoodFamily::Robust,
            Member::Full => LikelihoodFamily::Full,
        }
    }

    /// The name of the likelihood.
    pub fn name(self) -> &'static str {
        self.family().name()
    }

    pub(super) fn slots(self) -> &'static [Slot] {
        match self {
            Member::Step | Member::Robust => &[Slot::Eps],
            Member::Probit => &[],
            Member::ProbitBias => &[Slot::B],
            Member::ProbitNoise => &[Slot::Sigma],
            Member::Full => &[Slot::Eps, Slot::B, Slot::Sigma],
        }
    }
}

/// What is stored of a member; read back through the same checks as a new one.
#[derive(Serialize, Deserialize)]
struct Stored {
    member: LikelihoodFamily,
    eps: f64,
    b: f64,
    sigma: f64,
    fixed: Vec<bool>,
}

impl From<ContaminatedProbit> for Stored {
    fn from(probit: ContaminatedProbit) -> Self {
        let ContaminatedProbit { member, eps, b, sigma, fixed } = probit;
        Stored { member: member.family(), eps, b, sigma, fixed }
    }
}

impl TryFrom<Stored> for ContaminatedProbit {
    type Error = LikelihoodError;

    fn try_from(stored: Stored) -> Result<Self, LikelihoodError> {
        let Stored { member: family, eps, b, sigma, fixed } = stored.in_present_terms();
        let known = Member::ALL.into_iter().find(|member| member.family() == family);
        let member = known.ok_or(LikelihoodError::NotProbit(family.name()))?;
        let (expected, found) = (member.slots().len(), fixed.len());
        if expected != found {
            return Err(LikelihoodError::Flags { likelihood: member.name(), expected, found });
        }
        let made = ContaminatedProbit::new(member, eps, b, sigma)?;
        Ok(ContaminatedProbit { fixed, ..made })
    }
}

impl Stored {
    /// In model files of versions 1 and 2 `robust` has three parameters: with two of them held where the present robust
    /// likelihood has them it is that, and otherwise the full one.
    fn in_present_terms(mut self) -> Self {
        if self.member == LikelihoodFamily::Robust && self.fixed.len() == Member::Full.slots().len() {
            match (self.b, self.sigma, self.fixed[1], self.fixed[2]) {
                (0.0, 1.0, true, true) => self.fixed.truncate(1),
                _ => self.member = LikelihoodFamily::Full,
            }
        }
        self
    }
}

/// One member of the family with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct ContaminatedProbit {
    member: Member,
    eps: f64,
    b: f64,
    sigma: f64,
    /// One flag for each parameter of the member, in their order.
    fixed: Vec<bool>,
}

impl ContaminatedProbit {
    /// Checks the values; a parameter that starts at 0 where only positive ones can be learned starts fixed.
    pub(super) fn new(member: Member, eps: f64, b: f64, sigma: f64) -> Result<Self, LikelihoodError> {
        let mut probit = ContaminatedProbit { member, eps, b, sigma, fixed: Vec::new() };
        probit.check()?;
        probit.fixed = member.slots().iter().map(|&slot| probit.on_boundary(slot)).collect();
        Ok(probit)
    }

    /// Whether the values are within their domains.
    pub(super) fn check(&self) -> Result<(), LikelihoodError> {
        if !(0.0..0.5).contains(&self.eps) {
            return Err(LikelihoodError::LabelError(self.eps));
        }
        if !self.b.is_finite() {
            return Err(LikelihoodError::Bias(self.b));
        }
        if !(self.sigma.is_finite() && self.sigma >= 0.0) {
            return Err(LikelihoodError::Noise(self.sigma));
        }
        Ok(())
    }

    /// The plain probit.
    pub(super) fn plain() -> Self {
        ContaminatedProbit { member: Member::Probit, eps: 0.0, b: 0.0, sigma: 1.0, fixed: Vec::new() }
    }

    /// Which member of the family this is.
    pub fn member(&self) -> Member {
        self.member
    }

    /// The probability of a flipped label.
    pub fn eps(&self) -> f64 {
        self.eps
    }

    /// The bias added to the latent value.
    pub fn b(&self) -> f64 {
        self.b
    }

    /// The standard deviation of the noise on the latent value.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    pub(super) fn value(&self, slot: Slot) -> f64 {
        match slot {
            Slot::Eps => self.eps,
            Slot::B => self.b,
            Slot::Sigma => self.sigma,
        }
    }

    fn on_boundary(&self, slot: Slot) -> bool {
        slot != Slot::B && self.value(slot) == 0.0
    }

    pub(super) fn params(&self) -> Vec<Param> {
        let slots = self.member.slots().iter().zip(&self.fixed);
        slots
            .map(|(&slot, &fixed)| Param { fixed, ..Param::free(slot.name(), slot.role(), self.value(slot)) })
            .collect()
    }

    pub(super) fn set_values(&mut self, values: &[f64]) {
        for (slot, &value) in self.member.slots().iter().zip(values) {
            match slot {
                Slot::Eps => self.eps = value,
                Slot::B => self.b = value,
                Slot::Sigma => self.sigma = value,
            }
        }
    }

    pub(super) fn set_fixed(&mut self, name: &str, fixed: bool) -> Result<(), LikelihoodError> {
        let slots = self.member.slots();
        let Some(index) = slots.iter().position(|slot| slot.name() == name) else {
            return Err(super::unknown_parameter(self.member.name(), name, &self.params()));
        };
        if !fixed && self.on_boundary(slots[index]) {
            return Err(LikelihoodError::OnBoundary { name: slots[index].name() });
        }
        self.fixed[index] = fixed;
        Ok(())
    }

    pub(super) fn hold(&mut self, role: Role) {
        for (slot, fixed) in self.member.slots().iter().zip(&mut self.fixed) {
            *fixed |= slot.role() == role;
        }
    }

    /// Closed form: power 1, or a step, whose powers are steps.
    pub(super) fn has_closed_form(&self, power: f64) -> bool {
        power == 1.0 || self.sigma == 0.0
    }

    /// Where the boundary lies for this label under N(m, s).
    fn place(&self, y: Sign, f: Gaussian) -> Place {
        let noise = f.var.max(0.0).sqrt();
        let scale = self.sigma.hypot(noise);
        let shift = y.sign() * (f.mean + self.b);
        let z = if scale > 0.0 { (shift / scale).clamp(-FARTHEST, FARTHEST) } else { step_limit(shift) };
        let share = |part: f64| if scale > 0.0 { (part / scale).powi(2) } else { 0.0 };
        Place { y: y.sign(), z, scale, latent: share(noise), sigma: share(self.sigma) }
    }

    pub(super) fn log_z(&self, y: Sign, f: Gaussian, power: f64) -> f64 {
        let place = self.place(y, f);
        let levels = Levels::new(self.eps, power);
        if place.scale == 0.0 && self.eps == 0.0 && place.z < 0.0 {
            return f64::NEG_INFINITY; // the label is impossible
        }
        levels.log_z(place.z)
    }

    pub(super) fn predict(&self, f: Gaussian) -> f64 {
        self.eps + (1.0 - 2.0 * self.eps) * phi_cdf(self.place(Sign::Positive, f).z)
    }

    pub(super) fn flip_probability(&self, y: Sign, cavity: Gaussian) -> f64 {
        if self.eps == 0.0 {
            return 0.0;
        }
        let z = self.place(y, cavity).z;
        self.eps * phi_cdf(-z) / Levels::new(self.eps, 1.0).z(z) // math 8
    }

    /// The closed form at N(m, s).
    pub(super) fn moments(&self, y: Sign, cavity: Gaussian, power: f64) -> Moments {
        let log_z = self.log_z(y, cavity, power);
        let place = self.place(y, cavity);
        if place.scale == 0.0 {
            return Moments { log_z, d1: 0.0, d2: 0.0, shrink: 1.0 };
        }
        let (first, second, gap) = Levels::new(self.eps, power).slopes(place.z);
        Moments {
            log_z,
            d1: place.in_mean(first, 1),
            d2: place.in_mean(second, 2),
            // 1 + d2 s = (sigma^2 + s (1 + second)) / (sigma^2 + s)
            shrink: place.sigma + place.latent * gap,
        }
    }

    /// The first four derivatives of ln Z in the mean; with s = 0 those of the logarithm of p(y|f)^power itself.
    pub(super) fn derivatives(&self, y: Sign, cavity: Gaussian, power: f64) -> [f64; 4] {
        let place = self.place(y, cavity);
        if place.scale == 0.0 {
            return [0.0; 4];
        }
        let in_z = Levels::new(self.eps, power).derivatives(place.z);
        [1, 2, 3, 4].map(|k| place.in_mean(in_z[k - 1], k))
    }

    /// d ln Z / d each parameter.
    pub(super) fn gradient(&self, y: Sign, cavity: Gaussian, power: f64) -> Vec<f64> {
        let place = self.place(y, cavity);
        let levels = Levels::new(self.eps, power);
        let first = if place.scale > 0.0 { levels.slopes(place.z).0 } else { 0.0 };
        let by_slot = |slot: &Slot| match slot {
            Slot::Eps => levels.by_eps(place.z, first)[0],
            _ if place.scale == 0.0 => 0.0,
            Slot::B => place.in_mean(first, 1),
            Slot::Sigma => -(self.sigma / place.scale) * place.z * first / place.scale,
        };
        self.member.slots().iter().map(by_slot).collect()
    }

    /// The closed form at N(m, s); with s = 0, the logarithm of p(y|f)^power itself.
    pub(super) fn curvature(&self, y: Sign, cavity: Gaussian, power: f64) -> Curvature {
        let log_z = self.log_z(y, cavity, power);
        let place = self.place(y, cavity);
        let levels = Levels::new(self.eps, power);
        let slots = self.member.slots();
        if place.scale == 0.0 {
            let by_eps = levels.by_eps(place.z, 0.0)[0];
            let flat = |slot: &Slot| [if *slot == Slot::Eps { by_eps } else { 0.0 }, 0.0, 0.0];
            return Curvature { log_z, d: [0.0; 4], by_param: slots.iter().map(flat).collect() };
        }
        let in_z = levels.derivatives(place.z);
        let d = [1, 2, 3, 4].map(|k| place.in_mean(in_z[k - 1], k));
        let by_param = slots.iter().map(|&slot| self.by_slot(slot, &place, &levels, in_z, d)).collect();
        Curvature { log_z, d, by_param }
    }

    /// d/d(slot) of (log Z, d1, d2) at a fixed cavity.
    fn by_slot(&self, slot: Slot, place: &Place, levels: &Levels, in_z: [f64; 4], d: [f64; 4]) -> [f64; 3] {
        match slot {
            Slot::B => [d[0], d[1], d[2]],
            Slot::Eps => {
                let [value, first, second] = levels.by_eps(place.z, in_z[0]);
                [value, place.in_mean(first, 1), place.in_mean(second, 2)]
            }
            Slot::Sigma => {
                // dz/dsigma = -z sigma/a^2, d(1/a)/dsigma = -(sigma/a^2)/a
                let rate = -self.sigma / place.scale / place.scale;
                let [first, second, third, _] = in_z;
                [
                    rate * place.z * first,
                    rate * place.in_mean(first + place.z * second, 1),
                    rate * place.in_mean(2.0 * second + place.z * third, 2),
                ]
            }
        }
    }
}

/// The standardised boundary: z = y (m + b)/a, a = sqrt(sigma^2 + s).
struct Place {
    y: f64,
    z: f64,
    scale: f64,
    /// s / a^2.
    latent: f64,
    /// sigma^2 / a^2.
    sigma: f64,
}

impl Place {
    /// A derivative of order k in z as one in the cavity mean.
    fn in_mean(&self, derivative: f64, order: usize) -> f64 {
        // Divided one factor at a time: a power of a small scale may underflow, and 0/0 must not arise.
        (0..order).fold(derivative, |value, _| value * self.y / self.scale)
    }
}

/// z of a step without any softness.
fn step_limit(shift: f64) -> f64 {
    if shift == 0.0 { 0.0 } else { shift.signum() * FARTHEST }
}
