import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Names, withNames } from '../conformance/read-scenario.ts';
import { differences } from './replay/compare.ts';
import { replay } from './replay/replay.ts';
import type { Scenario } from './replay/scenario.ts';
import { clusterStarter } from './replay/virtual-cluster.ts';

/** Other recorded scenarios, by area, such as those of compare/generate.mjs. */
const folder = process.env['WORKLOAD_SCENARIOS'] ?? join(import.meta.dirname, 'scenarios');
const openScenarios: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(import.meta.dirname, 'open.json'), 'utf8'));

/**
 * Replays scenarios that were recorded on a real cluster, each in a new cluster with a virtual clock, under the names of one
 * product. `open.json` lists the scenarios that do not pass yet, each with its reason: they count as skipped, and an entry that passes must
 * be removed.
 */
export function replayWorkloads(names: Names): void {
  const start = clusterStarter(names);
  const failuresOf = async (file: string): Promise<readonly string[]> => {
    // The rules find only names with a plain slash.
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('%2F', '/');
    const scenario: Scenario = JSON.parse(withNames(text, names));
    const cluster = await start();
    try {
      return differences(scenario, await replay(scenario, cluster));
    } catch (error) {
      return [(error as Error).message];
    } finally {
      await cluster.close();
    }
  };
  describe.for(readdirSync(folder))(`under the names of ${names}: %s`, (area) => {
    test.for(readdirSync(join(folder, area)))('%s', async (name, { skip }) => {
      const file = `${area}/${name}`;
      const reason = openScenarios[`${names} ${file}`] ?? openScenarios[file];
      const failures = await failuresOf(file);
      if (reason === undefined) return expect(failures).toEqual([]);
      expect(failures, `passes now: remove it from open.json (${reason})`).not.toEqual([]);
      skip(reason);
    });
  });
}
