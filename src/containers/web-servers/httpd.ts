import { decodePercentEscapes } from '../../meta/index.ts';
import { listen, serveForever } from '../agnhost/http-server.ts';
import { SystemError } from '../files/file-error.ts';
import type { Applet } from '../process/applet.ts';
import type { HttpAnswer, HttpRequest } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import { accessLine } from './access-log.ts';

const server = 'Apache/2.4.62 (Unix)';
const configFile = '/usr/local/apache2/conf/httpd.conf';

interface Redirect {
  readonly status: number;
  readonly from: string;
  readonly to: string;
}

interface HttpdConfig {
  readonly ports: readonly number[];
  readonly documentRoot: string;
  readonly indexes: readonly string[];
  readonly listsFolders: boolean;
  readonly redirects: readonly Redirect[];
  readonly aliases: readonly (readonly [from: string, to: string])[];
  /** Texts, or paths, by status. */
  readonly errorDocuments: ReadonlyMap<number, string>;
}

/** Directives of the modules that the image loads. */
const known: ReadonlySet<string> = new Set(
  'acceptpathinfo accessfilename addcharset adddefaultcharset addencoding addhandler addicon addtype alias allow allowoverride customlog define deny directoryindex directoryslash documentroot enablemmap enablesendfile errordocument errorlog expiresactive extendedstatus fileetag group header hostnamelookups include includeoptional indexoptions keepalive keepalivetimeout limitrequestbody listen loadmodule logformat loglevel maxkeepaliverequests maxrequestworkers mimemagicfile namevirtualhost options order pidfile proxypass proxypassreverse proxypreservehost redirect redirectmatch requestheader require rewritecond rewriteengine rewriterule satisfy scriptalias scriptsock serveradmin serveralias servername serverroot serversignature servertokens setenv setenvif setenvifnocase sethandler startservers threadsperchild timeout traceenable typesconfig undefine unsetenv usecanonicalname user'.split(
    ' ',
  ),
);

const sections: ReadonlySet<string> = new Set([
  'directory',
  'directorymatch',
  'files',
  'filesmatch',
  'ifdefine',
  'ifmodule',
  'if',
  'else',
  'limit',
  'location',
  'locationmatch',
  'proxy',
  'requireall',
  'requireany',
  'virtualhost',
]);

/** An error in the configuration, which ends the server. */
class HttpdConfigError extends Error {}

const statusOf: Readonly<Record<string, number>> = { permanent: 301, temp: 302, seeother: 303, gone: 410 };

/** Reads and checks the configuration of a container. */
class ConfigReader {
  readonly #process: Process;
  readonly #ports: number[] = [];
  readonly #redirects: Redirect[] = [];
  readonly #aliases: (readonly [string, string])[] = [];
  readonly #errorDocuments = new Map<number, string>();
  #documentRoot = '/usr/local/apache2/htdocs';
  #indexes: readonly string[] = ['index.html'];
  #listsFolders = true;
  /** The names of the sections around the line. */
  readonly #sections: string[] = [];
  #line = 0;

  constructor(process: Process) {
    this.#process = process;
  }

  /** @throws HttpdConfigError, SystemError */
  read(): HttpdConfig {
    const { container, user } = this.#process;
    for (const line of new TextDecoder().decode(container.files.read(configFile, user)).split('\n')) {
      this.#line++;
      this.#readLine(line);
    }
    const [unclosed] = this.#sections;
    if (unclosed !== undefined) throw this.#error(`<${unclosed}> was not closed.`);
    if (this.#ports.length === 0)
      throw new HttpdConfigError(
        '(22)Invalid argument: AH00014: Configuration check failed\nno listening sockets available, shutting down\nAH00015: Unable to open logs',
      );
    return {
      ports: this.#ports,
      documentRoot: this.#documentRoot,
      indexes: this.#indexes,
      listsFolders: this.#listsFolders,
      redirects: this.#redirects,
      aliases: this.#aliases,
      errorDocuments: this.#errorDocuments,
    };
  }

  #readLine(line: string): void {
    const [name = '', ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    if (name === '' || name.startsWith('#')) return;
    const [tag, slash, section] = /^<(\/?)(\w+)/.exec(name) ?? [];
    const isKnown = section === undefined ? known.has(name.toLowerCase()) : sections.has(section.toLowerCase());
    if (!isKnown)
      throw this.#error(
        `Invalid command '${tag ?? name}', perhaps misspelled or defined by a module not included in the server configuration`,
      );
    if (section === undefined) this.#applyDirective(name.toLowerCase(), args);
    else if (slash === '') this.#sections.push(section);
    else if (this.#sections.pop()?.toLowerCase() !== section.toLowerCase())
      throw this.#error(`</${section}> without matching <${section}> section`);
  }

  #applyDirective(name: string, args: readonly string[]): void {
    const [first = '', second = ''] = args;
    switch (name) {
      case 'listen':
        this.#ports.push(this.#portOf(first));
        break;
      case 'documentroot':
        this.#checkDocumentRoot(first);
        this.#documentRoot = first;
        break;
      case 'directoryindex':
        this.#indexes = args;
        break;
      case 'options':
        this.#listsFolders = args.some((one) => /^\+?(?:indexes|all)$/i.test(one));
        break;
      case 'redirect':
        this.#redirects.push(redirectOf(args));
        break;
      case 'alias':
        this.#aliases.push([first, second]);
        break;
      case 'errordocument':
        this.#errorDocuments.set(Number(first), args.slice(1).join(' '));
    }
  }

  #portOf(endpoint: string): number {
    const port = Number(endpoint.split(':').at(-1));
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw this.#error('Port must be specified');
    return port;
  }

  #checkDocumentRoot(path: string): void {
    const { container, user } = this.#process;
    if (container.files.find(path, user)?.inode.type !== 'directory')
      throw this.#error(`DocumentRoot '${path}' is not a directory, or is not readable`);
  }

  #error(message: string): HttpdConfigError {
    return new HttpdConfigError(`AH00526: Syntax error on line ${this.#line} of ${configFile}:\n${message}`);
  }
}

/** `Redirect [STATUS] FROM TO` */
function redirectOf([first = '', second = '', third]: readonly string[]): Redirect {
  if (third === undefined) return { status: 302, from: first, to: second };
  return { status: statusOf[first.toLowerCase()] ?? Number(first), from: second, to: third };
}

const errors: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Bad Request', 'Your browser sent a request that this server could not understand.<br />\n'],
  403: ['Forbidden', "You don't have permission to access this resource."],
  404: ['Not Found', 'The requested URL was not found on this server.'],
  405: ['Method Not Allowed', 'The requested method is not allowed for this URL.'],
  410: [
    'Gone',
    'The requested resource is no longer available on this server and there is no forwarding address.\nPlease remove all references to this resource.',
  ],
};

function page(status: number, title: string, text: string): HttpAnswer {
  const body = `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body></html>\n`;
  return { status, headers: [['Content-Type', 'text/html; charset=iso-8859-1']], body };
}

function redirection(status: number, location: string): HttpAnswer {
  const title = status === 301 ? 'Moved Permanently' : status === 303 ? 'See Other' : 'Found';
  const answer = page(status, title, `The document has moved <a href="${location}">here</a>.`);
  return { ...answer, headers: [['Location', location], ...(answer.headers ?? [])] };
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  txt: 'text/plain',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  xml: 'application/xml',
};

function serve(request: HttpRequest, config: HttpdConfig, process: Process): HttpAnswer {
  const [escaped = '/'] = request.target.split('?');
  if (/%(?![\da-f]{2})/i.test(escaped)) return errorPage(400, config, process);
  const uri = decodePercentEscapes(escaped);
  const redirect = config.redirects.find(({ from }) => uri === from || uri.startsWith(from.endsWith('/') ? from : `${from}/`));
  if (redirect && redirect.status < 400) return redirection(redirect.status, redirect.to + uri.slice(redirect.from.length));
  if (redirect) return errorPage(redirect.status, config, process);
  if (!/^(?:GET|HEAD|POST|OPTIONS)$/.test(request.method)) return errorPage(405, config, process);
  const alias = config.aliases.find(([from]) => uri.startsWith(from));
  const path = alias ? alias[1] + uri.slice(alias[0].length) : config.documentRoot.replace(/\/$/, '') + uri;
  const host = request.headers.get('host') ?? process.container.hostname;
  try {
    const isFolder = process.container.files.status(path, process.user).inode.type === 'directory';
    if (!isFolder) return serveFile(path, undefined, process);
    if (!uri.endsWith('/')) return redirection(301, `http://${host}${uri}/`);
    return serveFolder(path, uri, config, process);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return errorPage(error.code === 'EACCES' ? 403 : 404, config, process);
  }
}

function serveFile(path: string, defaultType: string | undefined, { container, user }: Process): HttpAnswer {
  const type = types[path.split('.').at(-1) ?? ''] ?? defaultType;
  return { status: 200, headers: type === undefined ? [] : [['Content-Type', type]], body: container.files.read(path, user).slice() };
}

/** The index of a folder, or the list of its files. */
function serveFolder(path: string, uri: string, config: HttpdConfig, process: Process): HttpAnswer {
  const { container, user } = process;
  const index = config.indexes.find((name) => container.files.find(path + name, user));
  if (index !== undefined) return serveFile(path + index, 'text/plain', process);
  return config.listsFolders ? list(path, uri, process) : errorPage(403, config, process);
}

/** Cf. mod_autoindex without fancy indexing. */
function list(path: string, uri: string, { container, user }: Process): HttpAnswer {
  const names = container.files
    .list(path, user)
    .map((name) => (container.files.find(`${path}/${name}`, user)?.inode.type === 'directory' ? `${name}/` : name));
  const parent =
    uri === '/' ? [] : [`<li><a href="${uri.slice(0, uri.lastIndexOf('/', uri.length - 2) + 1)}"> Parent Directory</a></li>\n`];
  const lines = [...parent, ...names.map((name) => `<li><a href="${name}"> ${name}</a></li>\n`)].join('');
  const body = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html>\n <head>\n  <title>Index of ${uri === '/' ? uri : uri.slice(0, -1)}</title>\n </head>\n <body>\n<h1>Index of ${uri === '/' ? uri : uri.slice(0, -1)}</h1>\n<ul>${lines}</ul>\n</body></html>\n`;
  return { status: 200, headers: [['Content-Type', 'text/html;charset=ISO-8859-1']], body };
}

function errorPage(status: number, { errorDocuments, documentRoot }: HttpdConfig, { container, user }: Process): HttpAnswer {
  const document = errorDocuments.get(status);
  if (document?.startsWith('/') && container.files.find(documentRoot + document, user))
    return { status, headers: [['Content-Type', 'text/html']], body: container.files.read(documentRoot + document, user).slice() };
  if (document !== undefined && !document.startsWith('/'))
    return { status, headers: [['Content-Type', 'text/html; charset=iso-8859-1']], body: document };
  return page(status, ...(errors[status] ?? ['Error', 'Error']));
}

/** `httpd [-t] [-v]`, or `httpd-foreground`: serves files of a folder. */
export const httpd: Applet = (invocation, process) => {
  const { args, out, err } = invocation;
  const { clock } = process.container.env;
  if (args.includes('-v')) {
    out(`Server version: ${server}\nServer built:   Aug 13 2024 00:00:00\n`);
    return 0;
  }
  let config: HttpdConfig;
  try {
    config = new ConfigReader(process).read();
  } catch (error) {
    if (error instanceof SystemError) {
      err(`httpd: Could not open configuration file ${configFile}: ${error.message}\n`);
      return 1;
    }
    if (!(error instanceof HttpdConfigError)) throw error;
    err(`${error.message}\n`);
    return 1;
  }
  if (args.includes('-t')) {
    err('Syntax OK\n');
    return 0;
  }
  const http = (request: HttpRequest): HttpAnswer => {
    const answer = serve(request, config, process);
    out(`${accessLine(request, answer.status, answer.body?.length ?? 0, clock.nowMs())}\n`);
    return { ...answer, headers: [['Server', server], ...(answer.headers ?? [])] };
  };
  for (const port of config.ports) {
    if (listen(port, { http }, process) === undefined) continue;
    err(
      `(98)Address already in use: AH00072: make_sock: could not bind to address 0.0.0.0:${port}\nno listening sockets available, shutting down\nAH00015: Unable to open logs\n`,
    );
    return 1;
  }
  return serveForever(process, { TERM: 0, INT: 0, QUIT: 0, WINCH: 0, HUP: () => {} });
};
