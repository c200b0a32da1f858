import { errorMessage } from '../../env/index.ts';
import type { ServerTls } from '../../network/index.ts';
import type { Invocation } from '../../shell/index.ts';
import { readText } from '../network/host-names.ts';
import type { Bind, HttpAnswer, HttpRequest, HttpService, Listener } from '../process/listeners.ts';
import type { Process } from '../process/process.ts';
import type { SignalName } from '../process/signals.ts';

/** Routes by the path of a request; a route that ends with `/` serves what is below it. */
export function routes(table: Readonly<Record<string, HttpService>>): HttpService {
  const below = Object.keys(table)
    .filter((path) => path.endsWith('/'))
    .sort((a, b) => b.length - a.length);
  return (request) => {
    const [path = '/'] = request.target.split('?');
    const route = Object.hasOwn(table, path) ? path : below.find((prefix) => path.startsWith(prefix));
    const service = route === undefined ? undefined : table[route];
    return service ? service(request) : notFound;
  };
}

const plain: HttpAnswer['headers'] = [['Content-Type', 'text/plain; charset=utf-8']];

export const notFound: HttpAnswer = { status: 404, headers: plain, body: '404 page not found\n' };

/** Tags and comments by which Go takes a body for HTML. Cf. net/http DetectContentType. */
const html = /^\s*<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s>]/i;

/** An answer whose type a server in Go finds out from its body. */
export const text = (body: string, status = 200): HttpAnswer => ({
  status,
  headers: html.test(body) ? [['Content-Type', 'text/html; charset=utf-8']] : plain,
  body,
});

const redirectTexts: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
};

const htmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };

/** Cf. net/http Redirect. */
export function redirect(location: string, status = 302): HttpAnswer {
  const escaped = location.replace(/[&<>"']/g, (character) => htmlEscapes[character] ?? character);
  const body = `<a href="${escaped}">${redirectTexts[status] ?? ''}</a>.\n\n`;
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Location', location],
    ],
    body,
  };
}

/** A parameter of the query, or of the form in the body. */
export function formValue(name: string, { target, body, headers }: HttpRequest): string {
  const [, text = ''] = /^[^?]*\?([\s\S]*)$/.exec(target) ?? [];
  const query = new URLSearchParams(text);
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  return (isForm ? new URLSearchParams(new TextDecoder().decode(body)).get(name) : null) ?? query.get(name) ?? '';
}

/** Ends a server written in Go, which does not handle the signal, as its runtime does. */
const goCodes: Readonly<Partial<Record<SignalName, number>>> = { TERM: 2, INT: 2, HUP: 2 };

/** What a signal does: the exit code, or an action that ends the process itself. */
export type SignalReaction = number | (() => void);

/** Serves until the process ends; by default it ends on SIGTERM as programs in Go do. */
export function serveForever(process: Process, reactions: Readonly<Partial<Record<SignalName, SignalReaction>>> = {}): Promise<number> {
  for (const [signal, reaction] of Object.entries({ ...goCodes, ...reactions }) as [SignalName, SignalReaction][]) {
    process.onSignal(signal, typeof reaction === 'function' ? reaction : () => process.end({ code: reaction }));
  }
  return process.ended.then(({ code }) => code);
}

/** The certificate of the files that `--tls-cert-file` and `--tls-private-key-file` name; undefined: there are no such flags. */
export function serverTls(flags: ReadonlyMap<string, string>, process: Process): ServerTls | undefined {
  const [certificate, key] = [flags.get('tls-cert-file') ?? '', flags.get('tls-private-key-file') ?? ''];
  if (certificate === '') return undefined;
  // Without its key, the program ends.
  readText(key, process);
  return { certificate: readText(certificate, process) };
}

/** Listens until the process ends. The result is the reason why that failed; undefined: it listens. */
export function listen(bind: number | Bind, listener: Listener, process: Process): string | undefined {
  try {
    void process.ended.then(process.container.listeners.listen(bind, listener));
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Listens for HTTP until the process ends, with TLS where a certificate is given; false: the port is in use. */
export function listenHttp(
  bind: number | Bind,
  http: HttpService,
  process: Process,
  { err }: Pick<Invocation, 'err'>,
  tls?: ServerTls,
): boolean {
  const problem = listen(bind, { http, tls }, process);
  if (problem !== undefined) err(`${problem}\n`);
  return problem === undefined;
}
