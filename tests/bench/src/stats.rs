//! The middle of several figures, and how far they lie apart.

/// The middle one; 0 of none.
pub fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// The least and the greatest; 0 of none.
pub fn range(figures: &[f64]) -> (f64, f64) {
    let least = figures.iter().copied().min_by(f64::total_cmp);
    let greatest = figures.iter().copied().max_by(f64::total_cmp);
    (least.unwrap_or_default(), greatest.unwrap_or_default())
}

/// The middle of the ratios of figures that were taken one right after the other.
pub fn ratio(of: &[f64], to: &[f64]) -> f64 {
    let ratios: Vec<f64> = of.iter().zip(to).map(|(of, to)| of / to).collect();
    median(&ratios)
}
