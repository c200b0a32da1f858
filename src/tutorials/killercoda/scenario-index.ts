import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';

/** The used part of a scenario's `index.json`. Paths are relative to its folder. */
export interface ScenarioIndex {
  readonly title: string;
  readonly description: string;
  readonly intro: ScenarioPage;
  readonly steps: readonly ScenarioPage[];
  readonly finish: ScenarioPage;
  readonly assets: readonly ScenarioAsset[];
  /** The environment: `kubernetes-kubeadm-1node`, `ubuntu`. */
  readonly image: string;
}

/** A step, or the page before or after the steps. Undefined: it has no such file. */
export interface ScenarioPage {
  readonly title: string;
  readonly text: string | undefined;
  /** A script that exits with 0 when the step is done. */
  readonly verify: string | undefined;
  /** Scripts that run when the page is opened. */
  readonly background: string | undefined;
  readonly foreground: string | undefined;
}

/** A file that is copied to a machine before the scenario starts. */
export interface ScenarioAsset {
  readonly file: string;
  /** The folder on the machine. */
  readonly target: string;
}

/** @throws SyntaxError for invalid JSON, Error when it is no scenario */
export function parseScenarioIndex(json: string): ScenarioIndex {
  const value: Json = JSON.parse(json);
  const details = isJsonObject(value) ? recordAt(value, 'details') : {};
  if (!isJsonObject(value) || objectsAt(details, 'steps').length === 0) throw new Error('index.json has no details.steps');
  const machines = Object.values(recordAt(details, 'assets')).flatMap((files) => objectsAt({ files }, 'files'));
  return {
    title: textAt(value, 'title') ?? 'Untitled',
    description: textAt(value, 'description') ?? '',
    intro: toPage(recordAt(details, 'intro')),
    steps: objectsAt(details, 'steps').map(toPage),
    finish: toPage(recordAt(details, 'finish')),
    assets: machines.flatMap((one) => {
      const file = textAt(one, 'file');
      return file === undefined ? [] : [{ file, target: textAt(one, 'target') ?? '' }];
    }),
    image: textAt(recordAt(value, 'backend'), 'imageid') ?? '',
  };
}

function toPage(value: JsonObject): ScenarioPage {
  return {
    title: textAt(value, 'title') ?? '',
    text: textAt(value, 'text'),
    verify: textAt(value, 'verify'),
    background: textAt(value, 'background'),
    foreground: textAt(value, 'foreground'),
  };
}

function textAt(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === 'string' && text !== '' ? text : undefined;
}
