import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const web = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const files = (dir: string): string[] =>
  readdirSync(join(web, dir), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(dir, entry.name)) : [join(dir, entry.name)],
  );

/** The colours of a block of the style sheet. */
function tokens(block: string): Map<string, string> {
  return new Map([...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6})/g)].map((m) => [m[1]!, m[2]!]));
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(colour.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test('text has contrast AA on every ground, dark and light (WCAG 2.2, 1.4.3)', () => {
  const css = readFileSync(join(web, 'src/style/base.css'), 'utf8');
  const light = tokens(css.slice(css.indexOf(':root {'), css.indexOf('@media (prefers-color-scheme')));
  const dark = tokens(css.slice(css.indexOf(":root[data-theme='dark']")));
  for (const theme of [light, dark]) {
    const colour = (name: string): string => theme.get(name) ?? assert.fail(`no ${name}`);
    for (const ground of ['--ground', '--ground-2', '--card', '--raised'])
      for (const ink of ['--ink', '--ink-2', '--lamp-text', '--sea', '--red'])
        assert.ok(
          contrast(colour(ink), colour(ground)) >= 4.5,
          `${ink} on ${ground}: ${contrast(colour(ink), colour(ground)).toFixed(2)}`,
        );
    assert.ok(contrast(colour('--lamp-ink'), colour('--lamp')) >= 4.5);
    assert.ok(contrast(colour('--sea'), colour('--sea-soft')) >= 4.5);
    assert.ok(contrast(colour('--red'), colour('--red-soft')) >= 4.5);
  }
});

test('both ways to the dark theme have the same colours', () => {
  const css = readFileSync(join(web, 'src/style/base.css'), 'utf8');
  const asked = tokens(css.slice(css.indexOf('@media (prefers-color-scheme'), css.indexOf(":root[data-theme='dark']")));
  assert.deepEqual(asked, tokens(css.slice(css.indexOf(":root[data-theme='dark']"))));
});

test('no markup is parsed, no text is run', () => {
  for (const file of files('src').filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(web, file), 'utf8');
    assert.ok(
      !/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setAttribute\('style/.test(text),
      file,
    );
  }
});

test('the state knows no document', () => {
  for (const file of files('src/state'))
    assert.ok(!/\b(document|window|localStorage|HTMLElement)\b/.test(readFileSync(join(web, file), 'utf8')), file);
});

test('everything together is under 300 kB gzipped, and nothing is inlined', () => {
  let sum = 0;
  for (const file of files('dist')) {
    const bytes = readFileSync(join(web, file));
    sum += file.endsWith('.woff2') ? bytes.length : gzipSync(bytes).length;
    if (file.endsWith('.css')) assert.ok(!bytes.includes('url(data:'), `${file} has a data: address`);
  }
  assert.ok(sum > 50_000 && sum < 300_000, `${sum} bytes`);
});

test('the lock file names no registry', () => {
  assert.ok(!readFileSync(join(web, 'package-lock.json'), 'utf8').includes('"resolved"'));
});
