import type { Applet } from '../process/applet.ts';
import { parseFlags } from './flags.ts';
import { listenHttp, routes, serveForever, serverTls, text } from './http-server.ts';
import { reviewService } from './json-review.ts';

type CustomObject = Readonly<Record<string, unknown>> & { readonly apiVersion: string };

interface ConversionRequest {
  readonly desiredAPIVersion: string;
  readonly objects: readonly CustomObject[];
}

class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

const [v1, v2] = ['stable.example.com/v1', 'stable.example.com/v2'];

/** Version 1 has `hostPort`, version 2 `host` and `port`. @throws ConversionError */
function convert(object: CustomObject, to: string): CustomObject {
  const { apiVersion: from } = object;
  if (from === to) throw new ConversionError(`conversion from a version to itself should not call the webhook: ${to}`);
  if (from !== v1 && from !== v2) throw new ConversionError(`unexpected conversion version ${JSON.stringify(from)}`);
  if (to !== (from === v1 ? v2 : v1)) throw new ConversionError(`unexpected conversion version ${JSON.stringify(to)}`);
  return { ...(from === v1 ? splitHostPort(object) : joinHostPort(object)), apiVersion: to };
}

function splitHostPort({ hostPort, ...others }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (hostPort === undefined) return others;
  const [host, port, ...further] = String(hostPort).split(':');
  if (port === undefined || further.length > 0) throw new ConversionError(`invalid hostPort value \`${String(hostPort)}\``);
  return { ...others, host, port };
}

function joinHostPort({ host, port, ...others }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return host === undefined && port === undefined ? others : { ...others, hostPort: `${host ?? ''}:${port ?? ''}` };
}

function respond({ objects, desiredAPIVersion }: ConversionRequest): object {
  try {
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    return { convertedObjects, result: { metadata: {}, status: 'Success' } };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { convertedObjects: null, result: { metadata: {}, status: 'Failure', message: error.message } };
  }
}

/** A conversion webhook of a custom resource for tests. Cf. test/images/agnhost/crd-conversion-webhook. */
export const conversionWebhook: Applet = (invocation, process) => {
  const flags = parseFlags(invocation.args);
  const http = routes({
    '/crdconvert': reviewService<ConversionRequest>('ConversionReview', respond),
    '/readyz': () => text('ok'),
  });
  return listenHttp(Number(flags.get('port') ?? 443), http, process, invocation, serverTls(flags, process)) ? serveForever(process) : 1;
};
