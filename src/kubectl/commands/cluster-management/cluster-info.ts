import { sortMembers } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { bool, duration, list, text } from '../../parse/flags.ts';
import { indentedJson } from '../../printers/json.ts';
import type { Call, Command } from '../../program/command.ts';
import { outputFlags } from '../../program/global-flags.ts';
import { itemsOf, metadataOf, nameOf, textsOf } from '../../resources/info.ts';
import { printYaml } from '../../yaml/printer.ts';

async function runInfo(call: Call): Promise<number> {
  const client = await call.api();
  const namespace = call.flags.text('namespace') || call.product.names.systemNamespace;
  const line = (name: string, url: string): string => `${name} is running at ${url}\n`;
  try {
    const services = await client.read('GET', `/api/v1/namespaces/${namespace}/services`, {
      query: { labelSelector: 'kubernetes.io/cluster-service=true' },
    });
    call.out(line('Kubernetes control plane', client.server));
    for (const service of itemsOf(services)) {
      const name = textsOf(metadataOf(service)['labels'])['kubernetes.io/name'] ?? nameOf(service);
      call.out(line(name, linkTo(service, client.server)));
    }
  } finally {
    call.out("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n");
  }
  return 0;
}

/** The address of a load balancer with each port, or of the proxy to the first port. */
function linkTo({ metadata, spec, status }: Decoded<corev1.Service>, server: string): string {
  const { ip, hostname } = status?.loadBalancer?.ingress?.[0] ?? {};
  const ports = spec?.ports ?? [];
  if (ip !== undefined || hostname !== undefined) return ports.map(({ port }) => `http://${ip ?? hostname}:${port} `).join('');
  const { name: portName = '', port } = ports[0] ?? {};
  const scheme = portName === 'https' || port === 443 ? 'https' : '';
  const name = metadata?.name ?? '';
  const target = scheme !== '' ? `${scheme}:${name}:${portName}` : portName !== '' ? `${name}:${portName}` : name;
  return `${server}/api/v1/namespaces/${metadata?.namespace ?? ''}/services/${target}/proxy`;
}

const dumpedResources = ['events', 'replicationcontrollers', 'services', 'apps/daemonsets', 'apps/deployments', 'apps/replicasets', 'pods'];

const dump: Command = {
  flags: {
    ...outputFlags,
    'all-namespaces': bool(false, 'A'),
    namespaces: list(),
    output: text('json', 'o'),
    'output-directory': text(),
    'pod-running-timeout': duration('20s'),
  },
  async run(call) {
    const client = await call.api();
    const print = (object: unknown): void =>
      call.out(call.flags.text('output') === 'yaml' ? printYaml(object as never) : `${indentedJson(sortMembers(object))}\n`);
    print(await client.read('GET', '/api/v1/nodes'));
    const { name } = await call.namespace();
    const namespaces =
      call.flags.list('namespaces').length > 0 ? call.flags.list('namespaces') : [...new Set([call.product.names.systemNamespace, name])];
    for (const namespace of namespaces) {
      for (const type of dumpedResources) {
        const [resource = '', group] = type.split('/').reverse();
        print(await client.read('GET', `${group === undefined ? '/api/v1' : `/apis/${group}/v1`}/namespaces/${namespace}/${resource}`));
      }
    }
    return 0;
  },
};

export const clusterInfo: Command = {
  subcommands: { dump: { about: 'Dump relevant information for debugging and diagnosis', load: () => Promise.resolve(dump) } },
  run: runInfo,
};
