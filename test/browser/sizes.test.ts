import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goals, pageSizes } from '../bench/sizes.mjs';
import { pageFolder } from './browser.ts';

test('the first load is at most 60 kB of JavaScript, and 10 kB of html and css', () => {
  const { scripts, scriptFiles, htmlAndCss } = pageSizes();
  // Guards against counting no files.
  expect(scriptFiles).toBeGreaterThan(1);
  expect(scripts).toBeLessThanOrEqual(goals['first-load JavaScript, gz bytes'].atMost);
  expect(htmlAndCss).toBeLessThanOrEqual(goals['html and css, gz bytes'].atMost);
});

test('the reader of third-party lessons is at most 25 kB and loaded separately', () => {
  const { lessonReader, scripts } = pageSizes();
  expect(lessonReader).toBeGreaterThan(10_000);
  expect(lessonReader).toBeLessThanOrEqual(25_000);
  expect(scripts).toBeLessThanOrEqual(goals['first-load JavaScript, gz bytes'].atMost);
});

test('the editor is at most 185 kB, and all screens together are at most 300 kB', () => {
  const { editor, screens } = pageSizes();
  // The editor is found, and is one of the files of the screens.
  expect(editor).toBeGreaterThan(50_000);
  expect(editor).toBeLessThanOrEqual(goals['editor, gz bytes'].atMost);
  expect(screens).toBeGreaterThan(editor);
  expect(screens).toBeLessThanOrEqual(300_000);
});

test('no file has lists of others to preload, which are empty', () => {
  for (const file of readdirSync(join(pageFolder, 'assets')).filter((name) => name.endsWith('.js')))
    expect(readFileSync(join(pageFolder, 'assets', file), 'utf8'), file).not.toMatch(/__vite__mapDeps|,\[\],import\.meta\.url\)/);
});

test('the core is built once: the worker and the module only load it', () => {
  const [core = '', ...others] = readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('core-'));
  expect(others).toEqual([]);
  for (const file of ['sw.js', 'core.js']) {
    expect(statSync(join(pageFolder, file)).size).toBeLessThanOrEqual(10_000);
    expect(readFileSync(join(pageFolder, file), 'utf8')).toContain(`assets/${core}`);
  }
});

test('controllers, scheduler and nodes are at most 150 kB, loaded separately, and no part of the core', () => {
  const { components } = pageSizes();
  expect(components).toBeGreaterThan(50_000);
  expect(components).toBeLessThanOrEqual(goals['components, gz bytes'].atMost);
  const [core = ''] = readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('core-'));
  const event = 'FailedScheduling';
  const [file = ''] = readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('components-'));
  expect(readFileSync(join(pageFolder, 'assets', file), 'utf8')).toContain(event);
  expect(readFileSync(join(pageFolder, 'assets', core), 'utf8')).not.toContain(event);
});

test('containers, their runtime and their tabs, are at most 200 kB, and loaded separately', () => {
  const { containers } = pageSizes();
  expect(containers).toBeGreaterThan(50_000);
  expect(containers).toBeLessThanOrEqual(goals['containers, gz bytes'].atMost);
  const program = 'Welcome to nginx!';
  for (const file of readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('core-')))
    expect(readFileSync(join(pageFolder, 'assets', file), 'utf8')).not.toContain(program);
  expect(readFileSync(join(pageFolder, 'components.js'), 'utf8')).not.toContain(program);
});

test('the core has no certificate library', () => {
  const [core = ''] = readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('core-'));
  // Names of the library and of its dependencies in their messages and globals.
  expect(readFileSync(join(pageFolder, 'assets', core), 'utf8')).not.toMatch(/peculiar|tsyringe|asn1js|Reflect\.getMetadata/);
});

test('the worker with the core is at most 430 kB, and loads the expression language, OpenAPI and certificates on demand', () => {
  const { worker, workerParts } = pageSizes();
  expect(worker).toBeGreaterThan(200_000);
  expect(worker).toBeLessThanOrEqual(goals['worker with the core, gz bytes'].atMost);
  expect(workerParts).toBeGreaterThan(40_000);
  // The sum of the limits of both, since code moves from one to the other.
  expect(worker + workerParts).toBeLessThanOrEqual(491_000);
});

test('the core has the data of the catalog without its documentation and white space', () => {
  const [core = ''] = readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('core-'));
  const text = readFileSync(join(pageFolder, 'assets', core), 'utf8');
  expect(text).toContain('"admissionregistration/v1":{"');
  expect(text).not.toContain('$doc');
});

test('descriptions of the API are a file of their own, and no part of the core', () => {
  const [core = ''] = readdirSync(join(pageFolder, 'assets')).filter((name) => name.startsWith('core-'));
  const [descriptions, text] = ['descriptions.json', `assets/${core}`].map((file) => readFileSync(join(pageFolder, file), 'utf8'));
  // Of a type, and of a column.
  for (const description of ['Containers that run together on one node', 'Readiness gates that are met']) {
    expect(descriptions).toContain(description);
    expect(text).not.toContain(description);
  }
});

test('the script of live examples is at most 3 kB, and loads its views, at most 25 kB, kubectl and kustomize separately', () => {
  const { example, exampleViews, exampleEngine, exampleKustomize } = pageSizes();
  expect(example).toBeGreaterThan(1_000);
  expect(example).toBeLessThanOrEqual(3_000);
  expect(exampleViews).toBeGreaterThan(5_000);
  expect(exampleViews).toBeLessThanOrEqual(25_000);
  expect(exampleEngine).toBeGreaterThan(50_000);
  expect(exampleEngine).toBeLessThanOrEqual(270_000);
  expect(exampleKustomize).toBeGreaterThan(10_000);
  expect(exampleKustomize).toBeLessThanOrEqual(30_000);
});
