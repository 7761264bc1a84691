//! p(y|f) = eps + (1 - 2 eps) Phi(y (f + b)/sigma): the papers' likelihoods and their union. // math 2
//!
//! With a label error for each class, e0 the share of negatives labelled positive and e1 of positives labelled negative,
//! p(+1|f) = e0 + (1 - e0 - e1) Phi(z) and p(-1|f) = e1 + (1 - e0 - e1) Phi(-z).

use super::floored::{Levels, Moved};
use super::{Curvature, Gaussian, LikelihoodError, LikelihoodFamily, Moments};
use crate::data::Sign;
use crate::param::{Param, Role, Whose};
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
    /// A label error for each class; b = 0, sigma = 1.
    RobustPerClass,
    /// eps, b and sigma: mislabelled and noisy, as TAN's conclusion asks.
    Full,
}

/// The parameters of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Eps,
    /// The label error of one class: of the rows that are truly of it.
    EpsOf(Sign),
    B,
    Sigma,
}

impl Slot {
    pub fn name(self) -> &'static str {
        match self {
            Slot::Eps => "eps",
            Slot::EpsOf(Sign::Negative) => "eps_negative",
            Slot::EpsOf(Sign::Positive) => "eps_positive",
            Slot::B => "b",
            Slot::Sigma => "sigma",
        }
    }

    fn role(self) -> Role {
        match self {
            Slot::Eps => Role::LabelError(Whose::All),
            Slot::EpsOf(Sign::Negative) => Role::LabelError(Whose::Negatives),
            Slot::EpsOf(Sign::Positive) => Role::LabelError(Whose::Positives),
            Slot::B => Role::Shift,
            Slot::Sigma => Role::Softness,
        }
    }

    /// What a label error moves for rows of this label; none for the other parameters.
    fn moves(self, y: Sign) -> Option<Moved> {
        match self {
            Slot::Eps => Some(Moved::Both),
            // A floor is made of the other class's rows.
            Slot::EpsOf(class) => Some(if class == y { Moved::Top } else { Moved::Floor }),
            Slot::B | Slot::Sigma => None,
        }
    }
}

impl Member {
    /// Every member.
    pub const ALL: [Member; 7] = [
        Member::Step,
        Member::Probit,
        Member::ProbitBias,
        Member::ProbitNoise,
        Member::Robust,
        Member::RobustPerClass,
        Member::Full,
    ];

    /// The likelihood of the same name.
    pub fn family(self) -> LikelihoodFamily {
        match self {
            Member::Step => LikelihoodFamily::Step,
            Member::Probit => LikelihoodFamily::Probit,
            Member::ProbitBias => LikelihoodFamily::ProbitBias,
            Member::ProbitNoise => LikelihoodFamily::ProbitNoise,
            Member::Robust => LikelihoodFamily::Robust,
            Member::RobustPerClass => LikelihoodFamily::RobustPerClass,
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
            Member::RobustPerClass => &[Slot::EpsOf(Sign::Negative), Slot::EpsOf(Sign::Positive)],
            Member::Full => &[Slot::Eps, Slot::B, Slot::Sigma],
        }
    }
}

/// What is stored of a member; read back through the same checks as a new one.
#[derive(Serialize, Deserialize)]
struct Stored {
    member: LikelihoodFamily,
    /// Of negatives alone where `eps_positive` is given.
    eps: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eps_positive: Option<f64>,
    b: f64,
    sigma: f64,
    fixed: Vec<bool>,
}

impl From<ContaminatedProbit> for Stored {
    fn from(probit: ContaminatedProbit) -> Self {
        let ContaminatedProbit { member, errors: [eps, of_positives], b, sigma, fixed } = probit;
        let eps_positive = (member == Member::RobustPerClass).then_some(of_positives);
        Stored { member: member.family(), eps, eps_positive, b, sigma, fixed }
    }
}

impl TryFrom<Stored> for ContaminatedProbit {
    type Error = LikelihoodError;

    fn try_from(stored: Stored) -> Result<Self, LikelihoodError> {
        let Stored { member: family, eps, eps_positive, b, sigma, fixed } = stored.in_present_terms();
        let known = Member::ALL.into_iter().find(|member| member.family() == family);
        let member = known.ok_or(LikelihoodError::NotProbit(family.name()))?;
        let (expected, found) = (member.slots().len(), fixed.len());
        if expected != found {
            return Err(LikelihoodError::Flags { likelihood: member.name(), expected, found });
        }
        let of_positives = eps_positive.filter(|_| member == Member::RobustPerClass).unwrap_or(eps);
        let made = ContaminatedProbit::with_errors(member, [eps, of_positives], b, sigma)?;
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
    /// The share of negatives labelled positive and of positives labelled negative: equal in all members but one.
    errors: [f64; 2],
    b: f64,
    sigma: f64,
    /// One flag for each parameter of the member, in their order.
    fixed: Vec<bool>,
}

impl ContaminatedProbit {
    /// Checks the values; a parameter that starts at 0 where only positive ones can be learned starts fixed.
    pub(super) fn new(member: Member, eps: f64, b: f64, sigma: f64) -> Result<Self, LikelihoodError> {
        Self::with_errors(member, [eps, eps], b, sigma)
    }

    /// As [`new`](Self::new), with the label errors of negatives and of positives.
    pub(super) fn with_errors(member: Member, errors: [f64; 2], b: f64, sigma: f64) -> Result<Self, LikelihoodError> {
        let mut probit = ContaminatedProbit { member, errors, b, sigma, fixed: Vec::new() };
        probit.check()?;
        probit.fixed = member.slots().iter().map(|&slot| probit.on_boundary(slot)).collect();
        Ok(probit)
    }

    /// Whether the values are within their domains.
    pub(super) fn check(&self) -> Result<(), LikelihoodError> {
        for slot in [Slot::EpsOf(Sign::Negative), Slot::EpsOf(Sign::Positive)] {
            let (value, alone) = (self.value(slot), self.member != Member::RobustPerClass);
            if !(0.0..0.5).contains(&value) {
                let name = if alone { Slot::Eps.name() } else { slot.name() };
                return Err(LikelihoodError::LabelError { name, value });
            }
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
        ContaminatedProbit { member: Member::Probit, errors: [0.0; 2], b: 0.0, sigma: 1.0, fixed: Vec::new() }
    }

    /// Which member of the family this is.
    pub fn member(&self) -> Member {
        self.member
    }

    /// The probability of a flipped label: the larger where each class has its own.
    pub fn eps(&self) -> f64 {
        self.errors[0].max(self.errors[1])
    }

    /// The share of negatives labelled positive and of positives labelled negative.
    pub fn error_shares(&self) -> [f64; 2] {
        self.errors
    }

    /// The least probability of this label, whatever the latent value: the share of the other class that has it.
    pub(super) fn floor(&self, y: Sign) -> f64 {
        self.error_of(y.flipped())
    }

    /// The share of this class that has the other label.
    fn error_of(&self, class: Sign) -> f64 {
        self.errors[usize::from(class == Sign::Positive)]
    }

    fn levels(&self, y: Sign, power: f64) -> Levels {
        Levels::new(self.floor(y), self.error_of(y), power)
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
            Slot::Eps => self.errors[0],
            Slot::EpsOf(class) => self.error_of(class),
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
                Slot::Eps => self.errors = [value; 2],
                Slot::EpsOf(class) => self.errors[usize::from(*class == Sign::Positive)] = value,
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
        let levels = self.levels(y, power);
        if place.scale == 0.0 && self.floor(y) == 0.0 && place.z < 0.0 {
            return f64::NEG_INFINITY; // the label is impossible
        }
        levels.log_z(place.z)
    }

    pub(super) fn predict(&self, f: Gaussian) -> f64 {
        self.levels(Sign::Positive, 1.0).z(self.place(Sign::Positive, f).z)
    }

    pub(super) fn flip_probability(&self, y: Sign, cavity: Gaussian) -> f64 {
        let floor = self.floor(y);
        if floor == 0.0 {
            return 0.0;
        }
        let z = self.place(y, cavity).z;
        floor * phi_cdf(-z) / self.levels(y, 1.0).z(z) // math 8
    }

    /// The same if no label were wrong.
    pub(super) fn clean(&self) -> Self {
        ContaminatedProbit { errors: [0.0; 2], ..self.clone() }
    }

    /// The closed form at N(m, s).
    pub(super) fn moments(&self, y: Sign, cavity: Gaussian, power: f64) -> Moments {
        let log_z = self.log_z(y, cavity, power);
        let place = self.place(y, cavity);
        if place.scale == 0.0 {
            return Moments { log_z, d1: 0.0, d2: 0.0, shrink: 1.0 };
        }
        let (first, second, gap) = self.levels(y, power).slopes(place.z);
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
        let in_z = self.levels(y, power).derivatives(place.z);
        [1, 2, 3, 4].map(|k| place.in_mean(in_z[k - 1], k))
    }

    /// d ln Z / d each parameter.
    pub(super) fn gradient(&self, y: Sign, cavity: Gaussian, power: f64) -> Vec<f64> {
        let place = self.place(y, cavity);
        let levels = self.levels(y, power);
        let first = if place.scale > 0.0 { levels.slopes(place.z).0 } else { 0.0 };
        let by_slot = |slot: &Slot| match (slot, slot.moves(y)) {
            (_, Some(moved)) => levels.by_error(moved, place.z, first)[0],
            (Slot::Sigma, None) if place.scale > 0.0 => -(self.sigma / place.scale) * place.z * first / place.scale,
            (Slot::B, None) if place.scale > 0.0 => place.in_mean(first, 1),
            _ => 0.0,
        };
        self.member.slots().iter().map(by_slot).collect()
    }

    /// The closed form at N(m, s); with s = 0, the logarithm of p(y|f)^power itself.
    pub(super) fn curvature(&self, y: Sign, cavity: Gaussian, power: f64) -> Curvature {
        let log_z = self.log_z(y, cavity, power);
        let place = self.place(y, cavity);
        let levels = self.levels(y, power);
        let slots = self.member.slots();
        if place.scale == 0.0 {
            let by_error = |moved: Moved| levels.by_error(moved, place.z, 0.0)[0];
            let flat = |slot: &Slot| [slot.moves(y).map_or(0.0, by_error), 0.0, 0.0];
            return Curvature { log_z, d: [0.0; 4], by_param: slots.iter().map(flat).collect() };
        }
        let in_z = levels.derivatives(place.z);
        let d = [1, 2, 3, 4].map(|k| place.in_mean(in_z[k - 1], k));
        let by_param = slots.iter().map(|&slot| self.by_slot(slot, y, &place, &levels, in_z, d)).collect();
        Curvature { log_z, d, by_param }
    }

    /// d/d(slot) of (log Z, d1, d2) at a fixed cavity.
    fn by_slot(&self, slot: Slot, y: Sign, place: &Place, levels: &Levels, in_z: [f64; 4], d: [f64; 4]) -> [f64; 3] {
        if let Some(moved) = slot.moves(y) {
            let [value, first, second] = levels.by_error(moved, place.z, in_z[0]);
            return [value, place.in_mean(first, 1), place.in_mean(second, 2)];
        }
        match slot {
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
            // A bias moves the cavity mean.
            _ => [d[0], d[1], d[2]],
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
