import { decodePercentEscapes } from '../../meta/index.ts';
import { SystemError } from '../files/file-error.ts';
import { RequestError, requestHttp } from '../network/http-call.ts';
import type { HttpAnswer, HttpRequest } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { addressOf, listTime } from './access-log.ts';
import type { Location, NginxConfig, VirtualServer } from './nginx-config.ts';
import { failedCall } from './nginx-syntax.ts';

export const nginxVersion = '1.27.4';

const statusTexts: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Authorization Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
  410: 'Gone',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/** The page of an error or a redirection; without a text of the status, the answer has no body. */
function statusPage(status: number, headers: HttpAnswer['headers'] = []): HttpAnswer {
  const text = statusTexts[status];
  if (text === undefined) return { status, headers, body: '' };
  const title = `${status} ${text}`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/${nginxVersion}</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: [['Content-Type', 'text/html'], ...headers], body };
}

export interface NginxHost {
  readonly config: NginxConfig;
  readonly process: Process;
  /** Writes to the error log. */
  logError(text: string): void;
}

/** The most redirections within the server. Cf. NGX_HTTP_MAX_URI_CHANGES. */
const maxChanges = 10;

/** Serves one request at a port. */
export class NginxRequest {
  readonly #request: HttpRequest;
  readonly #port: number;
  readonly #host: NginxHost;
  readonly #server: VirtualServer;
  #uri: string;
  /** Where the request is served, after redirections within the server. */
  #location: Location;
  #changes = 0;

  constructor(request: HttpRequest, port: number, host: NginxHost) {
    this.#request = request;
    this.#port = port;
    this.#host = host;
    this.#server = serverOf(host.config.servers, port, this.#hostName);
    this.#location = this.#server.root;
    this.#uri = decodePercentEscapes(request.target.split('?')[0] ?? '/');
  }

  async serve(): Promise<HttpAnswer> {
    const answer = await this.#withErrorPage(await this.#serveAt(this.#locate()), this.#location);
    const isUsual = /^(?:20[0146]|30[123478])$/.test(String(answer.status));
    const added = (this.#location.lists.get('add_header') ?? []).filter(([, , always]) => isUsual || always === 'always');
    return {
      ...answer,
      headers: [...(answer.headers ?? []), ...added.map(([name = '', value = '']) => [name, this.#expand(value)] as const)],
    };
  }

  get #hostName(): string {
    return addressOf(this.#request.headers.get('host') ?? '');
  }

  get #query(): string {
    return this.#request.target.split('?').slice(1).join('?');
  }

  /** Exact paths, then the longest prefix, unless a pattern matches that comes first. */
  #locate(from: Location = this.#server.root): Location {
    const { locations } = from;
    const exact = locations.find(({ modifier, path }) => modifier === '=' && path === this.#uri);
    if (exact) return exact;
    const prefixes = locations.filter(({ modifier, path }) => (modifier === '' || modifier === '^~') && this.#uri.startsWith(path));
    const longest = prefixes.sort((a, b) => b.path.length - a.path.length)[0];
    const pattern = longest?.modifier === '^~' ? undefined : locations.find((one) => one.pattern?.test(this.#uri) ?? false);
    const found = pattern ?? longest;
    return found ? (found.locations.length > 0 ? this.#locate(found) : found) : from;
  }

  async #serveAt(location: Location): Promise<HttpAnswer> {
    const { settings } = location;
    this.#location = location;
    if (++this.#changes > maxChanges) {
      this.#logError(`rewrite or internal redirection cycle while internally redirecting to "${this.#uri}"`);
      return statusPage(500);
    }
    const returned = settings.get('return');
    if (returned) return this.#return(returned, location);
    if (location.lists.get('deny')?.some(([address]) => address === 'all') && !location.lists.has('allow')) {
      this.#logError('access forbidden by rule');
      return statusPage(403);
    }
    const proxy = settings.get('proxy_pass')?.[0];
    if (proxy !== undefined) return this.#proxy(proxy, location);
    if (settings.has('stub_status'))
      return {
        status: 200,
        headers: [['Content-Type', 'text/plain']],
        body: 'Active connections: 1 \nserver accepts handled requests\n 1 1 1 \nReading: 0 Writing: 1 Waiting: 0 \n',
      };
    const tried = settings.get('try_files');
    if (tried) return this.#tryFiles(tried, location);
    if (this.#request.method !== 'GET' && this.#request.method !== 'HEAD') return statusPage(405);
    return this.#serveFile(location);
  }

  #return([code = '', ...rest]: readonly string[], location: Location): HttpAnswer {
    const text = this.#expand(rest.join(' '));
    // A URL alone is a redirection.
    if (!/^\d{3}$/.test(code)) return statusPage(302, [['Location', this.#expand(code)]]);
    const status = Number(code);
    if (/^30[12378]$/.test(code)) return statusPage(status, [['Location', this.#absolute(text)]]);
    if (rest.length === 0) return statusPage(status);
    return { status, headers: [['Content-Type', location.settings.get('default_type')?.[0] ?? 'text/plain']], body: text };
  }

  #absolute(target: string): string {
    if (!target.startsWith('/')) return target;
    const port = this.#port === 80 ? '' : `:${this.#port}`;
    return `http://${this.#hostName || 'localhost'}${port}${target}`;
  }

  #pathOf({ settings, path, modifier }: Location, uri = this.#uri): string {
    const alias = settings.get('alias')?.[0];
    if (alias !== undefined && !modifier.startsWith('~')) return this.#expand(alias) + uri.slice(path.length);
    return `${this.#expand(settings.get('root')?.[0] ?? '/etc/nginx/html').replace(/\/$/, '')}${uri}`;
  }

  #serveFile(location: Location): HttpAnswer | Promise<HttpAnswer> {
    const { container, user } = this.#host.process;
    const path = this.#pathOf(location);
    try {
      const { inode } = container.files.status(path, user);
      if (inode.type !== 'directory') {
        if (path.endsWith('/')) throw new SystemError('ENOTDIR');
        return this.#file(path);
      }
      if (!this.#uri.endsWith('/')) return statusPage(301, [['Location', this.#absolute(`${this.#uri}/`)]]);
      for (const index of location.settings.get('index') ?? ['index.html']) {
        if (!container.files.find(path + index, user)) continue;
        this.#uri += index;
        const next = this.#locate();
        return next === location ? this.#file(path + index) : this.#serveAt(next);
      }
      if (location.settings.get('autoindex')?.[0] === 'on') return this.#list(path);
      this.#logError(`directory index of "${path}" is forbidden`);
      return statusPage(403);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.#logError(failedCall('open', path, error));
      return statusPage(error.code === 'EACCES' ? 403 : 404);
    }
  }

  /** @throws SystemError */
  #file(path: string): HttpAnswer {
    const { container, user } = this.#host.process;
    const body = container.files.read(path, user).slice();
    const type =
      this.#host.config.mediaTypes.get(path.split('.').at(-1) ?? '') ?? this.#server.root.settings.get('default_type')?.[0] ?? 'text/plain';
    return { status: 200, headers: [['Content-Type', type]], body };
  }

  #list(path: string): HttpAnswer {
    const { container, user } = this.#host.process;
    const rows = container.files.list(path, user).map((name) => {
      const { inode, size } = container.files.status(path + name, user, true);
      const isFolder = inode.type === 'directory';
      const shown = isFolder ? `${name}/` : name;
      return { isFolder, shown, time: listTime(inode.mtimeMs), size: isFolder ? '-' : String(size) };
    });
    const sorted = [...rows.filter(({ isFolder }) => isFolder), ...rows.filter(({ isFolder }) => !isFolder)];
    const lines = sorted.map(
      ({ shown, time, size }) =>
        `<a href="${encodeURI(shown)}">${shown}</a>${' '.repeat(Math.max(1, 51 - shown.length))}${time} ${size.padStart(19)}\r\n`,
    );
    const body = `<html>\r\n<head><title>Index of ${this.#uri}</title></head>\r\n<body>\r\n<h1>Index of ${this.#uri}</h1><hr><pre><a href="../">../</a>\r\n${lines.join('')}</pre><hr></body>\r\n</html>\r\n`;
    return { status: 200, headers: [['Content-Type', 'text/html']], body };
  }

  async #tryFiles(tried: readonly string[], location: Location): Promise<HttpAnswer> {
    const { container, user } = this.#host.process;
    for (const candidate of tried.slice(0, -1)) {
      const uri = this.#expand(candidate);
      const found = container.files.find(this.#pathOf(location, uri), user);
      if (!found || (found.inode.type === 'directory') !== uri.endsWith('/')) continue;
      this.#uri = uri;
      return this.#serveFile(location);
    }
    const last = this.#expand(tried.at(-1) ?? '');
    if (last.startsWith('=')) return statusPage(Number(last.slice(1)));
    return this.#redirect(last);
  }

  /** Serves another path, or a location by its name, in place of this one. */
  #redirect(target: string): Promise<HttpAnswer> {
    const byName = target.startsWith('@') ? this.#server.root.locations.find(({ path }) => path === target) : undefined;
    if (byName) return this.#serveAt(byName);
    this.#uri = target.split('?')[0] ?? '/';
    return this.#serveAt(this.#locate());
  }

  async #withErrorPage(answer: HttpAnswer, { lists, settings }: Location): Promise<HttpAnswer> {
    const isProxied = settings.has('proxy_pass') && !(answer.status === 502 || answer.status === 504);
    const page = lists.get('error_page')?.find((args) => args.slice(0, -1).includes(String(answer.status)));
    if (!page || isProxied) return answer;
    const target = page.at(-1) ?? '';
    if (/^https?:/.test(target)) return statusPage(302, [['Location', target]]);
    const [, changed] = /^=(\d*)$/.exec(page.at(-2) ?? '') ?? [];
    const body = await this.#redirect(this.#expand(target));
    // A page that is missing, too, has the page of the server.
    if (body.status >= 400) return statusPage(answer.status);
    return { ...body, status: changed === undefined ? answer.status : changed === '' ? body.status : Number(changed) };
  }

  async #proxy(target: string, location: Location): Promise<HttpAnswer> {
    const { config, process } = this.#host;
    const [scheme = 'http', place = ''] = this.#expand(target).split('://', 2);
    const [name = ''] = place.split('/', 1);
    const path = place.slice(name.length);
    const servers = config.upstreams.get(name) ?? [name];
    const server = servers[process.container.env.random.integer(Math.max(1, servers.length))];
    if (server === undefined) {
      this.#logError('no live upstreams while connecting to upstream');
      return statusPage(502);
    }
    // With a path in the directive, that of the location is replaced.
    const uri =
      path === '' || target.includes('$')
        ? this.#request.target
        : path + this.#uri.slice(location.path.length) + (this.#query === '' ? '' : `?${this.#query}`);
    const url = new URL(`${scheme}://${server}`);
    const upstream = `upstream: "${scheme}://${server}${uri}"`;
    const call = {
      url: withTarget(url, uri),
      method: this.#request.method,
      headers: this.#proxyHeaders(location, name),
      body: this.#request.body.length > 0 ? this.#request.body : undefined,
      timeoutMs: 60_000,
      authorities: '',
    };
    try {
      const response = await requestHttp(call, process.signal, process);
      const hidden = /^(?:connection|transfer-encoding|content-length|date|server)$/i;
      return { status: response.status, headers: response.headers.filter(([header]) => !hidden.test(header)), stream: response.body };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.kind === 'name') {
        this.#logError(`${url.hostname} could not be resolved (3: Host not found)`);
        return statusPage(502);
      }
      const isLate = error.kind === 'timeout';
      const reason = isLate
        ? 'upstream timed out (110: Operation timed out)'
        : error.kind === 'unreachable'
          ? 'connect() failed (113: No route to host)'
          : 'connect() failed (111: Connection refused)';
      this.#logError(`${reason} while connecting to upstream`, upstream);
      return statusPage(isLate ? 504 : 502);
    }
  }

  #proxyHeaders({ lists }: Location, name: string): readonly (readonly [string, string])[] {
    const set = (lists.get('proxy_set_header') ?? []).map(([header = '', value = '']) => [header, this.#expand(value)] as const);
    const isSet = (header: string): boolean => set.some(([one]) => one.toLowerCase() === header);
    const passed = [...this.#request.headers].filter(
      ([header]) => !/^(?:host|connection|content-length|transfer-encoding)$/.test(header) && !isSet(header),
    );
    return [
      ...(isSet('host') ? [] : [['Host', name] as const]),
      ...passed,
      ...set.filter(([, value]) => value !== ''),
      ['Connection', 'close'],
    ];
  }

  /** Replaces variables. */
  #expand(text: string): string {
    return text.replace(/\$\{?([a-zA-Z_]\w*)\}?/g, (_, name: string) => this.#variable(name));
  }

  #variable(name: string): string {
    const { method, target, remote, headers } = this.#request;
    if (name.startsWith('http_')) return headers.get(name.slice('http_'.length).replaceAll('_', '-')) ?? '';
    if (name.startsWith('arg_')) return new URLSearchParams(this.#query).get(name.slice('arg_'.length)) ?? '';
    const { container, pid } = this.#host.process;
    const forwarded = headers.get('x-forwarded-for');
    const values: Readonly<Record<string, string>> = {
      args: this.#query,
      query_string: this.#query,
      is_args: this.#query === '' ? '' : '?',
      host: this.#hostName || (this.#server.names[0] ?? ''),
      hostname: container.hostname,
      proxy_add_x_forwarded_for: `${forwarded === undefined ? '' : `${forwarded}, `}${addressOf(remote)}`,
      remote_addr: addressOf(remote),
      remote_port: remote.split(':').at(-1) ?? '',
      request_method: method,
      request_uri: target,
      request: `${method} ${target} HTTP/1.1`,
      scheme: 'http',
      server_addr: container.podIP,
      server_name: this.#server.names[0] ?? '',
      server_port: String(this.#port),
      server_protocol: 'HTTP/1.1',
      time_iso8601: new Date(container.env.clock.nowMs()).toISOString().replace(/\.\d+Z$/, '+00:00'),
      uri: this.#uri,
      document_uri: this.#uri,
      nginx_version: nginxVersion,
      pid: String(pid),
    };
    return Object.hasOwn(values, name) ? (values[name] ?? '') : '';
  }

  #logError(text: string, upstream?: string): void {
    const { method, target, remote, headers } = this.#request;
    const host = headers.get('host');
    const parts = [
      `client: ${addressOf(remote)}`,
      `server: ${this.#server.names[0] ?? ''}`,
      `request: "${method} ${target} HTTP/1.1"`,
      ...(upstream === undefined ? [] : [upstream]),
      ...(host === undefined ? [] : [`host: "${host}"`]),
    ];
    this.#host.logError(`${text}, ${parts.join(', ')}`);
  }
}

/** The URL of a request target at an upstream. It stays there with a target such as `//name/path`, which URLs take for another host. */
function withTarget(upstream: URL, target: string): URL {
  const url = new URL(upstream);
  const [path = '', ...query] = target.split('?');
  url.pathname = path;
  url.search = `?${query.join('?')}`;
  return url;
}

/** The server of a port whose name is that of the request; else the default one, which is the first by itself. */
function serverOf(servers: readonly VirtualServer[], port: number, host: string): VirtualServer {
  const atPort = servers.filter(({ ports }) => ports.includes(port));
  const matches = (name: string): boolean =>
    name === host || (name.startsWith('*.') && host.endsWith(name.slice(1))) || (name.endsWith('.*') && host.startsWith(name.slice(0, -1)));
  const exact = atPort.find(({ names }) => names.includes(host)) ?? atPort.find(({ names }) => names.some(matches));
  return exact ?? atPort.find(({ defaultPorts }) => defaultPorts.has(port)) ?? (atPort[0] as VirtualServer);
}
