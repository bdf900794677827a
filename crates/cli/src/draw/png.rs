//! Conversion of an SVG text to the bytes of a PNG.

use anyhow::{Context, anyhow};
use resvg::{tiny_skia, usvg};

/// The picture as a PNG of the SVG's size.
pub(crate) fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).context("reading the SVG")?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| anyhow!("no picture of {} by {}", size.width(), size.height()))?;
    resvg::render(
        &tree,
        tiny_skia::Transform::identity(),
        &mut pixels.as_mut(),
    );
    pixels.encode_png().context("writing the PNG")
}
