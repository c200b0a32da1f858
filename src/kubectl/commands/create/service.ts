import { isPortName, type JsonObject } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { int, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';

const resource = builtInResource('v1', 'services', 'Service');
const tcp = { tcp: list() };

interface Kind {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  spec?(call: Call): JsonObject;
}

async function createService(call: Call, { type, spec = () => ({}) }: Kind): Promise<number> {
  const name = await completeCreation(call);
  const { flags } = call;
  const clusterIP = flags.has('clusterip') ? flags.text('clusterip') : '';
  const ports = flags.list('tcp').map((one) => parsePort(one, type === 'NodePort' ? flags.int('node-port') : 0));
  if (ports.length === 0 && clusterIP !== 'None' && type !== 'ExternalName')
    throw new KubectlError('at least one tcp port specifier must be provided');
  const labels = { app: name };
  const body = { ...(ports.length > 0 ? { ports } : {}), selector: labels, type, ...spec(call) };
  const object = buildObject(resource, { name, labels }, { spec: body, status: { loadBalancer: {} } });
  return createAndPrint(call, { resource, object, failure: `failed to create ${type} service: ` });
}

/** `80`, `80:8080`, `80:http`; the name is the same text. @throws KubectlError */
function parsePort(typed: string, nodePort: number): JsonObject {
  const [first = '', second] = typed.split(':');
  const port = parsePortNumber(first);
  const targetPort = second === undefined ? port : parseTargetPort(second);
  return { name: typed.replaceAll(':', '-'), protocol: 'TCP', port, targetPort, ...(nodePort === 0 ? {} : { nodePort }) };
}

/** @throws KubectlError */
function parseTargetPort(text: string): number | string {
  const problems = /^[-+]?\d+$/.test(text) ? [] : isPortName(text);
  if (problems.length > 0) throw new KubectlError(problems.join(','));
  const port = Number(text);
  if (port < 1 || port > 65535) throw new KubectlError('must be between 1 and 65535, inclusive');
  return port || text;
}

function parsePortNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new KubectlError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  if (Number(text) > 65535) throw new KubectlError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}

const clusterIp: Command = {
  flags: { ...generatorFlags, ...tcp, clusterip: text() },
  run: (call) => {
    const ip = call.flags.text('clusterip');
    return createService(call, { type: 'ClusterIP', spec: () => (ip === '' ? {} : { clusterIP: ip }) });
  },
};

const nodePort: Command = {
  flags: { ...generatorFlags, ...tcp, 'node-port': int(0) },
  run: (call) => createService(call, { type: 'NodePort' }),
};

const loadBalancer: Command = { flags: { ...generatorFlags, ...tcp }, run: (call) => createService(call, { type: 'LoadBalancer' }) };

const externalName: Command = {
  flags: { ...generatorFlags, ...tcp, 'external-name': text() },
  required: ['external-name'],
  run: (call) => createService(call, { type: 'ExternalName', spec: () => ({ externalName: call.flags.text('external-name') }) }),
};

export const service: Command = {
  subcommands: {
    clusterip: { about: 'Create a ClusterIP service', load: () => Promise.resolve(clusterIp) },
    externalname: { about: 'Create an ExternalName service', load: () => Promise.resolve(externalName) },
    loadbalancer: { about: 'Create a LoadBalancer service', load: () => Promise.resolve(loadBalancer) },
    nodeport: { about: 'Create a NodePort service', load: () => Promise.resolve(nodePort) },
  },
};
