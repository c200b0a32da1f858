import { compilePattern, type Pattern, PatternError } from '../../regexp/index.ts';
import { globToRegExp } from '../../shell/index.ts';
import { SystemError } from '../files/file-error.ts';
import type { Process } from '../process/process.ts';
import { addressOf } from './access-log.ts';
import { ConfigError, type Directive, failedCall, parseConfig } from './nginx-syntax.ts';

/** Where a request is served: the directives that a location has, or that it inherits. */
export interface Location {
  readonly modifier: '' | '=' | '^~' | '~' | '~*' | '@';
  readonly path: string;
  readonly pattern: Pattern | undefined;
  /** The last directive of each name, of the location or those around it. */
  readonly settings: ReadonlyMap<string, readonly string[]>;
  /** Directives that may be repeated, of the innermost block that has them. */
  readonly lists: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly locations: readonly Location[];
}

export interface VirtualServer {
  readonly ports: readonly number[];
  readonly defaultPorts: ReadonlySet<number>;
  readonly names: readonly string[];
  /** Its own settings, for requests that no location matches. */
  readonly root: Location;
}

export interface NginxConfig {
  readonly servers: readonly VirtualServer[];
  /** Addresses `host:port` by the name of the upstream. */
  readonly upstreams: ReadonlyMap<string, readonly string[]>;
  /** Hosts of proxies and upstreams, with the place of their directive, which must be found at the start. */
  readonly hosts: readonly (readonly [host: string, place: string])[];
  readonly mediaTypes: ReadonlyMap<string, string>;
}

/** Blocks in which a directive may be: `main`, `http`, `server`, `location`, `upstream`, `events`, `types`. */
const contexts: Readonly<Record<string, string>> = {
  ...named(
    'main',
    'daemon env error_log events http include load_module master_process pid user worker_priority worker_processes worker_rlimit_nofile stream',
  ),
  ...named('events', 'accept_mutex multi_accept use worker_connections'),
  ...named(
    'http',
    'limit_conn_zone limit_req_zone log_format map proxy_cache_path server upstream geo split_clients types_hash_max_size server_names_hash_bucket_size server_names_hash_max_size variables_hash_max_size',
  ),
  ...named(
    'http server',
    'client_header_buffer_size client_header_timeout large_client_header_buffers http2 ssl_session_cache ssl_session_timeout ssl_protocols ssl_ciphers ssl_prefer_server_ciphers ssl_certificate ssl_certificate_key ssl_session_tickets underscores_in_headers',
  ),
  ...named('server', 'listen server_name'),
  ...named('server location', 'location return rewrite try_files if set break'),
  ...named('location', 'alias internal proxy_pass stub_status limit_except'),
  ...named(
    'http server location',
    'absolute_redirect access_log add_header allow auth_basic auth_basic_user_file auth_request autoindex autoindex_exact_size autoindex_format autoindex_localtime charset client_body_buffer_size client_body_timeout client_max_body_size default_type deny error_page etag expires gzip gzip_comp_level gzip_disable gzip_min_length gzip_proxied gzip_types gzip_vary index keepalive_requests keepalive_timeout limit_conn limit_rate limit_req log_not_found port_in_redirect proxy_buffer_size proxy_buffering proxy_buffers proxy_busy_buffers_size proxy_cache proxy_cache_valid proxy_connect_timeout proxy_http_version proxy_intercept_errors proxy_next_upstream proxy_pass_header proxy_read_timeout proxy_redirect proxy_request_buffering proxy_send_timeout proxy_set_header proxy_hide_header proxy_ssl_verify proxy_ssl_server_name reset_timedout_connection resolver resolver_timeout root satisfy send_timeout sendfile server_name_in_redirect server_tokens sub_filter sub_filter_once tcp_nodelay tcp_nopush types',
  ),
  ...named('upstream', 'ip_hash keepalive least_conn zone random hash'),
};

/** In every block. */
const everywhere: ReadonlySet<string> = new Set(['include', 'error_log']);

/** The number of arguments, where one other than that is an error here. */
const exactArity: Readonly<Record<string, number>> = {
  root: 1,
  alias: 1,
  proxy_pass: 1,
  autoindex: 1,
  worker_connections: 1,
  default_type: 1,
};

const repeated: ReadonlySet<string> = new Set(['add_header', 'error_page', 'proxy_set_header', 'allow', 'deny']);

function named(places: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, places]));
}

export const nginxConfigFile = '/etc/nginx/nginx.conf';

/** Reads and checks the configuration of a container. @throws ConfigError */
export function readNginxConfig(process: Process, file: string): NginxConfig {
  return new ConfigReader(process).read(file);
}

class ConfigReader {
  readonly #process: Process;
  readonly #servers: VirtualServer[] = [];
  readonly #upstreams = new Map<string, readonly string[]>();
  readonly #hosts: (readonly [string, string])[] = [];
  readonly #mediaTypes = new Map<string, string>();

  constructor(process: Process) {
    this.#process = process;
  }

  read(file: string): NginxConfig {
    const main = this.#load(file, '');
    checkDirectives(main, 'main');
    const http = main.filter(({ name }) => name === 'http').flatMap(({ block }) => block ?? []);
    if (!main.some(({ name }) => name === 'events')) throw new ConfigError('no "events" section in configuration');
    for (const { name, args, block = [] } of http) {
      if (name === 'upstream') this.#addUpstream(args[0] ?? '', block);
      if (name === 'types') for (const { name: type, args: ends } of block) for (const end of ends) this.#mediaTypes.set(end, type);
    }
    for (const server of http) if (server.name === 'server') this.#servers.push(this.#server(server, http));
    return { servers: this.#servers, upstreams: this.#upstreams, hosts: this.#hosts, mediaTypes: this.#mediaTypes };
  }

  /** The directives of a file, with those that it includes. */
  #load(file: string, place: string): readonly Directive[] {
    const { container, user } = this.#process;
    let text: string;
    try {
      text = new TextDecoder().decode(container.files.read(file, user));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new ConfigError(`${failedCall('open', file, error)}${place === '' ? '' : ` ${place}`}`);
    }
    return this.#withIncluded(parseConfig(text, file));
  }

  #withIncluded(directives: readonly Directive[]): readonly Directive[] {
    return directives.flatMap((directive) => {
      if (directive.name !== 'include') return [directive.block ? { ...directive, block: this.#withIncluded(directive.block) } : directive];
      const [pattern = ''] = directive.args;
      const path = pattern.startsWith('/') ? pattern : `/etc/nginx/${pattern}`;
      return this.#matching(path).flatMap((file) => this.#load(file, directive.place));
    });
  }

  /** The files of a path, whose last part may be a pattern. */
  #matching(path: string): readonly string[] {
    if (!/[*?[]/.test(path)) return [path];
    const { container, user } = this.#process;
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, slash) || '/';
    if (container.files.find(folder, user)?.inode.type !== 'directory') return [];
    const pattern = globToRegExp(path.slice(slash + 1));
    return container.files
      .list(folder, user)
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`);
  }

  #addUpstream(name: string, block: readonly Directive[]): void {
    const servers = block.filter((one) => one.name === 'server');
    for (const { args, place } of servers) this.#addHost(args[0] ?? '', place);
    this.#upstreams.set(
      name,
      servers.filter(({ args }) => !args.includes('down')).map(({ args }) => args[0] ?? ''),
    );
  }

  #addHost(endpoint: string, place: string): void {
    this.#hosts.push([addressOf(endpoint), place]);
  }

  #server(server: Directive, http: readonly Directive[]): VirtualServer {
    const block = server.block ?? [];
    const listens = block.filter(({ name }) => name === 'listen');
    const ports = listens.map(({ args, place }) => {
      const port = Number(args[0]?.split(':').at(-1)?.replace(']', ''));
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        // An address alone has the port 80.
        if (/^[\w.-]+$/.test(args[0] ?? '') && !/^\d+$/.test(args[0] ?? '')) return 80;
        throw new ConfigError(`invalid port in "${args[0] ?? ''}" of the "listen" directive ${place}`);
      }
      return port;
    });
    const root = this.#location(
      { ...server, args: [''], block: [...http.filter(({ name }) => name !== 'server' && name !== 'upstream'), ...block] },
      undefined,
    );
    return {
      ports: [...new Set(ports.length === 0 ? [80] : ports)],
      defaultPorts: new Set(ports.filter((_, at) => listens[at]?.args.some((arg) => arg === 'default_server' || arg === 'default'))),
      names: block.filter(({ name }) => name === 'server_name').flatMap(({ args }) => args),
      root,
    };
  }

  #location({ args, block = [], place }: Directive, outer: Location | undefined): Location {
    const settings = new Map(outer?.settings);
    const lists = new Map(outer?.lists);
    // What a location does is not inherited.
    for (const name of ['alias', 'proxy_pass', 'return', 'try_files', 'stub_status']) if (outer) settings.delete(name);
    const own = new Map<string, (readonly string[])[]>();
    for (const { name, args: values, place: at } of block) {
      if (repeated.has(name)) own.set(name, [...(own.get(name) ?? []), values]);
      else if (name !== 'location') settings.set(name, values);
      if (name === 'proxy_pass') this.#checkProxy(values[0] ?? '', at);
    }
    for (const [name, values] of own) lists.set(name, values);
    const [first = '', second] = args;
    const modifier = (second === undefined ? (first.startsWith('@') ? '@' : '') : first) as Location['modifier'];
    const path = second ?? first;
    const location: Location = { modifier, path, pattern: patternOf(modifier, path, place), settings, lists, locations: [] };
    const locations = block.filter(({ name }) => name === 'location').map((inner) => this.#location(inner, location));
    return { ...location, locations };
  }

  #checkProxy(url: string, place: string): void {
    const [, host] = /^https?:\/\/([^/]+)/.exec(url) ?? [];
    if (host === undefined) throw new ConfigError(`invalid URL prefix ${place}`);
    // A name with variables is looked up for each request.
    if (!url.includes('$') && !this.#upstreams.has(host)) this.#addHost(host, place);
  }
}

/** @throws ConfigError */
function checkDirectives(directives: readonly Directive[], context: string): void {
  if (context === 'types' || context === 'map' || context === 'geo') return;
  for (const directive of directives) {
    checkContext(directive, context);
    checkArity(directive);
    checkBlock(directive, context);
    if (directive.block && directive.name !== 'stream') checkDirectives(directive.block, directive.name);
  }
}

const isServerOfUpstream = (name: string, context: string): boolean => context === 'upstream' && name === 'server';

function checkContext({ name, place }: Directive, context: string): void {
  if (everywhere.has(name)) return;
  const allowed = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (allowed === undefined) throw new ConfigError(`unknown directive "${name}" ${place}`);
  if (!isServerOfUpstream(name, context) && context !== 'if' && !allowed.split(' ').includes(context))
    throw new ConfigError(`"${name}" directive is not allowed here ${place}`);
}

function checkArity({ name, args, place }: Directive): void {
  const arity = Object.hasOwn(exactArity, name) ? exactArity[name] : undefined;
  if (arity !== undefined && args.length !== arity) throw new ConfigError(`invalid number of arguments in "${name}" directive ${place}`);
}

function checkBlock({ name, block, place }: Directive, context: string): void {
  if (name === 'stream') return;
  const needsBlock =
    /^(?:events|http|location|upstream|types|if|map|geo|limit_except)$/.test(name) ||
    (name === 'server' && !isServerOfUpstream(name, context));
  if (needsBlock && !block) throw new ConfigError(`directive "${name}" has no opening "{" ${place}`);
  if (!needsBlock && block) throw new ConfigError(`directive "${name}" is not terminated by ";" ${place}`);
}

function patternOf(modifier: string, path: string, place: string): Pattern | undefined {
  if (!modifier.startsWith('~')) return undefined;
  try {
    return compilePattern(modifier === '~*' ? `(?i)${path}` : path);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new ConfigError(`pcre2_compile() failed: ${error.message} in "${path}" ${place}`);
  }
}
