import { sortMembers } from '../../../meta/index.ts';
import { bool, duration, list, text } from '../../parse/flags.ts';
import { indentedJson } from '../../printers/json.ts';
import type { Call, Command } from '../../program/command.ts';
import { outputFlags } from '../../program/global-flags.ts';
import { itemsOf, metadataOf, nameOf, textsOf } from '../../resources/info.ts';
import { printYaml } from '../../yaml/printer.ts';

async function runInfo(call: Call): Promise<number> {
  const client = await call.api();
  const namespace = call.product.names.systemNamespace;
  const services = await client.read('GET', `/api/v1/namespaces/${namespace}/services`, {
    query: { labelSelector: 'kubernetes.io/cluster-service=true' },
  });
  const line = (name: string, url: string): string => `${name} is running at ${url}\n`;
  call.out(line('Kubernetes control plane', client.server));
  for (const service of itemsOf(services)) {
    const labels = textsOf(metadataOf(service)['labels']);
    call.out(
      line(
        labels['kubernetes.io/name'] ?? nameOf(service),
        `${client.server}/api/v1/namespaces/${namespace}/services/${nameOf(service)}/proxy`,
      ),
    );
  }
  call.out("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n");
  return 0;
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
