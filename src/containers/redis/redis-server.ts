import type { Connection } from '../../network/index.ts';
import { listen, serveForever } from '../agnhost/http-server.ts';
import { SystemError } from '../files/file-error.ts';
import { readText } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { ClientSession } from './client-session.ts';
import { logTime } from './log-time.ts';
import { RedisInstance } from './redis-instance.ts';
import { redisVersion } from './version.ts';

/** The settings of a server: those of its configuration file, then those of the command line. */
function readConfig(args: readonly string[], process: Process): Map<string, string> {
  const config = new Map([
    ['port', '6379'],
    ['dir', process.container.workingDirectory],
    ['dbfilename', 'dump.rdb'],
    ['save', '3600 1 300 100 60 10000'],
    ['appendonly', 'no'],
    ['databases', '16'],
    ['maxmemory', '0'],
    ['requirepass', ''],
  ]);
  const [first = ''] = args;
  const file = first.startsWith('-') ? '' : first;
  for (const line of file === '' ? [] : readText(file, process).split('\n')) {
    const [name = '', ...values] = line.trim().split(/\s+/);
    if (name !== '' && !name.startsWith('#')) config.set(name.toLowerCase(), values.join(' ').replace(/^"(.*)"$/, '$1'));
  }
  let name = '';
  for (const arg of file === '' ? args : args.slice(1)) {
    if (arg.startsWith('--')) {
      name = arg.slice(2).toLowerCase();
      config.set(name, '');
    } else config.set(name, config.get(name) === '' ? arg : `${config.get(name)} ${arg}`);
  }
  return config;
}

/** A stand-in for Redis: data in memory, and its file as a program of this project reads it. */
export const redisServer: Applet = async (invocation, process) => {
  const { env } = process.container;
  if (invocation.args.includes('--version') || invocation.args.includes('-v')) {
    invocation.out(`Redis server v=${redisVersion} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0\n`);
    return 0;
  }
  const config = readConfig(invocation.args, process);
  const log = (mark: string, text: string, role = 'M'): void =>
    void invocation.out(`${process.pid}:${role} ${logTime(env.clock.nowMs())} ${mark} ${text}\n`);
  log('*', 'oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo', 'C');
  log('*', `Redis version=${redisVersion}, bits=64, commit=00000000, modified=0, pid=${process.pid}, just started`, 'C');
  if (invocation.args.length === 0)
    log(
      '#',
      'Warning: no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf',
      'C',
    );
  else log('*', 'Configuration loaded', 'C');
  log('*', 'monotonic clock: POSIX clock_gettime');
  const port = Number(config.get('port'));
  const instance = new RedisInstance(config, process);
  const accept = (connection: Connection): Promise<void> => new ClientSession(connection, instance).serve();
  if (listen(port, { accept }, process) !== undefined) {
    log('#', `Warning: Could not create server TCP listening socket *:${port}: bind: Address already in use`);
    log('#', `Failed listening on port ${port} (tcp), aborting.`);
    return 1;
  }
  log('*', `Running mode=standalone, port=${port}.`);
  log('*', 'Server initialized');
  if (!loadData(instance, log)) return 1;
  log('*', 'Ready to accept connections tcp');
  const shutDown = (signal: string) => (): void => {
    invocation.out(`${process.pid}:signal-handler (${Math.floor(env.clock.nowMs() / 1_000)}) Received ${signal} scheduling shutdown...\n`);
    endServer(instance, log);
  };
  instance.onShutdown = () => endServer(instance, log);
  return serveForever(process, { TERM: shutDown('SIGTERM'), INT: shutDown('SIGINT') });
};

type ServerLog = (mark: string, text: string) => void;

function loadData(instance: RedisInstance, log: ServerLog): boolean {
  try {
    const keys = instance.load();
    if (keys === undefined) return true;
    log('*', `Loading RDB produced by version ${redisVersion}`);
    log('*', `Done loading RDB, keys loaded: ${keys}, keys expired: 0.`);
    log('*', 'DB loaded from disk: 0.000 seconds');
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof SystemError)) throw error;
    log('#', 'Wrong signature trying to load DB from file');
    log('#', `Fatal error loading the DB, check server logs. Exiting.`);
    return false;
  }
}

function endServer(instance: RedisInstance, log: ServerLog): void {
  const { process } = instance;
  log('*', 'User requested shutdown...');
  if (instance.savesAtEnd) {
    log('*', 'Saving the final RDB snapshot before exiting.');
    const problem = instance.save();
    log(
      problem === undefined ? '*' : '#',
      problem === undefined
        ? 'DB saved on disk'
        : `Failed opening the temp RDB file temp-${process.pid}.rdb (in server root dir ${instance.config.get('dir')}) for saving: ${problem}`,
    );
    if (problem !== undefined) {
      log('#', "Error trying to save the DB, can't exit.");
      return;
    }
  }
  log('#', 'Redis is now ready to exit, bye bye...');
  process.end({ code: 0 });
}
