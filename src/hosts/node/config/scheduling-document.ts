import type { Explanations } from '../../../cluster/index.ts';
import type { JsonObject } from '../../../meta/index.ts';

const listPath = '/debug/scheduling';

/**
 * The last decisions of the scheduler of this server:
 *
 *     GET /debug/scheduling                    {"decisions":[{"pod":"default/web","node":"node-1","message":"",…}]}, the latest last
 *     GET /debug/scheduling/NAMESPACE/NAME     one of them with the nodes that were refused, and the scores of the others
 */
export function schedulingDocument(explanations: Explanations, path: string): JsonObject | undefined {
  if (path === listPath) return { decisions: explanations.pods.flatMap((pod) => summaryOf(explanations, pod)) };
  if (!path.startsWith(`${listPath}/`)) return undefined;
  const explanation = explanations.get(path.slice(listPath.length + 1));
  return explanation && toJson(explanation);
}

function summaryOf(explanations: Explanations, pod: string): readonly JsonObject[] {
  const explanation = explanations.get(pod);
  if (!explanation) return [];
  const { refusals, scores: _, ...summary } = explanation;
  return [toJson({ ...summary, refusedNodes: refusals.length })];
}

/** Without the fields that are undefined. */
const toJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value));
