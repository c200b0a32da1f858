import type { resourcev1 } from '../../schema/api/index.ts';
import type { ClassRequest } from './device-requests.ts';

/** A device that may be allocated. */
export interface Candidate {
  /** `driver/pool/device`. */
  readonly id: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: resourcev1.Device;
  readonly slice: resourcev1.ResourceSlice;
}

/** A device that is allocated for a request. */
export interface Choice {
  readonly request: ClassRequest;
  readonly candidate: Candidate;
}

/** Whether a device may join those that are chosen for a claim. Cf. matchAttributeConstraint and distinctAttributeConstraint. */
export function satisfiesConstraint(
  { requests = [], matchAttribute, distinctAttribute }: resourcev1.DeviceConstraint,
  choices: readonly Choice[],
  added: Choice,
): boolean {
  const applies = ({ request: { name, parent } }: Choice): boolean =>
    requests.length === 0 || requests.includes(name) || requests.includes(parent);
  if (!applies(added)) return true;
  const attribute = matchAttribute ?? distinctAttribute ?? '';
  const value = attributeText(added.candidate, attribute);
  if (value === undefined) return false;
  const others = choices.filter(applies).map(({ candidate }) => attributeText(candidate, attribute));
  return matchAttribute === undefined ? !others.includes(value) : others.every((other) => other === value);
}

/** The value with its type; an attribute without a domain has that of the driver. Cf. lookupAttribute. */
function attributeText({ driver, device: { attributes = {} } }: Candidate, name: string): string | undefined {
  const slash = name.indexOf('/');
  const own = slash >= 0 && name.slice(0, slash) === driver ? attributes[name.slice(slash + 1)] : undefined;
  const value = attributes[name] ?? own;
  return value && JSON.stringify(value);
}
