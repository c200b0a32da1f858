import { msg, str } from '@lit/localize';
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import { base64UrlToBytes, bytesToBase64Url } from '../../meta/index.ts';
import { dictionary1 } from './dictionary.ts';
import { LinkError, parseShared, rejectUnsafeKeys, type SharedCluster } from './shared-cluster.ts';

const unpackedMaxBytes = 20 * 1024 * 1024;
/** The size is checked after each slice, since a few bytes can inflate to many. */
const sliceBytes = 512;

/** `1.<base64url(deflate-raw)>`. The version comes first so that later versions can read it. */
export function writeLink(shared: SharedCluster): string {
  const packed = deflateSync(strToU8(JSON.stringify(shared)), { level: 9, dictionary: strToU8(dictionary1) });
  return `1.${bytesToBase64Url(packed)}`;
}

/** @throws LinkError */
export function parseLink(payload: string): SharedCluster {
  const [, version, body = ''] = /^(\d+)\.([\w-]*)$/.exec(payload) ?? [];
  if (version === undefined) throw new LinkError(msg('This link is incomplete: it may have been truncated when it was sent.'));
  if (version !== '1') throw new LinkError(msg(str`This link has version ${version}, which this page does not support.`));
  let value: unknown;
  try {
    value = JSON.parse(unpack(body), rejectUnsafeKeys);
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError(msg('This link is damaged: it may have been truncated when it was sent.'));
  }
  return parseShared(value);
}

function unpack(body: string): string {
  const packed = base64UrlToBytes(body);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const inflate = new Inflate({ dictionary: strToU8(dictionary1) }, (chunk) => {
    bytes += chunk.length;
    chunks.push(chunk);
  });
  for (let at = 0; at < packed.length; at += sliceBytes) {
    inflate.push(packed.subarray(at, at + sliceBytes), at + sliceBytes >= packed.length);
    if (bytes > unpackedMaxBytes) throw new LinkError(msg('This link expands to more than 20 MB and was not opened.'));
  }
  return strFromU8(concatBytes(chunks, bytes));
}

function concatBytes(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
