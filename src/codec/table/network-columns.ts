import { age, type CellOf, type Column, field, joinField, name, text, truncateList } from './column.ts';
import { ingressAddresses } from './core-columns.ts';
import { isSet, listAt, textAt, valueAt } from './read.ts';
import { selectorText } from './selector-text.ts';

/** Columns of networking and discovery. */
export const networkColumns: Readonly<Record<string, readonly Column[]>> = {
  EndpointSlice: [
    name,
    text('AddressType', field('addressType')),
    text('Ports', (slice) => truncateList(listAt(slice, 'ports').map(slicePort), 3) || '<unset>'),
    text('Endpoints', (slice) => truncateList(listAt(slice, 'endpoints').flatMap(sliceAddresses), 3) || '<unset>'),
    age,
  ],
  // Upstream defines two columns and returns three cells.
  IPAddress: [name, text('ParentRef', parentRef)],
  Ingress: [
    name,
    text('Class', field('spec.ingressClassName', '<none>')),
    text('Hosts', ingressHosts),
    text('Address', (ingress) => ingressAddresses(ingress).join(',')),
    text('Ports', (ingress) => (listAt(ingress, 'spec.tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
  IngressClass: [name, text('Controller', field('spec.controller')), text('Parameters', classParameters), age],
  NetworkPolicy: [name, text('Pod-Selector', (policy) => selectorText(policy, 'spec.podSelector')), age],
  ServiceCIDR: [name, text('CIDRs', joinField('spec.cidrs')), age],
};

/** Cells without a column. */
export const extraCells: Readonly<Record<string, readonly CellOf[]>> = { IPAddress: [age.cell] };

function slicePort(port: unknown): string {
  return textAt(port, 'port') || (isSet(valueAt(port, 'name')) ? textAt(port, 'name') : '*');
}

function sliceAddresses(endpoint: unknown): readonly string[] {
  return listAt(endpoint, 'addresses').map(String);
}

function parentRef(address: unknown): string {
  const parent = valueAt(address, 'spec.parentRef');
  if (!isSet(parent)) return '<none>';
  const group = textAt(parent, 'group');
  const resource = textAt(parent, 'resource') + (group === '' ? '' : `.${group}`);
  const namespace = textAt(parent, 'namespace');
  return `${resource.toLowerCase()}${namespace === '' ? '' : `/${namespace}`}/${textAt(parent, 'name')}`;
}

/** The first three hosts; further rules are counted, with or without a host. */
function ingressHosts(ingress: unknown): string {
  const hosts: string[] = [];
  const rules = listAt(ingress, 'spec.rules').map((rule) => textAt(rule, 'host'));
  for (const host of rules) {
    if (hosts.length === 3) return `${hosts.join(',')} + ${rules.length - 3} more...`;
    if (host !== '') hosts.push(host);
  }
  return hosts.join(',') || '*';
}

function classParameters(ingressClass: unknown): string {
  const parameters = valueAt(ingressClass, 'spec.parameters');
  if (!isSet(parameters)) return '<none>';
  const group = valueAt(parameters, 'apiGroup');
  return `${textAt(parameters, 'kind')}${isSet(group) ? `.${group}` : ''}/${textAt(parameters, 'name')}`;
}
