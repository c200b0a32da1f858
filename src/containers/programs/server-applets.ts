import { parseFlags } from '../agnhost/flags.ts';
import { listenHttp, routes, serveForever, text } from '../agnhost/http-server.ts';
import { parseUrl } from '../network/http-call.ts';
import type { Applet } from '../process/applet.ts';

/** Serves the health and version of etcd; it stores nothing, as no program here uses it. */
const etcd: Applet = (invocation, process) => {
  const { hostname = '', port = '' } = parseUrl(parseFlags(invocation.args).get('listen-client-urls') ?? 'http://localhost:2379') ?? {};
  const http = routes({
    '/health': () => text('{"health":"true","reason":""}'),
    '/version': () => text('{"etcdserver":"3.6.4","etcdcluster":"3.6.0","storage":"3.6.0"}'),
  });
  const bind = { port: Number(port) || 2379, address: hostname.replace(/^\[|\]$/g, '') };
  return listenHttp(bind, http, process, invocation) ? serveForever(process, { TERM: 0, INT: 0 }) : 1;
};

/** The servers of well-known images. */
export const serverApplets: Readonly<Record<string, Applet>> = {
  etcd,
  pause: (_invocation, process) => serveForever(process, { TERM: 0, INT: 0 }),
  hello: ({ out }) => {
    out('\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n');
    return 0;
  },
  /** Prints the effective user: a file with the setuid bit makes it root, unless privileges may not be gained. */
  nnp: ({ out }, { user, container }) => {
    out(`Effective uid: ${container.mayEscalate ? 0 : user.uid}\n`);
    return 0;
  },
};
