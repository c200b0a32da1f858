import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { serverHashOf } from '../../src/hosts/node/config/configuration-watcher.ts';
import { bySpecification } from './by-specification.mjs';
import namesTable from './names.json' with { type: 'json' };
import type { Scenario } from './scenario.d.mts';

export type Names = 'kubernetes' | 'svc';

/** The host name of the recorded server; metrics contain a hash of it. */
const recordedHost = 'vm';

/** A recorded scenario with the names and texts of a product (rewritten as in conform.mjs). */
export function readScenario(file: string, names: Names): Scenario {
  const text = readFileSync(file, 'utf8').replaceAll(serverHashOf(recordedHost), serverHashOf(hostname()));
  if (names === 'kubernetes') return JSON.parse(text);
  const renamed = withNames(text, names);
  // The `names` member is not rewritten: it states the recorded product.
  const { names: recordedFor } = JSON.parse(text) as Scenario;
  return { ...bySpecification(JSON.parse(renamed)), ...(recordedFor === undefined ? {} : { names: recordedFor }) };
}

/** A text with the names of a product. */
export function withNames(text: string, names: Names): string {
  if (names === 'kubernetes') return text;
  return namesTable.rules.reduce((at, [pattern = '', replacement = '']) => at.replace(new RegExp(pattern, 'g'), replacement), text);
}
