import { gateGroups } from './gate-groups.ts';

/** Maturity of a feature, named as in the real server's metric. */
export type GateStage = 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

export interface FeatureGate {
  readonly name: string;
  readonly stage: GateStage;
  readonly enabled: boolean;
}

/** The feature gates of a server (`--feature-gates`). */
export interface FeatureGates {
  /** @throws Error for an unknown name, which is a bug */
  enabled(name: string): boolean;
  /** All gates, sorted by name. */
  all(): readonly FeatureGate[];
  /** Warnings to log at startup, in the real server's words: gates that were set although they will be removed. */
  readonly warnings: readonly string[];
}

/** An invalid feature gate setting, with which the real server does not start; the message is the real server's. */
export class FeatureGateError extends Error {
  override readonly name = 'FeatureGateError';
}

interface KnownGate extends FeatureGate {
  readonly locked: boolean;
}

/** The component name of the server's own gates. */
const kubeComponent = 'kube';
const stageGates: Readonly<Record<string, GateStage>> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' };

/**
 * Parses the gates as on the command line: `A=true,kube:B=false`. Gates that are not named have their default. `AllAlpha` and `AllBeta` set
 * a whole stage, except for the gates named individually. Cf. upstream component-base ComponentGlobalsRegistry.Set and featureGate.Set.
 * @throws FeatureGateError
 */
export function createFeatureGates(setting = ''): FeatureGates {
  const known = knownGates();
  const requested = parseSettings(selectOwnPairs(setting));
  validateSettings(requested, known);
  const settingOf = ({ name, stage, enabled }: KnownGate): boolean => {
    const own = requested.get(name);
    if (own !== undefined) return own;
    const whole = Object.entries(stageGates).find(([all, of]) => of === stage && all !== name && requested.has(all));
    return whole && !(name in stageGates) ? (requested.get(whole[0]) ?? enabled) : enabled;
  };
  const all = [...known.values()].map((gate) => ({ name: gate.name, stage: gate.stage, enabled: settingOf(gate) }));
  all.sort((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(all.map(({ name, enabled }) => [name, enabled]));
  return {
    enabled(name) {
      const value = byName.get(name);
      if (value === undefined) throw new Error(`there is no feature gate ${name}`);
      return value;
    },
    all: () => all,
    warnings: [...requested].flatMap(([name, value]) => removalWarning(known.get(name), value)),
  };
}

/** Cf. component-base featuregate unsafeSetFromMap. */
function removalWarning(gate: KnownGate | undefined, value: boolean): readonly string[] {
  if (gate?.stage !== 'GA' && gate?.stage !== 'DEPRECATED') return [];
  const stage = gate.stage === 'GA' ? 'GA' : 'deprecated';
  return [`Setting ${stage} feature gate ${gate.name}=${value}. It will be removed in a future release.`];
}

function knownGates(): ReadonlyMap<string, KnownGate> {
  const gates = gateGroups.flatMap(({ names, ...rest }) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => ({ name, ...rest })),
  );
  return new Map(gates.map((gate) => [gate.name, gate]));
}

/** Returns the pairs for this server: those of its component, or those without a component. */
function selectOwnPairs(setting: string): readonly string[] {
  const byComponent = new Map<string, string[]>();
  for (const pair of setting.split(',')) {
    if (pair === '') continue;
    const at = pair.indexOf(':');
    const component = at < 0 ? '' : pair.slice(0, at).trim();
    byComponent.set(component, [...(byComponent.get(component) ?? []), pair.slice(at + 1).trim()]);
  }
  if (byComponent.has('') && byComponent.has(kubeComponent)) {
    throw new FeatureGateError('set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use');
  }
  for (const component of byComponent.keys()) {
    if (component !== '' && component !== kubeComponent) throw new FeatureGateError(`component not registered: ${component}`);
  }
  return byComponent.get('') ?? byComponent.get(kubeComponent) ?? [];
}

function parseSettings(pairs: readonly string[]): ReadonlyMap<string, boolean> {
  const requested = new Map<string, boolean>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = (at < 0 ? pair : pair.slice(0, at)).trim();
    if (at < 0) throw new FeatureGateError(`missing bool value for ${name}`);
    const text = pair.slice(at + 1).trim();
    const value = parseBool(text);
    if (value === undefined) {
      const why = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
      throw new FeatureGateError(`invalid value of ${name}=${text}, err: ${why}`);
    }
    requested.set(name, value);
  }
  return requested;
}

/** Reports all errors together, but stops at the first unknown name. */
function validateSettings(requested: ReadonlyMap<string, boolean>, known: ReadonlyMap<string, KnownGate>): void {
  const errors: string[] = [];
  for (const [name, value] of requested) {
    const gate = known.get(name);
    if (!gate) {
      errors.push(`unrecognized feature gate: ${name}`);
      break;
    }
    if (gate.locked && gate.enabled !== value)
      errors.push(`cannot set feature gate ${name} to ${value}, feature is locked to ${gate.enabled}`);
  }
  if (errors.length > 0) throw new FeatureGateError(errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`);
}

/** Go's ParseBool; undefined for an invalid text. */
export function parseBool(text: string): boolean | undefined {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(?:0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}
