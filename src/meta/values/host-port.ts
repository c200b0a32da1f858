/** `192.0.2.1:80`, `[2001:db8::1]:80`; without a port the host alone, as in a URL. Cf. Go's net.JoinHostPort. */
export function joinHostPort(host: string, port: string | number = ''): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === '' ? shown : `${shown}:${port}`;
}
