import type { JsonObject } from '../meta/index.ts';
import type { BootstrapObject } from './bootstrap-objects.ts';
import text from './default-flows.json?raw';

interface DefaultFlows {
  readonly levels: Readonly<Record<string, JsonObject>>;
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

const root = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** The flow schemas and priority levels that every server has, in the real server's names. */
export function defaultFlows(): readonly BootstrapObject[] {
  const { levels, schemas }: DefaultFlows = JSON.parse(text);
  const objectOf = (kind: string, name: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind,
    metadata: { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    spec,
  });
  return [
    ...Object.entries(levels).map(([name, spec]) => ({
      collection: `${root}/prioritylevelconfigurations`,
      object: objectOf('PriorityLevelConfiguration', name, spec),
    })),
    ...Object.entries(schemas).map(([name, spec]) => ({
      collection: `${root}/flowschemas`,
      object: objectOf('FlowSchema', name, spec),
      status: { manager: 'api-priority-and-fairness-config-consumer-v1', conditions: [foundLevel(spec)] },
    })),
  ];
}

function foundLevel(spec: JsonObject): JsonObject {
  const { name } = spec['priorityLevelConfiguration'] as { readonly name: string };
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)} and it exists`;
  return { type: 'Dangling', status: 'False', reason: 'Found', message };
}
