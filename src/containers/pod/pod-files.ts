import { trimEnd } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

export interface PodNames {
  readonly hostname: string;
  /** `web.sub.ns.svc.cluster.local`, or the hostname alone. */
  readonly fullHostname: string;
}

/** Cf. pkg/kubelet GeneratePodHostNameAndDomain. */
export function namesOf({ metadata, spec }: corev1.Pod, nodeName: string, clusterDomain: string): PodNames {
  if (spec.hostNetwork) return { hostname: nodeName, fullHostname: nodeName };
  const hostname = trimEnd((spec.hostname || (metadata.name ?? '')).slice(0, 63), '-.');
  const domain = spec.subdomain ? `.${spec.subdomain}.${metadata.namespace}.svc.${clusterDomain}` : '';
  const fullHostname = `${hostname}${domain}`;
  return { hostname: spec.setHostnameAsFQDN ? fullHostname : hostname, fullHostname };
}

/** `/etc/hosts` of the containers of a pod. Cf. pkg/kubelet ensureHostsFile. */
export function hostsFile({ spec }: corev1.Pod, { hostname, fullHostname }: PodNames, podIP: string): string {
  const aliases = (spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  const added = aliases.length === 0 ? '' : `\n# Entries added by HostAliases.\n${aliases.join('')}`;
  if (spec.hostNetwork) return `# Kubernetes-managed hosts file (host network).\n127.0.0.1\tlocalhost\n${added}`;
  const own = fullHostname === hostname ? `${podIP}\t${hostname}\n` : `${podIP}\t${fullHostname}\t${hostname}\n`;
  return `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n${own}${added}`;
}

/** The resolver of a node. */
const nodeResolver = { nameservers: ['172.18.0.1'], searches: [] as readonly string[], options: [] as readonly string[] };

export interface ClusterDns {
  readonly address: string;
  readonly domain: string;
}

/** `/etc/resolv.conf` of the containers of a pod. Cf. pkg/kubelet/network/dns GetPodDNS. */
export function resolverFile({ metadata, spec }: corev1.Pod, { address, domain }: ClusterDns): string {
  const { dnsPolicy = 'ClusterFirst', dnsConfig = {} } = spec;
  const usesCluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !spec.hostNetwork);
  const cluster = {
    nameservers: [address],
    searches: [`${metadata.namespace}.svc.${domain}`, `svc.${domain}`, domain],
    options: ['ndots:5'],
  };
  const base = dnsPolicy === 'None' ? { nameservers: [], searches: [], options: [] } : usesCluster ? cluster : nodeResolver;
  const nameservers = [...new Set([...base.nameservers, ...(dnsConfig.nameservers ?? [])])];
  const searches = [...new Set([...base.searches, ...(dnsConfig.searches ?? [])])];
  const added = (dnsConfig.options ?? []).map(({ name = '', value }) => (value === undefined ? name : `${name}:${value}`));
  const nameOf = (option: string): string => option.split(':')[0] ?? '';
  const options = [...base.options.filter((option) => !added.some((other) => nameOf(other) === nameOf(option))), ...added];
  const lines = [
    ...(searches.length > 0 ? [`search ${searches.join(' ')}`] : []),
    ...nameservers.map((server) => `nameserver ${server}`),
    ...(options.length > 0 ? [`options ${options.join(' ')}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
