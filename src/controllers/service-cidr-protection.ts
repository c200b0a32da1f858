import { type ApiObject, type Cidr, formatTime, type IpAddress, type Product, parseCidr, parseIp } from '../meta/index.ts';
import { attempted, requestOf } from './api-call.ts';
import type { Controller } from './controller.ts';
import { follow } from './followed.ts';
import { oneAtATime } from './one-at-a-time.ts';

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
    attempted(api, requestOf(method, `${group}/servicecidrs/${target}`, body, signal));
  const tell = async (cidr: ServiceCidr, wanted: Condition): Promise<void> => {
    const told = cidr.status?.conditions?.find(({ type }) => type === wanted.type);
    if (told && told.status === wanted.status && told.reason === wanted.reason && told.message === wanted.message) return;
    const { name = '' } = cidr.metadata;
    const status = { conditions: [{ ...wanted, lastTransitionTime: formatTime(clock.nowMs()) }] };
    const body = { apiVersion: product.rename('networking.k8s.io/v1'), kind: 'ServiceCIDR', metadata: { name }, status };
    await write('APPLY', `${name}/status?fieldManager=${manager}&force=true`, body);
  };
  const settle = async (cidr: ServiceCidr): Promise<void> => {
    const { name = '', finalizers = [], deletionTimestamp } = cidr.metadata;
    if (deletionTimestamp === undefined) {
      if (!finalizers.includes(finalizer)) await write('PATCH', name, { metadata: { finalizers: [finalizer] } });
      return tell(cidr, ready);
    }
    const all = [...cidrs.objects.values()] as ServiceCidr[];
    if (!isFree(cidr, all, addresses.objects.values(), product)) return tell(cidr, terminating);
    const waitMs = Date.parse(deletionTimestamp) + graceMs - clock.nowMs();
    if (waitMs > 0) cancel = clock.schedule(waitMs, () => protect());
    else if (finalizers.includes(finalizer))
      await write('PATCH', name, { metadata: { '$deleteFromPrimitiveList/finalizers': [finalizer] } });
  };
  const protect = oneAtATime('service CIDR protection', { ...parts, signal }, async () => {
    cancel();
    if (!cidrs.isListed || !addresses.isListed) return;
    for (const cidr of cidrs.objects.values()) await settle(cidr as ServiceCidr);
  });
  const cidrs = follow(parts, { path: `${group}/servicecidrs`, fieldSelector: '' }, () => protect(), signal);
  const addresses = follow(parts, { path: `${group}/ipaddresses`, fieldSelector: '' }, () => protect(), signal);
  signal.addEventListener('abort', () => cancel(), { once: true });
};

/** Whether a range can be deleted: another range covers it, or each of its used addresses is in another range. */
export function isFree(
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
    if (address && own.some((range) => gives(range, address)) && !others.some((range) => gives(range, address))) return false;
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
function gives(range: Cidr, address: IpAddress): boolean {
  if (!contains(range, address)) return false;
  const last = (1n << BigInt(address.bytes.length * 8 - range.prefixLength)) - 1n;
  const at = numberOf(address.bytes) & last;
  return at !== 0n && !(address.bytes.length === 4 && at === last);
}

function numberOf(bytes: readonly number[]): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
