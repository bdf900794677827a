//! The brains: evaluation, belief, search, agents.
