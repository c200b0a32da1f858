// The sizes of the files that a browser loads, compressed as by a server.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensurePageIsBuilt, pageFolder } from './page.mjs';

export const goals = {
  'first-load JavaScript, gz bytes': { atMost: 60_000 },
  'html and css, gz bytes': { atMost: 10_000 },
  // The limit of the issue for the worker with all functions.
  'worker with the core, gz bytes': { atMost: 430_000 },
  'components, gz bytes': { atMost: 150_000 },
  'containers, gz bytes': { atMost: 200_000 },
  'editor, gz bytes': { atMost: 185_000 },
};

/** The files loaded after every screen was opened once, without those of single kubectl commands. */
const screenFiles = /^(?:elements|lazy-elements|code-editor|lesson-editor|palette)-/;

/** The parts of the core that the worker loads on demand (sw/core-parts.ts). */
const partFiles = /\/(?:cel|openapi|x509)-.*\.js$/;

/** The runtime and its servers, which are loaded when the first one of each kind runs, and the tabs of the console. */
const containerFiles = /\/(?:emulation|container-tabs|postgres|redis|tools|web-servers)-.*\.js$/;

const text = (file) => readFileSync(join(pageFolder, file), 'utf8');
const gzipped = (file) => gzipSync(readFileSync(join(pageFolder, file)), { level: 9 }).length;
const sum = (files) => [...files].reduce((total, file) => total + gzipped(file), 0);

/** A module and all its static imports. */
function staticImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of text(file).matchAll(/(?:^|[;}])\s*(?:import|export)(?:[^"'`()]*?from)?\s*["'`]\.\/([^"'`]+)["'`]/g)) {
    staticImports(posix.join(posix.dirname(file), name), found);
  }
  return found;
}

/** The sizes of the page in dist/page. */
export function pageSizes() {
  const html = text('index.html');
  const scripts = new Set();
  for (const [, file] of html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)) staticImports(file, scripts);
  const styles = [...html.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].map(([, file]) => file);
  const assets = readdirSync(join(pageFolder, 'assets'), { recursive: true }).map((file) => `assets/${file}`);
  const editor = assets.filter((file) => /\/code-editor-.*\.js$/.test(file));
  const reader = assets.filter((file) => /\/format-.*\.js$/.test(file));
  const components = staticImports('components.js');
  const opened = new Set(scripts);
  for (const file of assets) if (file.endsWith('.js') && screenFiles.test(file.slice('assets/'.length))) staticImports(file, opened);
  const containers = new Set();
  for (const file of assets) if (containerFiles.test(file)) staticImports(file, containers);
  return {
    scripts: sum(scripts),
    scriptFiles: scripts.size,
    htmlAndCss: sum(['index.html', ...styles]),
    worker: sum(['sw.js', ...assets.filter((file) => /\/core-.*\.js$/.test(file))]),
    workerParts: sum(assets.filter((file) => partFiles.test(file))),
    components: sum(components),
    containers: sum(['port-frame.html', 'port-frame.js', ...[...containers].filter((file) => !components.has(file) && !opened.has(file))]),
    example: gzipped('example.js'),
    exampleViews: sum(assets.filter((file) => /\/example-views-.*\.js$/.test(file))),
    exampleKustomize: sum(assets.filter((file) => /\/example-kustomize-.*\.js$/.test(file))),
    exampleEngine: sum(assets.filter((file) => /\/example-engine-.*\.js$/.test(file))),
    editor: sum(editor),
    lessonReader: sum(reader),
    screens: sum(opened),
  };
}

/** @returns {Promise<Record<string, number>>} */
export async function benchSizes() {
  await ensurePageIsBuilt();
  const { scripts, scriptFiles, htmlAndCss, worker, workerParts, components, containers, editor, screens } = pageSizes();
  return {
    'first-load JavaScript, gz bytes': scripts,
    'first-load JavaScript, files': scriptFiles,
    'html and css, gz bytes': htmlAndCss,
    'worker with the core, gz bytes': worker,
    'its parts loaded on demand, gz bytes': workerParts,
    'components, gz bytes': components,
    'containers, gz bytes': containers,
    'editor, gz bytes': editor,
    'every screen opened once, gz bytes': screens,
  };
}
