/** The flags of the comparisons. */
import { parseArgs } from 'node:util';
import { createRandom } from './mutate.mjs';

/** `flags` are those of the program beside `--base-url`, `--token` and `--seed`, with their defaults. @throws Error with the usage */
export function readOptions(program, flags) {
  const defaults = { token: 'admin-token', seed: '1', ...flags };
  const options = Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: value }]));
  const { values } = parseArgs({ options: { 'base-url': { type: 'string', multiple: true, default: [] }, ...options } });
  const servers = values['base-url'];
  if (servers.length !== 2) {
    const optional = Object.keys(defaults).map((name) => `[--${name} ${name.toUpperCase()}]`);
    throw new Error(`usage: ${program} --base-url REAL --base-url OURS ${optional.join(' ')}`);
  }
  const random = createRandom(Number(values.seed));
  return { ...values, servers, random, one: (list) => list[random(list.length)] };
}
