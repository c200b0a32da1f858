import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

type Incoming = IncomingMessage | Http2ServerRequest;
/** Returns the client's certificate chain in DER, leaf first. */
export type CertificatesOf = (incoming: Incoming) => readonly Uint8Array[];

const none: readonly Uint8Array[] = [];

/** For servers that do not request client certificates. */
export const noCertificates: CertificatesOf = () => none;

/** Cached per connection, since the certificates of a connection cannot change. */
export function createCertificateReader(): CertificatesOf {
  const known = new WeakMap<object, readonly Uint8Array[]>();
  return (incoming) => {
    const connection = ('stream' in incoming ? incoming.stream.session : undefined) ?? incoming.socket;
    const before = known.get(connection);
    if (before) return before;
    const certificates = chainOf(incoming);
    known.set(connection, certificates);
    return certificates;
  };
}

function chainOf({ socket }: Incoming): readonly Uint8Array[] {
  const read = 'getPeerX509Certificate' in socket ? (socket.getPeerX509Certificate as () => X509Certificate | undefined) : undefined;
  const chain: Uint8Array[] = [];
  const seen = new Set<string>();
  for (
    let certificate = read?.call(socket);
    certificate && !seen.has(certificate.fingerprint256);
    certificate = certificate.issuerCertificate
  ) {
    seen.add(certificate.fingerprint256);
    chain.push(certificate.raw);
  }
  return chain;
}
