import { type Cidr, formatTime, type IpAddress, type Product, parseCidr, parseIp } from '../../meta/index.ts';
import { type metav1, type networkingv1, networkingv1IPAddresses, networkingv1ServiceCIDRs } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';

const name = 'service-cidr-controller';
/** Delay before a ServiceCIDR is released: address allocators must have observed its deletion (upstream deletionGracePeriod). */
const graceMs = 10_000;

type Condition = Omit<metav1.Condition, 'lastTransitionTime'>;

const ready: Condition = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const terminating: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

/**
 * Protects a ServiceCIDR with a finalizer until none of its addresses is in use, and sets its Ready condition.
 * Cf. pkg/controller/servicecidrs.
 */
export const serviceCidrProtection: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const writer = client.resource(networkingv1ServiceCIDRs);
  const finalizer = product.rename('networking.k8s.io/service-cidr-finalizer');
  const cidrs = informers.informer(networkingv1ServiceCIDRs);
  const addresses = informers.informer(networkingv1IPAddresses);
  const setCondition = async ({ metadata, status }: networkingv1.ServiceCIDR, wanted: Condition): Promise<void> => {
    const current = status.conditions?.find(({ type }) => type === wanted.type);
    if (current && current.status === wanted.status && current.reason === wanted.reason && current.message === wanted.message) return;
    const conditions = [{ ...wanted, lastTransitionTime: formatTime(clock.nowMs()) }];
    const configuration = { metadata: { name: metadata.name ?? '' }, status: { conditions } };
    await ignoreStaleWrite(writer.apply(configuration, { subresource: 'status', fieldManager: name }));
  };
  const reconcile = async (key: string): Promise<void> => {
    const cidr = cidrs.store.get(key);
    if (!cidr) return;
    const { finalizers = [], deletionTimestamp } = cidr.metadata;
    const patchFinalizers = (metadata: object): Promise<void> => ignoreStaleWrite(writer.patch({ name: key }, 'strategic', { metadata }));
    if (deletionTimestamp === undefined) {
      if (!finalizers.includes(finalizer)) await patchFinalizers({ finalizers: [finalizer] });
      return setCondition(cidr, ready);
    }
    if (!isReleasable(cidr, cidrs.store.list(), addresses.store.list(), product)) return setCondition(cidr, terminating);
    const waitMs = Date.parse(deletionTimestamp) + graceMs - clock.nowMs();
    if (waitMs > 0) queue.addAfter(key, waitMs);
    else if (finalizers.includes(finalizer)) await patchFinalizers({ '$deleteFromPrimitiveList/finalizers': [finalizer] });
  };
  const queue = startWorkers({ name, informers: [cidrs, addresses], reconcile }, context);
  // A range may cover another one, so each change may release any of them.
  const enqueueAll = (): void => {
    for (const key of cidrs.store.keys()) queue.add(key);
  };
  for (const informer of [cidrs, addresses]) informer.addHandler({ onAdd: enqueueAll, onUpdate: enqueueAll, onDelete: enqueueAll });
};

type Cidrs = Pick<networkingv1.ServiceCIDR, 'metadata' | 'spec'>;

/** Whether a range can be deleted: another range covers it, or each of its used addresses is in another range. */
export function isReleasable(
  cidr: Cidrs,
  all: readonly Cidrs[],
  addresses: Iterable<Pick<networkingv1.IPAddress, 'metadata'>>,
  product: Pick<Product, 'rename'>,
): boolean {
  const others = all.filter(({ metadata }) => metadata.name !== cidr.metadata.name).flatMap(rangesOf);
  const own = rangesOf(cidr);
  if (own.every((range) => others.some((other) => containsRange(other, range)))) return true;
  const managedBy = product.rename('ipaddress.kubernetes.io/managed-by');
  for (const { metadata } of addresses) {
    if (metadata.labels?.[managedBy] !== product.rename('ipallocator.k8s.io')) continue;
    const address = parseIp(metadata.name ?? '');
    if (address && own.some((range) => allocates(range, address)) && !others.some((range) => allocates(range, address))) return false;
  }
  return true;
}

function rangesOf({ spec }: Pick<networkingv1.ServiceCIDR, 'spec'>): readonly Cidr[] {
  return (spec.cidrs ?? []).flatMap((text) => parseCidr(text) ?? []);
}

function containsRange(outer: Cidr, inner: Cidr): boolean {
  return outer.prefixLength <= inner.prefixLength && contains(outer, inner.address);
}

function contains({ address, prefixLength }: Cidr, { bytes }: IpAddress): boolean {
  const host = BigInt(address.bytes.length * 8 - prefixLength);
  return address.bytes.length === bytes.length && numberOf(address.bytes) >> host === numberOf(bytes) >> host;
}

/** Whether a range allocates an address: never its first one, nor the last one of IPv4. */
function allocates(range: Cidr, address: IpAddress): boolean {
  if (!contains(range, address)) return false;
  const last = (1n << BigInt(address.bytes.length * 8 - range.prefixLength)) - 1n;
  const at = numberOf(address.bytes) & last;
  return at !== 0n && !(address.bytes.length === 4 && at === last);
}

function numberOf(bytes: readonly number[]): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
