import { type ApiObject, type Cidr, formatTime, type IpAddress, type Product, parseCidr, parseIp } from '../meta/index.ts';
import { tryWrite, writeRequest } from './api-call.ts';
import type { Controller } from './controller.ts';
import { startInformer } from './informer.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

const manager = 'service-cidr-controller';
/** Delay before a ServiceCIDR is released: address allocators must have observed its deletion (upstream deletionGracePeriod). */
const graceMs = 10_000;

interface ServiceCidr extends ApiObject {
  readonly spec?: { readonly cidrs?: readonly string[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

type Condition = Readonly<Record<'type' | 'status' | 'reason' | 'message', string>>;

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
export const serviceCidrProtection: Controller = (parts, signal) => {
  const { api, clock, product } = parts;
  const group = product.rename('/apis/networking.k8s.io/v1');
  const finalizer = product.rename('networking.k8s.io/service-cidr-finalizer');
  let cancel = (): void => {};
  const write = async (method: 'PATCH' | 'APPLY', target: string, body: object): Promise<void> =>
    tryWrite(api, writeRequest(method, `${group}/servicecidrs/${target}`, body, signal));
  const setCondition = async (cidr: ServiceCidr, wanted: Condition): Promise<void> => {
    const current = cidr.status?.conditions?.find(({ type }) => type === wanted.type);
    if (current && current.status === wanted.status && current.reason === wanted.reason && current.message === wanted.message) return;
    const { name = '' } = cidr.metadata;
    const status = { conditions: [{ ...wanted, lastTransitionTime: formatTime(clock.nowMs()) }] };
    const body = { apiVersion: product.rename('networking.k8s.io/v1'), kind: 'ServiceCIDR', metadata: { name }, status };
    await write('APPLY', `${name}/status?fieldManager=${manager}&force=true`, body);
  };
  const syncServiceCidr = async (cidr: ServiceCidr): Promise<void> => {
    const { name = '', finalizers = [], deletionTimestamp } = cidr.metadata;
    if (deletionTimestamp === undefined) {
      if (!finalizers.includes(finalizer)) await write('PATCH', name, { metadata: { finalizers: [finalizer] } });
      return setCondition(cidr, ready);
    }
    const all = [...cidrs.objects.values()] as ServiceCidr[];
    if (!isReleasable(cidr, all, addresses.objects.values(), product)) return setCondition(cidr, terminating);
    const waitMs = Date.parse(deletionTimestamp) + graceMs - clock.nowMs();
    if (waitMs > 0) cancel = clock.schedule(waitMs, () => protect());
    else if (finalizers.includes(finalizer))
      await write('PATCH', name, { metadata: { '$deleteFromPrimitiveList/finalizers': [finalizer] } });
  };
  const protect = createSingleWorkerQueue('service CIDR protection', { ...parts, signal }, async () => {
    cancel();
    if (!cidrs.hasSynced || !addresses.hasSynced) return;
    for (const cidr of cidrs.objects.values()) await syncServiceCidr(cidr as ServiceCidr);
  });
  const cidrs = startInformer(parts, { path: `${group}/servicecidrs`, fieldSelector: '' }, () => protect(), signal);
  const addresses = startInformer(parts, { path: `${group}/ipaddresses`, fieldSelector: '' }, () => protect(), signal);
  signal.addEventListener('abort', () => cancel(), { once: true });
};

/** Whether a range can be deleted: another range covers it, or each of its used addresses is in another range. */
export function isReleasable(
  cidr: ServiceCidr,
  all: readonly ServiceCidr[],
  addresses: Iterable<ApiObject>,
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

function rangesOf({ spec }: ServiceCidr): readonly Cidr[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseCidr(text) ?? []);
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
