import { readText } from '../../../client/index.ts';
import { toStatusError } from '../../api/client.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

/** `get --raw PATH`: prints the response as it is. */
export async function getRaw(call: Call): Promise<number> {
  const { flags, words, out } = call;
  const filters = ['selector', 'field-selector', 'watch', 'watch-only', 'all-namespaces'].some((name) => flags.changed(name));
  if (words.length > 0) throw new KubectlError('arguments may not be passed when --raw is specified');
  if (filters || flags.list('filename').length > 0) {
    throw new KubectlError('--raw may not be specified with other flags that filter the server request or alter the output');
  }
  if (flags.text('output') !== '') throw new KubectlError('--raw and --output are mutually exclusive');
  const path = flags.text('raw');
  if (!path.startsWith('/'))
    throw new KubectlError(`--raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`);
  await sendRaw(call, 'GET', path, undefined, out);
  return 0;
}

/** Streams the response to the output. @throws StatusError */
export async function sendRaw(call: Call, method: string, path: string, body: string | undefined, out: Call['out']): Promise<void> {
  const client = await call.api();
  const response = await client.send(method, path, body === undefined ? { verbatim: true } : { body, verbatim: true });
  if (response.status < 200 || response.status > 206) throw toStatusError(response.status, await readText(response.body), method);
  if (typeof response.body === 'string' || response.body instanceof Uint8Array) out(response.body);
  else if (response.body) for await (const chunk of response.body) out(chunk);
}
