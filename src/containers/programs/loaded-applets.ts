import { filterPrograms, loadFilters } from '../../shell/index.ts';
import type { Applet } from '../process/applet.ts';
import { toolNames } from '../tools/tool-names.ts';

/** Programs that few pods run: their code is loaded when one is started. */
const loadPostgres = () => import('../postgres/index.ts');
const loadWebServers = () => import('../web-servers/index.ts');
const loadRedis = () => import('../redis/index.ts');
export const loadTools: () => Promise<typeof import('../tools/index.ts')> = () => import('../tools/index.ts');

/** The tools of BusyBox that few containers run. */
export const toolApplets: Readonly<Record<string, Applet>> = {
  ...filterPrograms,
  ...Object.fromEntries(
    toolNames.map((name): [string, Applet] => [name, async (...call) => (await loadTools()).tools[name]?.(...call) ?? 127]),
  ),
};

export const loadedApplets: Readonly<Record<string, Applet>> = {
  httpd: async (...call) => (await loadWebServers()).httpd(...call),
  nginx: async (...call) => (await loadWebServers()).nginx(...call),
  postgres: async (...call) => (await loadPostgres()).postgres(...call),
  'postgres-entrypoint': async (...call) => (await loadPostgres()).postgresEntrypoint(...call),
  psql: async (...call) => (await loadPostgres()).psql(...call),
  'redis-cli': async (...call) => (await loadRedis()).redisCli(...call),
  'redis-server': async (...call) => (await loadRedis()).redisServer(...call),
};

/** For hosts with a virtual clock, whose time must not pass while a module is loaded. */
export async function loadServers(): Promise<void> {
  await Promise.all([loadPostgres(), loadRedis(), loadTools(), loadWebServers(), loadFilters()]);
}
