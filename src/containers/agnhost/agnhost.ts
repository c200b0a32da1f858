import type { Applet } from '../process/applet.ts';
import { connect } from './connect.ts';
import { conversionWebhook } from './conversion-webhook.ts';
import { parseDuration, parseFlags } from './flags.ts';
import { klogLine } from './go-log.ts';
import { guestbook } from './guestbook.ts';
import { serveForever } from './http-server.ts';
import { issuerDiscovery } from './issuer-discovery.ts';
import { mounttest } from './mounttest.ts';
import { netexec } from './netexec.ts';
import { nettest } from './nettest.ts';
import { portForwardTester } from './port-forward-tester.ts';
import { porter } from './porter.ts';
import { grpcHealthChecking, liveness, serveHostname, testWebserver } from './servers.ts';
import { webhook } from './webhook.ts';

const pause: Applet = ({ out, environment }, process) => {
  out('Paused\nSignals registered\n');
  const exit = (name: string, code: number) => (): void => {
    const message = `exiting because of signal ${JSON.stringify(name)}\n`;
    const path = environment.get('TERMINATION_MESSAGE_PATH') ?? '/dev/termination-log';
    const { files } = process.container;
    if (files.find(path, process.user)) files.write(path, message, process.user);
    out(message);
    process.end({ code });
  };
  return serveForever(process, { TERM: exit('terminated', 2), INT: exit('interrupt', 1) });
};

/** Methods and namespaces of the lines that logs-generator writes. */
const methods = ['GET', 'POST', 'PUT'];
const namespaces = ['kube-system', 'default', 'ns'];

const logsGenerator: Applet = async (invocation, process) => {
  const flags = parseFlags(invocation.args, { t: 'log-lines-total', d: 'run-duration' });
  const total = Number(flags.get('log-lines-total') ?? 0);
  const durationMs = parseDuration(flags.get('run-duration') ?? '0') ?? 0;
  if (!(total > 0) || durationMs <= 0) {
    const what = total > 0 ? `duration: ${flags.get('run-duration') ?? '0s'}` : `total number of lines: ${total}`;
    invocation.err(`Invalid ${what}\n`);
    return 255;
  }
  process.onSignal('TERM', () => process.end({ code: 2 }));
  const { random } = process.container.env;
  for (let line = 0; line < total; line++) {
    const pod = random.uuid().slice(0, 3 + random.integer(2));
    const url = `/api/v1/namespaces/${namespaces[random.integer(namespaces.length)]}/pods/${pod}`;
    const text = `${line} ${methods[random.integer(methods.length)]} ${url} ${200 + random.integer(400)}`;
    klogLine(text, 'logs_generator.go:76', invocation, process);
    await process.sleep(durationMs / total, invocation.signal);
  }
  return 0;
};

/** The subcommands of the test image agnhost. Cf. test/images/agnhost. */
const subcommands: Readonly<Record<string, Applet>> = {
  connect,
  'crd-conversion-webhook': conversionWebhook,
  'dns-server-list': ({ out }, { container: { files }, user }) => {
    const config = new TextDecoder().decode(files.read('/etc/resolv.conf', user));
    out(`${[...config.matchAll(/^nameserver (\S+)/gm)].map(([, server]) => server).join(',')}\n`);
    return 0;
  },
  'dns-suffix': ({ out }, { container: { files }, user }) => {
    const config = new TextDecoder().decode(files.read('/etc/resolv.conf', user));
    out(`${(/^search (.*)$/m.exec(config)?.[1] ?? '').split(/\s+/).join(',')}\n`);
    return 0;
  },
  'entrypoint-tester': ({ out }, { argv }) => {
    out(`[${argv.join(' ')}]\n`);
    return 0;
  },
  'etc-hosts': ({ out }, { container: { files }, user }) => {
    out(`${new TextDecoder().decode(files.read('/etc/hosts', user))}\n`);
    return 0;
  },
  'grpc-health-checking': grpcHealthChecking,
  guestbook,
  liveness,
  'logs-generator': logsGenerator,
  mounttest,
  netexec,
  nettest,
  pause,
  'port-forward-tester': portForwardTester,
  porter,
  'serve-hostname': serveHostname,
  'test-service-account-issuer-discovery': issuerDiscovery,
  'test-webserver': testWebserver,
  webhook,
};

export const agnhost: Applet = (invocation, process) => {
  const [name = 'help', ...args] = invocation.args;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (subcommand) return subcommand({ ...invocation, args }, process);
  if (name === 'help' || name === '--help') {
    invocation.out('Usage:\n  app [command]\n');
    return 0;
  }
  // Servers that are not emulated run without an effect.
  return knownServers.has(name) ? serveForever(process) : unknownCommand(name, invocation.err);
};

const knownServers: ReadonlySet<string> = new Set([
  'audit-proxy',
  'fake-gitserver',
  'inclusterclient',
  'net',
  'no-snat-test',
  'no-snat-test-proxy',
  'openidmetadata',
  'resource-consumer-controller',
  'tcp-reset',
]);

function unknownCommand(name: string, err: (text: string) => void): number {
  err(`Error: unknown command ${JSON.stringify(name)} for "app"\n`);
  return 1;
}
