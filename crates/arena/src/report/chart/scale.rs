//! Axis scales: positions of values, and ticks at round numbers.

/// Spacing of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScaleKind {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios; only for values above 0.
    Log,
}

/// An axis: a non-empty interval of values and its spacing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    kind: ScaleKind,
}

/// A tick of an axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tick {
    /// Position from 0 to 1.
    pub place: f64,
    pub label: String,
}

impl Tick {
    /// Whether the tick stands at a whole number.
    pub(crate) fn is_whole(&self) -> bool {
        match self.label.split_once('.') {
            Some((_, digits)) => self.label.ends_with('k') || digits.trim_matches('0').is_empty(),
            None => true,
        }
    }
}

impl Scale {
    /// A scale that covers all finite values, with ends at round numbers.
    pub fn over(values: impl IntoIterator<Item = f64>, kind: ScaleKind) -> Scale {
        let usable = |v: &f64| v.is_finite() && (kind == ScaleKind::Linear || *v > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(usable) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 1.0);
        }
        match kind {
            ScaleKind::Linear => Scale::linear(low, high),
            ScaleKind::Log => {
                let (low, high) = (low.log10().floor(), high.log10().ceil());
                Scale {
                    low,
                    high: if high > low { high } else { low + 1.0 },
                    kind,
                }
            }
        }
    }

    /// A scale from `low` to `high`, extended to the next round numbers;
    /// widened around a single value.
    fn linear(low: f64, high: f64) -> Scale {
        let (low, high) = match high > low {
            true => (low, high),
            false => {
                let about = (low.abs() * 0.1).max(1.0);
                (low - about, high + about)
            }
        };
        let step = step(high - low, 5);
        Scale {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            kind: ScaleKind::Linear,
        }
    }

    /// A scale with exactly these ends, without rounding.
    pub fn exactly(low: f64, high: f64) -> Scale {
        Scale {
            low,
            high: if high > low { high } else { low + 1.0 },
            kind: ScaleKind::Linear,
        }
    }

    /// Position of a value: 0 at the low end, 1 at the high end, clamped.
    pub fn place(&self, value: f64) -> f64 {
        let value = match self.kind {
            ScaleKind::Linear => value,
            ScaleKind::Log => value.max(f64::MIN_POSITIVE).log10(),
        };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// At most about `most` ticks, at round numbers.
    pub fn ticks(&self, most: usize) -> Vec<Tick> {
        let span = self.high - self.low;
        let step = match self.kind {
            ScaleKind::Linear => step(span, most.max(1)),
            ScaleKind::Log => (span / most.max(1) as f64).ceil().max(1.0),
        };
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|i| {
                let value = i as f64 * step;
                Tick {
                    place: (value - self.low) / span,
                    label: match self.kind {
                        ScaleKind::Linear => label(value, step),
                        ScaleKind::Log => power(i as f64 * step),
                    },
                }
            })
            .collect()
    }
}

/// The least of 1, 2, 5 times a power of ten that divides `span` into at most
/// `most` steps.
fn step(span: f64, most: usize) -> f64 {
    let raw = span / most as f64;
    let power = 10f64.powf(raw.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0].into_iter();
    let fitting = times.map(|t| t * power).find(|s| *s >= raw * (1.0 - 1e-9));
    fitting.unwrap_or(10.0 * power)
}

/// A number with as many digits as its step needs; thousands as `12k`.
fn label(value: f64, step: f64) -> String {
    if step >= 1e6 && value != 0.0 {
        return format!("{}M", trimmed(value / 1e6, step / 1e6));
    }
    if step >= 1000.0 && value != 0.0 {
        return format!("{}k", trimmed(value / 1e3, step / 1e3));
    }
    trimmed(value, step)
}

fn trimmed(value: f64, step: f64) -> String {
    let digits = (-(step + step * 1e-9).log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    match text
        .trim_start_matches('-')
        .chars()
        .all(|c| matches!(c, '0' | '.'))
    {
        true => text.trim_start_matches('-').to_owned(),
        false => text.replace('-', "\u{2212}"),
    }
}

/// Short form of a power of ten.
fn power(exponent: f64) -> String {
    match exponent as i64 {
        -2 => "0.01".to_owned(),
        -1 => "0.1".to_owned(),
        e @ 0..=2 => 10u32.pow(e as u32).to_string(),
        e @ 3..=5 => format!("{}k", 10u32.pow(e as u32 - 3)),
        e @ 6..=8 => format!("{}M", 10u32.pow(e as u32 - 6)),
        e => format!("1e{e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, most: usize) -> Vec<String> {
        let ticks = scale.ticks(most).into_iter();
        ticks.map(|tick| tick.label).collect()
    }

    #[test]
    fn marks_are_round_numbers() {
        let scale = Scale::over([3.0, 97.0], ScaleKind::Linear);
        assert_eq!(labels(scale, 5), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(scale.place(50.0), 0.5);
        let scale = Scale::over([-0.12, 0.31], ScaleKind::Linear);
        assert_eq!(labels(scale, 5), ["\u{2212}0.2", "0.0", "0.2", "0.4"]);
        let scale = Scale::over([0.0, 100_000.0], ScaleKind::Linear);
        assert_eq!(labels(scale, 5), ["0", "20k", "40k", "60k", "80k", "100k"]);
        let scale = Scale::over([1.0, 40_000.0], ScaleKind::Log);
        assert_eq!(labels(scale, 6), ["1", "10", "100", "1k", "10k", "100k"]);
        assert_eq!(scale.place(1000.0), 0.6);
    }

    #[test]
    fn an_axis_is_never_empty() {
        for values in [
            vec![],
            vec![5.0],
            vec![0.0, 0.0],
            vec![f64::NAN, f64::INFINITY],
        ] {
            for kind in [ScaleKind::Linear, ScaleKind::Log] {
                let scale = Scale::over(values.clone(), kind);
                let ticks = scale.ticks(5);
                assert!((2..12).contains(&ticks.len()), "{values:?} {ticks:?}");
                assert!(
                    ticks
                        .iter()
                        .all(|t| (-1e-6..=1.0 + 1e-6).contains(&t.place))
                );
                assert!(scale.place(f64::NEG_INFINITY).is_finite());
            }
        }
    }
}
