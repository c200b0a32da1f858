import type { Applet } from '../process/applet.ts';
import { parseFlags } from './flags.ts';
import { listenHttp, serveForever, serverTls, text } from './http-server.ts';

/** Serves the value of each variable `SERVE_PORT_80` or `SERVE_TLS_PORT_443` at its port. Cf. test/images/agnhost/porter. */
export const porter: Applet = (invocation, process) => {
  const isJson = parseFlags(invocation.args).has('json-response');
  const { environment } = invocation;
  const files = new Map([
    ['tls-cert-file', environment.get('CERT_FILE') ?? '/localhost.crt'],
    ['tls-private-key-file', environment.get('KEY_FILE') ?? '/localhost.key'],
  ]);
  for (const [name, value] of environment) {
    const [, tls, port] = /^SERVE_(TLS_)?PORT_(\d+)$/.exec(name) ?? [];
    if (port === undefined) continue;
    const certificate = tls === undefined ? undefined : serverTls(files, process);
    const isListening = listenHttp(
      Number(port),
      ({ method }) =>
        isJson
          ? { status: 200, headers: [['Content-Type', 'application/json']], body: JSON.stringify({ Method: method, Body: value }) }
          : text(value),
      process,
      invocation,
      certificate,
    );
    if (!isListening) return 1;
  }
  return serveForever(process);
};
