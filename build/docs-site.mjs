#!/usr/bin/env node
// npm run docs: the project's documentation as a site in dist/docs, with its live examples. `npx vite preview --outDir dist/docs` serves it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'dist/docs');
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

if (!existsSync(join(root, 'dist/page/example.js'))) throw new Error('build the page first: npm run build:page');
rmSync(site, { recursive: true, force: true });
cpSync(join(root, 'dist/page'), join(site, 'tabplane'), { recursive: true });
for (const file of readdirSync(join(root, 'docs'))) if (file.endsWith('.png')) cpSync(join(root, 'docs', file), join(site, 'docs', file));
const { renderPage } = await loadRenderer();
for (const document of documents) {
  const file = join(site, document === 'README.md' ? 'index.html' : document.replace(/\.md$/, '.html'));
  mkdirSync(dirname(file), { recursive: true });
  const base = relative(dirname(file), site) || '.';
  writeFileSync(file, renderPage(readFileSync(join(root, document), 'utf8'), { document, documents, base }));
}
console.log(`${documents.length} pages in dist/docs`);

/** Bundled first, since Node 20 does not run its TypeScript. */
async function loadRenderer() {
  const outfile = join(site, 'render-page.mjs');
  await build({ entryPoints: [join(root, 'build/render-page.ts')], bundle: true, platform: 'node', format: 'esm', outfile });
  const renderer = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return renderer;
}
