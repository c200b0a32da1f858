import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { page } from './page.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabplane-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('writes the files of the page, and those that are in the archive only', () => {
  mkdirSync(join(folder, 'page/assets'), { recursive: true });
  writeFileSync(join(folder, 'page/index.html'), '<html>');
  const index = [
    ['icon.svg', 'image/svg+xml', 4],
    ['assets/parts/ä.js', 'text/javascript', 2],
  ];
  writeFileSync(join(folder, 'page/assets/offline-1.bin'), gzipSync(`${JSON.stringify(index)}\nicon;;`));
  for (const words of [['--output', join(folder, 'one')], [`--output=${join(folder, 'two/site')}`]]) {
    page(words, join(folder, 'node'), () => undefined);
  }
  for (const output of ['one', 'two/site']) {
    const files = ['index.html', 'icon.svg', 'assets/parts/ä.js'].map((file) => readFileSync(join(folder, output, file), 'utf8'));
    expect(files).toEqual(['<html>', 'icon', ';;']);
  }
});

test('other words are refused with the usage', () => {
  let printed = '';
  page([], folder, (text) => {
    printed += text;
  });
  expect(printed).toContain('Usage: tabplane page --output FOLDER');
  for (const words of [['site'], ['--output'], ['--output='], ['--output', 'site', 'more']])
    expect(() => page(words, folder, () => undefined)).toThrow(`unknown words "page ${words.join(' ')}"\nUsage:`);
});
