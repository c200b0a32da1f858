import { formatLabelSelector } from '../../meta/index.ts';
import type { discoveryv1, networkingv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { age, type Column, type KindColumns, name, text, truncateList } from './column.ts';
import { ingressAddresses } from './core-columns.ts';

/** Columns of networking and discovery. */
export const networkColumns: KindColumns = {
  EndpointSlice: [
    name,
    text('AddressType', ({ addressType }) => addressType),
    text('Ports', ({ ports }) => truncateList((ports ?? []).map(slicePort), 3) || '<unset>'),
    text('Endpoints', sliceEndpoints),
    age,
  ],
  // Upstream defines two columns and returns three cells.
  IPAddress: [name, text('ParentRef', parentRef)],
  Ingress: [
    name,
    text('Class', ({ spec }) => spec?.ingressClassName || '<none>'),
    text('Hosts', ingressHosts),
    text('Address', ({ status }) => ingressAddresses(status?.loadBalancer).join()),
    text('Ports', ({ spec }) => (spec?.tls?.length ? '80, 443' : '80')),
    age,
  ],
  IngressClass: [name, text('Controller', ({ spec }) => spec?.controller), text('Parameters', classParameters), age],
  NetworkPolicy: [name, text('Pod-Selector', ({ spec }) => formatLabelSelector(spec?.podSelector, '<none>')), age],
  ServiceCIDR: [name, text('CIDRs', ({ spec }) => spec?.cidrs?.join()), age],
};

/** Columns without a definition. */
export const extraColumns: Readonly<Record<string, readonly Column[]>> = { IPAddress: [age] };

function slicePort({ port, name }: Decoded<discoveryv1.EndpointPort>): string {
  return String(port ?? name ?? '*');
}

function sliceEndpoints({ endpoints }: Decoded<discoveryv1.EndpointSlice>): string {
  const all = (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []);
  return truncateList(all, 3) || '<unset>';
}

function parentRef({ spec }: Decoded<networkingv1.IPAddress>): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const { group = '', resource = '', namespace = '', name = '' } = parent;
  const groupResource = group === '' ? resource : `${resource}.${group}`;
  return `${groupResource.toLowerCase()}${namespace === '' ? '' : `/${namespace}`}/${name}`;
}

/** The first three hosts; further rules are counted, with or without a host. */
function ingressHosts({ spec }: Decoded<networkingv1.Ingress>): string {
  const hosts: string[] = [];
  const rules = spec?.rules ?? [];
  for (const { host } of rules) {
    if (hosts.length === 3) return `${hosts.join()} + ${rules.length - 3} more...`;
    if (host) hosts.push(host);
  }
  return hosts.join() || '*';
}

function classParameters({ spec }: Decoded<networkingv1.IngressClass>): string {
  const parameters = spec?.parameters;
  if (!parameters) return '<none>';
  const { apiGroup, kind = '', name = '' } = parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}
