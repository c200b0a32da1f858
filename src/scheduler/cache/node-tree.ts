import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** The names of nodes by zone, in the order in which they were added. Cf. pkg/scheduler/backend/cache nodeTree. */
export class NodeTree {
  readonly #product: Pick<Product, 'rename'>;
  readonly #zones = new Map<string, Set<string>>();
  readonly #zoneOf = new Map<string, string>();

  constructor(product: Pick<Product, 'rename'>) {
    this.#product = product;
  }

  /** Adds a node, or moves it to its zone; returns whether the order changed. */
  set({ metadata: { name = '', labels = {} } }: corev1.Node): boolean {
    const zone = this.#zoneFrom(labels);
    if (this.#zoneOf.get(name) === zone) return false;
    this.delete(name);
    this.#zoneOf.set(name, zone);
    this.#zones.set(zone, (this.#zones.get(zone) ?? new Set()).add(name));
    return true;
  }

  delete(name: string): void {
    const zone = this.#zoneOf.get(name) ?? '';
    this.#zoneOf.delete(name);
    const names = this.#zones.get(zone);
    names?.delete(name);
    if (names?.size === 0) this.#zones.delete(zone);
  }

  /** One node of each zone in turn. */
  names(): readonly string[] {
    const zones = [...this.#zones.values()].map((names) => [...names]);
    const longest = Math.max(0, ...zones.map(({ length }) => length));
    const names: string[] = [];
    for (let index = 0; index < longest; index++) for (const zone of zones) names.push(...zone.slice(index, index + 1));
    return names;
  }

  /** Cf. component-helpers/node/topology GetZoneKey. */
  #zoneFrom(labels: Readonly<Record<string, string>>): string {
    const label = (suffix: string, old: string): string =>
      labels[this.#product.rename(`topology.kubernetes.io/${suffix}`)] ?? labels[this.#product.rename(old)] ?? '';
    const zone = label('zone', 'failure-domain.beta.kubernetes.io/zone');
    const region = label('region', 'failure-domain.beta.kubernetes.io/region');
    return zone === '' && region === '' ? '' : `${region}:\0:${zone}`;
  }
}
