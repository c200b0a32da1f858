import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { serverHashOf } from '../../src/hosts/node/configuration-watcher.ts';
import { bySpecification } from './by-specification.mjs';
import namesTable from './names.json' with { type: 'json' };
import type { Scenario } from './scenario.d.mts';

export type Names = 'kubernetes' | 'svc';

/** The machine that was recorded; metrics carry a hash of its name. */
const recordedHost = 'vm';

/** A recorded scenario, in the names and words of a product (the same rewriting as conform.mjs does). */
export function readScenario(file: string, names: Names): Scenario {
  const text = readFileSync(file, 'utf8').replaceAll(serverHashOf(recordedHost), serverHashOf(hostname()));
  if (names === 'kubernetes') return JSON.parse(text);
  const renamed = namesTable.rules.reduce(
    (at, [pattern = '', replacement = '']) => at.replace(new RegExp(pattern, 'g'), replacement),
    text,
  );
  // For which names it was recorded is no name in it.
  const { names: recordedFor } = JSON.parse(text) as Scenario;
  return { ...bySpecification(JSON.parse(renamed)), ...(recordedFor === undefined ? {} : { names: recordedFor }) };
}
