import { parseFlags } from '../agnhost/flags.ts';
import { listenHttp, routes, serveForever, text } from '../agnhost/http-server.ts';
import { serveFiles } from '../agnhost/servers.ts';
import { SystemError } from '../files/file-error.ts';
import { parseUrl } from '../network/http-call.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpService } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The common log format. */
function accessLine(method: string, target: string, remote: string, status: number, bytes: number, agent: string, nowMs: number): string {
  const date = new Date(nowMs);
  const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${remote.replace(/:\d+$/, '')} - - [${day}:${time} +0000] "${method} ${target} HTTP/1.1" ${status} ${bytes} "-" "${agent}" "-"\n`;
}

/** A web server that serves the files of a folder; `port` reads its configuration. */
const createWebServer =
  (folder: string, server: string, portOf: (process: Process) => number): Applet =>
  (invocation, process) => {
    const serve = serveFiles(folder, process);
    const http: HttpService = async (request) => {
      const found = await serve(request);
      const isList =
        found.status === 200 &&
        request.target.split('?')[0]?.endsWith('/') &&
        String(found.body ?? '').startsWith('<!doctype html>\n<pre>');
      const answer = isList ? page(403, 'Forbidden', server) : found.status === 404 ? page(404, 'Not Found', server) : found;
      const bytes = answer.body?.length ?? 0;
      const agent = request.headers.get('user-agent') ?? '-';
      invocation.out(
        accessLine(request.method, request.target, request.remote, answer.status, bytes, agent, process.container.env.clock.nowMs()),
      );
      return { ...answer, headers: [['Server', server], ...(answer.headers ?? [])] };
    };
    if (!listenHttp(portOf(process), http, process, invocation)) return 1;
    return serveForever(process, { TERM: 0, INT: 0, QUIT: 0, HUP: () => {} });
  };

const page = (status: number, title: string, server: string): Awaited<ReturnType<HttpService>> => ({
  ...text(
    `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`,
    status,
  ),
  headers: [['Content-Type', 'text/html']],
});

/** The first value of a directive in a configuration file of the container. */
function configured(path: string, directive: string, { container: { files }, user }: Process): string | undefined {
  try {
    const lines = new TextDecoder().decode(files.read(path, user)).split('\n');
    const words = lines.map((line) => line.trim().split(/\s+/)).find(([name]) => name === directive);
    return words?.[1]?.replace(';', '');
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

/** `80`, `0.0.0.0:80`. */
const portIn = (text: string | undefined): number => Number(text?.split(':').at(-1) ?? 80);

const nginxConfig = '/etc/nginx/conf.d/default.conf';

const nginx: Applet = (invocation, process) => {
  const folder = configured(nginxConfig, 'root', process) ?? '/usr/share/nginx/html';
  return createWebServer(folder, 'nginx/1.27.4', () => portIn(configured(nginxConfig, 'listen', process)))(invocation, process);
};

const httpd: Applet = createWebServer('/usr/local/apache2/htdocs', 'Apache/2.4.62 (Unix)', (process) =>
  portIn(configured('/usr/local/apache2/conf/httpd.conf', 'Listen', process)),
);

/** Serves the health and version of etcd; it stores nothing, as no program here uses it. */
const etcd: Applet = (invocation, process) => {
  const { hostname = '', port = '' } = parseUrl(parseFlags(invocation.args).get('listen-client-urls') ?? 'http://localhost:2379') ?? {};
  const http = routes({
    '/health': () => text('{"health":"true","reason":""}'),
    '/version': () => text('{"etcdserver":"3.6.4","etcdcluster":"3.6.0","storage":"3.6.0"}'),
  });
  const bind = { port: Number(port) || 2379, address: hostname.replace(/^\[|\]$/g, '') };
  return listenHttp(bind, http, process, invocation) ? serveForever(process, { TERM: 0, INT: 0 }) : 1;
};

/** The servers of well-known images. */
export const serverApplets: Readonly<Record<string, Applet>> = {
  etcd,
  nginx,
  httpd,
  pause: (_invocation, process) => serveForever(process, { TERM: 0, INT: 0 }),
  hello: ({ out }) => {
    out('\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n');
    return 0;
  },
  /** Prints the effective user: a file with the setuid bit makes it root, unless privileges may not be gained. */
  nnp: ({ out }, { user, container }) => {
    out(`Effective uid: ${container.mayEscalate ? 0 : user.uid}\n`);
    return 0;
  },
};
