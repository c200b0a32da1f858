/**
 * node test/workloads/compare/generate.mjs [--seed 1] [--count 4] [--areas deployment,job] DIR
 *
 * Writes scenarios with objects of random settings, several of one kind in each, and changes of them. They are recorded on a real API server
 * with the real controllers and scheduler, and replayed on ours (docs/upgrading.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { controllerAreas } from './controller-areas.mjs';
import { createChoices } from './objects.mjs';
import { schedulingAreas } from './scheduling-areas.mjs';
import { workloadAreas } from './workload-areas.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '2' },
    areas: { type: 'string', default: '' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: generate.mjs [--seed N] [--count N] [--areas A,B] DIR');

const settleMs = 7_000;
const choices = createChoices(Number(options.seed));
const areas = { ...workloadAreas(choices), ...controllerAreas(choices), ...schedulingAreas(choices) };

const wanted = options.areas === '' ? Object.keys(areas) : options.areas.split(',');
for (const area of wanted) {
  mkdirSync(join(folder, area), { recursive: true });
  for (let at = 0; at < Number(options.count); at++) {
    const { nodes, objects, changes, steps = [], settle = settleMs, oneByOne = false, ...more } = areas[area]();
    const creates = oneByOne
      ? objects.flatMap((created) => [{ create: created }, { wait: 700 }])
      : objects.length > 0
        ? [{ create: objects }]
        : [];
    const wait = { wait: settle };
    const all = [...steps, ...creates, wait, ...changes.flatMap((list) => [...list, wait])];
    const name = `seed-${options.seed}-${at}`;
    const scenario = {
      name,
      area,
      about: 'objects with random settings, and changes of them',
      ...(nodes ? { nodes } : {}),
      ...more,
      steps: all,
    };
    writeFileSync(join(folder, area, `${name}.json`), JSON.stringify(scenario, null, 1));
  }
}
