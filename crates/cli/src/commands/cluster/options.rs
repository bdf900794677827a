//! Options of commands whose work the workers of a cluster can do.

use clap::Args;

/// Flags of work that a cluster does.
#[derive(Args, Clone, Debug)]
pub(in crate::commands) struct ClusterArgs {
    /// Let the workers of a cluster do the work (docs/cluster.md)
    #[arg(id = "cluster", long = "cluster", value_name = "URL")]
    pub(in crate::commands) url: Option<String>,

    /// Share of their results that is done again here, to find forged ones
    #[arg(long, value_name = "P%", default_value = "2%", value_parser = share, requires = "cluster")]
    pub(in crate::commands) audit: f64,

    /// Seconds of work that a worker takes at a time
    #[arg(long, default_value_t = 30.0, value_parser = unit_seconds, requires = "cluster")]
    pub(in crate::commands) unit_seconds: f64,
}

impl Default for ClusterArgs {
    fn default() -> ClusterArgs {
        ClusterArgs {
            url: None,
            audit: 0.02,
            unit_seconds: 30.0,
        }
    }
}

/// Parses a share in percent.
pub(in crate::commands) fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|text| text.parse().ok());
    match percent {
        Some(percent) if (0.0..=100.0).contains(&percent) => Ok(percent / 100.0),
        _ => Err("expected a share such as 2%".to_owned()),
    }
}

/// Parses the time of a unit.
pub(in crate::commands) fn unit_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.1..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.1 to 3600".to_owned()),
    }
}
