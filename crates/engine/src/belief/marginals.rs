//! Marginals of sets of worlds.

use foglight_play::Marginals;

use super::world::World;

/// Marginals of equally likely worlds.
pub fn marginals<'a>(worlds: impl IntoIterator<Item = &'a World>) -> Marginals {
    weighted_marginals(worlds.into_iter().map(|world| (world, 1.0)))
}

pub(crate) fn weighted_marginals<'a>(
    worlds: impl IntoIterator<Item = (&'a World, f64)>,
) -> Marginals {
    Marginals::weighted(
        worlds
            .into_iter()
            .map(|(world, weight)| (world.iter(), weight)),
    )
}
