import { serveForever } from '../agnhost/http-server.ts';
import { SystemError } from '../files/file-error.ts';
import { lookUpHost } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpRequest } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { parseOptions } from '../programs/options.ts';
import { accessLine } from './access-log.ts';
import { type NginxConfig, nginxConfigFile, readNginxConfig } from './nginx-config.ts';
import { NginxRequest, nginxVersion } from './nginx-request.ts';
import { ConfigError, failedCall } from './nginx-syntax.ts';

const cacheFolder = '/var/cache/nginx';
const pidFile = '/run/nginx.pid';

/** `nginx [-t] [-v] [-s SIGNAL] [-c FILE] [-g DIRECTIVES]`. */
export const nginx: Applet = async (invocation, process) => {
  const { flags, values } = parseOptions(invocation.args, ['g', 's', 'c', 'p', 'e']);
  const { out, err } = invocation;
  const { env, listeners } = process.container;
  if (flags.has('v') || flags.has('V')) {
    err(`nginx version: nginx/${nginxVersion}\n`);
    return 0;
  }
  const log = (level: string, text: string): void => {
    const time = new Date(env.clock.nowMs()).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/');
    err(`${time} [${level}] ${process.pid}#${process.pid}: ${text}\n`);
  };
  const signal = values.get('s');
  if (signal !== undefined) return sendSignal(signal, process, (text) => err(`nginx: ${text}\n`));
  const file = values.get('c') ?? nginxConfigFile;
  const fail = (text: string): number => {
    log('emerg', text);
    err(`nginx: [emerg] ${text}\n`);
    if (flags.has('t')) err(`nginx: configuration file ${file} test failed\n`);
    return 1;
  };
  let config: NginxConfig;
  try {
    config = await load(process, file);
    if (flags.has('t')) {
      err(`nginx: the configuration file ${file} syntax is ok\nnginx: configuration file ${file} test is successful\n`);
      return 0;
    }
    if (process.user.uid !== 0)
      err(
        `nginx: [warn] the "user" directive makes sense only if the master process runs with super-user privileges, ignored in ${file}:2\n`,
      );
    makeFiles(process);
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message);
    throw error;
  }
  let requests = 0;
  const open = new Map<number, () => void>();
  const listen = (port: number): void => {
    const http = async (request: HttpRequest) => {
      const number = ++requests;
      const logError = (text: string): void => log('error', `*${number} ${text}`);
      const answer = await new NginxRequest(request, port, { config, process, logError }).serve();
      const agent = request.headers.get('user-agent') ?? '-';
      const line = accessLine(request, answer.status, answer.body?.length ?? 0, env.clock.nowMs());
      out(`${line} "${request.headers.get('referer') ?? '-'}" "${agent}" "${request.headers.get('x-forwarded-for') ?? '-'}"\n`);
      return { ...answer, headers: [['Server', `nginx/${nginxVersion}`] as const, ...(answer.headers ?? [])] };
    };
    open.set(port, listeners.listen(port, { http }));
  };
  const update = (): string | undefined => {
    const ports = new Set(config.servers.flatMap((server) => server.ports));
    for (const [port, close] of open) {
      if (ports.has(port)) continue;
      close();
      open.delete(port);
    }
    for (const port of ports) {
      if (open.has(port)) continue;
      try {
        listen(port);
      } catch {
        return `bind() to 0.0.0.0:${port} failed (98: Address already in use)`;
      }
    }
    return undefined;
  };
  void process.ended.then(() => {
    for (const close of open.values()) close();
  });
  const problem = update();
  if (problem !== undefined) return fail(problem);
  /** A broken configuration leaves the one that is used. */
  const reload = async (): Promise<void> => {
    try {
      config = await load(process, file);
      const failure = update();
      if (failure !== undefined) log('emerg', failure);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log('emerg', error.message);
    }
  };
  return serveForever(process, { TERM: 0, INT: 0, QUIT: 0, HUP: () => void reload() });
};

/** What the server writes at its start; other users, and a file system that is read-only, end it. @throws ConfigError */
function makeFiles({ container: { files }, user, pid }: Process): void {
  const attempt = (call: string, path: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new ConfigError(failedCall(call, path, error));
    }
  };
  const cache = `${cacheFolder}/client_temp`;
  if (!files.find(cache, user)) attempt('mkdir', cache, () => files.makeDirectory(cache, user, 0o700));
  attempt('open', pidFile, () => files.write(pidFile, `${pid}\n`, user));
}

/** @throws ConfigError */
async function load(process: Process, file: string): Promise<NginxConfig> {
  const config = readNginxConfig(process, file);
  for (const [host, place] of config.hosts)
    if (!host.startsWith('unix:') && (await lookUpHost(host, process)).length === 0)
      throw new ConfigError(`host not found in upstream "${host}" ${place}`);
  return config;
}

function sendSignal(name: string, { container }: Process, fail: (text: string) => void): number {
  const signals = { reload: 'HUP', quit: 'QUIT', stop: 'TERM', reopen: 'USR1' } as const;
  const signal = Object.hasOwn(signals, name) ? signals[name as keyof typeof signals] : undefined;
  if (signal === undefined) fail(`invalid option: "-s ${name}"`);
  else container.processes.get(1)?.deliver(signal);
  return signal === undefined ? 1 : 0;
}
