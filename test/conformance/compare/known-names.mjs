/** Annotations and labels that components interpret: some are validated, some give warnings. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../../src', import.meta.url));
const values = [
  'true',
  'false',
  '',
  'Auto',
  '1',
  '-1',
  'a',
  '[]',
  '{}',
  '[{}]',
  'null',
  '"a"',
  '{"a":1}',
  'a/b',
  '10.0.0.0/8',
  '2026-01-01T00:00:00Z',
];

/** The names in our source, and names of those that have a suffix: of a container. */
const names = readdirSync(source, { recursive: true })
  .filter((file) => /(?<!\.test)\.(?:ts|json)$/.test(file))
  .flatMap((file) => readFileSync(`${source}/${file}`, 'utf8').match(/(?:[a-z-]+\.)*(?:kubernetes|k8s)\.io\/[\w.-]+/g) ?? []);
const known = [...new Set(names)].filter((name) => /\w$/.test(name)).sort();

/** Sets one of them in the metadata of a copy of an object, or in that of its pod template. */
export function annotate(object, random) {
  const copy = structuredClone(object);
  const one = (list) => list[random(list.length)];
  const holder = one([copy, copy, copy.spec?.template ?? copy]);
  const place = one(['annotations', 'annotations', 'labels']);
  holder.metadata = { ...holder.metadata, [place]: { ...holder.metadata?.[place], [one(known)]: one(values) } };
  return copy;
}
