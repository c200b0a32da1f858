import { type Connection, formatEndpoint } from '../../network/index.ts';
import { SystemError } from '../files/file-error.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpService } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { parseFlags } from './flags.ts';
import { logLine } from './go-log.ts';
import { listenHttp, notFound, redirect, routes, serveForever, text } from './http-server.ts';

/** Fails its health check after ten seconds. */
export const liveness: Applet = (invocation, process) => {
  const { clock } = process.container.env;
  const startMs = clock.monotonicMs();
  const seconds = (): number => (clock.monotonicMs() - startMs) / 1_000;
  const http = routes({
    '/started': () => text(`${seconds()}s`),
    '/healthz': () => (seconds() > 10 ? text(`error: ${seconds()}`, 500) : text('ok')),
    '/redirect': ({ target }) => redirect(new URLSearchParams(target.split('?')[1] ?? '').get('loc') ?? ''),
  });
  return listenHttp(8080, http, process, invocation) ? serveForever(process) : 1;
};

/** Serves the files of the container. */
export const testWebserver: Applet = (invocation, process) => {
  const port = Number(parseFlags(invocation.args).get('port') ?? 80);
  return listenHttp(port, serveFiles('/', process), process, invocation) ? serveForever(process) : 1;
};

/** Media types by the end of a file's name. Cf. mime.TypeByExtension; others are found out by clients. */
const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
};

/** Serves the files of a folder, with lists of folders. Cf. net/http FileServer. */
function serveFiles(folder: string, { container: { files }, user }: Process): HttpService {
  return ({ target }) => {
    const path = `${folder}/${decodeURIComponent(target.split('?')[0] ?? '')}`;
    try {
      if (files.status(path, user).inode.type !== 'directory') {
        const type = mediaTypes[/\.([a-z]+)$/.exec(path)?.[1] ?? ''];
        return { status: 200, headers: type === undefined ? [] : [['Content-Type', type]], body: files.read(path, user).slice() };
      }
      const index = `${path}/index.html`;
      if (files.find(index, user))
        return { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: files.read(index, user).slice() };
      const names = files
        .list(path, user)
        .map((name) => (files.find(`${path}/${name}`, user)?.inode.type === 'directory' ? `${name}/` : name));
      const lines = names.map((name) => `<a href="${name}">${name}</a>\n`).join('');
      return { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: `<!doctype html>\n<pre>\n${lines}</pre>\n` };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return error.code === 'EACCES' ? text('403 Forbidden\n', 403) : notFound;
    }
  };
}

/** Serves the name of the host over HTTP, or over raw TCP and UDP. Cf. test/images/agnhost/serve-hostname. */
export const serveHostname: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const isSet = (name: string): boolean => flags.has(name) && flags.get(name) !== 'false';
  const port = Number(flags.get('port') ?? 9376);
  const log = (line: string): void => logLine(line, invocation, process);
  const [isHttp, isTcp, isUdp] = [flags.get('http') !== 'false', isSet('tcp'), isSet('udp')];
  if (isHttp && (isTcp || isUdp)) {
    log("Can't server TCP/UDP mode and HTTP mode at the same time");
    return 1;
  }
  const { hostname, listeners } = process.container;
  const name = new TextEncoder().encode(hostname);
  if (isTcp) {
    const accept = async ({ remote, sink }: Connection): Promise<void> => {
      log(`TCP request from ${formatEndpoint(remote)}`);
      // The client may have left.
      await sink.write(name).catch(() => {});
      await sink.close();
    };
    void process.ended.then(listeners.listen(port, { accept }));
  }
  if (isUdp) {
    const socket = listeners.bind({ port }, ({ from }) => {
      log(`UDP request from ${formatEndpoint(from)}`);
      socket?.send(name, from);
    });
    void process.ended.then(() => socket?.close());
  }
  const http: HttpService = ({ remote }) => {
    log(`HTTP request from ${remote}`);
    const answer = text(hostname);
    return isSet('close') ? { ...answer, headers: [...(answer.headers ?? []), ['Connection', 'close']] } : answer;
  };
  if (isHttp && !listenHttp(port, http, process, invocation)) return 1;
  log(`Serving on port ${port}.`);
  return serveForever(process, {
    TERM: () => {
      log('Shutting down after receiving signal: terminated.');
      log('Awaiting pod deletion.');
      process.container.env.clock.schedule(60_000, () => process.end({ code: 0 }));
    },
  });
};

export const grpcHealthChecking: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const { clock } = process.container.env;
  const startMs = clock.monotonicMs();
  const delaySeconds = Number(flags.get('delay-unhealthy-sec') ?? -1);
  const service = flags.get('service') ?? '';
  let isForced: boolean | undefined;
  const log = (line: string): void => logLine(line, invocation, process);
  const seconds = (): number => (clock.monotonicMs() - startMs) / 1_000;
  const set =
    (isUnhealthy: boolean): HttpService =>
    () => {
      log(`Mark as ${isUnhealthy ? 'unhealthy' : 'healthy'}`);
      isForced = isUnhealthy;
      return text(`${seconds()}s`);
    };
  const httpPort = Number(flags.get('http-port') ?? 8080);
  const port = Number(flags.get('port') ?? 5000);
  log(`Http server starting to listen on :${httpPort}`);
  if (!listenHttp(httpPort, routes({ '/make-not-serving': set(true), '/make-serving': set(false) }), process, invocation)) return 1;
  const close = process.container.listeners.listen(port, {
    health: (name) => {
      log('Serving the Check request for health check');
      if (name !== service) return 'NOT_FOUND';
      return isForced || (delaySeconds >= 0 && seconds() >= delaySeconds) ? 'NOT_SERVING' : 'SERVING';
    },
  });
  void process.ended.then(close);
  log(`gRpc server starting to listen on :${port}`);
  return serveForever(process);
};
