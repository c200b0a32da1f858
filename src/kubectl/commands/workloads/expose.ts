import { type Json, type JsonObject, recordAt } from '../../../meta/index.ts';
import type { corev1, metav1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { builtInResource, formatGroupKind } from '../../api/discovery.ts';
import { bool, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { createObject } from '../../resources/changes.ts';
import { type Info, metadataOf, setMetadata, textsOf } from '../../resources/info.ts';
import { setTypedLastApplied } from '../../resources/last-applied.ts';
import { applyOverrides, overrideFlags } from '../../resources/overrides.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { buildObject } from '../create/create-object.ts';

const services = builtInResource('v1', 'services', 'Service');

export const expose: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...recordFlag,
    ...managerFlag('kubectl-expose'),
    'cluster-ip': text(),
    'external-ip': text(),
    labels: text('', 'l'),
    'load-balancer-ip': text(),
    name: text(),
    ...overrideFlags,
    port: text(),
    protocol: text(),
    'save-config': bool(),
    selector: text(),
    'session-affinity': text(),
    'target-port': text(),
    type: text(),
  },
  run: runExpose,
};

/** The selector of the object's pods. Cf. kubectl mapBasedSelectorForObject. @throws KubectlError */
function selectorOf({ resource, object }: Info): Json | undefined {
  const fail = (why: string): never => {
    throw new KubectlError(`couldn't retrieve selectors via --selector flag or introspection: ${why}`);
  };
  const { selector } = recordAt(object, 'spec');
  if (resource.name === 'pods') {
    const { labels } = metadataOf(object);
    return Object.keys(textsOf(labels)).length > 0 ? labels : fail('the pod has no labels and cannot be exposed');
  }
  if (resource.name === 'services') return selector ?? fail('the service has no pod selector set');
  if (resource.group === '') return selector;
  const { matchLabels, matchExpressions = [] }: Decoded<metav1.LabelSelector> = recordAt(recordAt(object, 'spec'), 'selector');
  if (Object.keys(textsOf(matchLabels)).length === 0)
    fail(`invalid ${resource.kind.toLowerCase()}: no selectors, therefore cannot be exposed`);
  if (matchExpressions.length === 0) return matchLabels;
  const shown = matchExpressions.map(({ key, operator, values = [] }) => `{Key:${key} Operator:${operator} Values:[${values.join(' ')}]}`);
  return fail(`couldn't convert expressions - "[${shown.join(' ')}]" to map-based selector format`);
}

const exposable: readonly string[] = ['Deployment.apps', 'Pod', 'ReplicaSet.apps', 'ReplicationController', 'Service'];

async function runExpose(call: Call): Promise<number> {
  const { flags, out } = call;
  const dryRun = parseDryRun(call);
  const print = await createPrinter(call, { operation: withDryRun('exposed', dryRun), typed: true });
  await call.cluster();
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, selector: '', typed: true }));
  await builder.visit(async (info) => {
    const kind = formatGroupKind(info.resource);
    if (!exposable.includes(kind)) throw new KubectlError(`cannot expose a ${kind}`);
    let service = withChangeCause(call, await applyOverrides(call, services, buildService(call, info)));
    if (dryRun === 'client') {
      const { name, explicit } = await call.namespace();
      return out(print(explicit ? setMetadata(service, { namespace: name }) : service));
    }
    if (flags.bool('save-config')) service = await setTypedLastApplied(call, service);
    const { name: namespace } = await call.namespace();
    const options = { manager: flags.text('field-manager'), dryRun };
    out(print(await createObject(call, { resource: services, namespace }, setMetadata(service, { namespace }), options)));
  });
  return 0;
}

function buildService(call: Call, info: Info): JsonObject {
  const { flags } = call;
  const selector = flags.text('selector') === '' ? selectorOf(info) : flags.text('selector');
  const ports = buildPorts(call, info);
  if (selector === '' || (typeof selector !== 'string' && Object.keys(textsOf(selector)).length === 0))
    throw new KubectlError('selector must be specified');
  const pairs = typeof selector === 'string' ? readPairs(selector) : (selector ?? {});
  const labels = flags.text('labels') === '' ? metadataOf(info.object)['labels'] : readPairs(flags.text('labels'));
  const option = (member: string, flag: string): JsonObject => (flags.text(flag) === '' ? {} : { [member]: flags.text(flag) });
  const affinity = flags.text('session-affinity');
  if (!['', 'None', 'ClientIP'].includes(affinity)) throw new KubectlError(`unknown session affinity: ${affinity}`);
  const spec = {
    ...(ports.length > 0 ? { ports } : {}),
    selector: pairs,
    ...option('clusterIP', 'cluster-ip'),
    ...option('type', 'type'),
    ...(flags.text('external-ip') === '' ? {} : { externalIPs: [flags.text('external-ip')] }),
    ...option('sessionAffinity', 'session-affinity'),
    ...(flags.text('type') === 'LoadBalancer' ? option('loadBalancerIP', 'load-balancer-ip') : {}),
  };
  const name = flags.text('name') || info.name.slice(0, 63);
  const metadata = { name, ...(labels === undefined ? {} : { labels }) };
  return buildObject(services, metadata, { spec, status: { loadBalancer: {} } });
}

/** @throws KubectlError */
function readPairs(text: string): JsonObject {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', value, more] = pair.split('=');
      if (value === undefined || more !== undefined) throw new KubectlError(`unexpected label spec: ${pair}`);
      if (key === '') throw new KubectlError('unexpected empty label key');
      return [key, value] as const;
    }),
  );
}

/** From --port, or the containers' declared ports. @throws KubectlError */
function buildPorts({ flags }: Call, info: Info): readonly JsonObject[] {
  const declared = declaredPorts(info);
  const typed = flags.text('port') === '' ? [...new Set(declared.map(({ port }) => port))] : flags.text('port').split(',').map(readPort);
  if (typed.length === 0 && flags.text('cluster-ip') !== 'None')
    throw new KubectlError("couldn't find port via --port flag or introspection");
  const target = flags.text('target-port');
  return typed.flatMap((port, index) => {
    const known = declared.filter((one) => one.port === port).map(({ protocol }) => protocol);
    const protocols = flags.text('protocol') !== '' ? [flags.text('protocol')] : known.length > 0 ? [...new Set(known)] : ['TCP'];
    const targetPort = target === '' ? port : /^\d+$/.test(target) ? Number(target) : target;
    const name = (protocol: string): JsonObject => {
      if (protocols.length > 1) return { name: `port-${index + 1}-${protocol.toLowerCase()}` };
      return typed.length > 1 ? { name: `port-${index + 1}` } : {};
    };
    return protocols.map((protocol) => ({ ...name(protocol), protocol, port, targetPort }));
  });
}

function readPort(text: string): number {
  if (!/^-?\d+$/.test(text.trim())) throw new KubectlError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function declaredPorts({ resource, object }: Info): readonly { readonly port: number; readonly protocol: string }[] {
  if (resource.name === 'services') {
    const { spec }: Decoded<corev1.Service> = object ?? {};
    return spec?.ports?.map(({ port = 0, protocol = 'TCP' }) => ({ port, protocol })) ?? [];
  }
  const { spec }: Decoded<corev1.PodTemplateSpec> =
    resource.name === 'pods' ? (object ?? {}) : recordAt(recordAt(object, 'spec'), 'template');
  const ports = spec?.containers?.flatMap((container) => container.ports ?? []) ?? [];
  return ports.map(({ containerPort: port = 0, protocol = 'TCP' }) => ({ port, protocol }));
}
