import { selectorProblem } from '../../../cel/index.ts';
import type { Pace } from '../../../env/index.ts';
import { type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';
import { maxSelectorExpression } from '../../../schema/index.ts';

/** Checks the selectors of a class, claim or template in steps; validation, which cannot pause, then finds the results. */
export async function checkSelectors(object: JsonObject, pace: Pace): Promise<void> {
  for (const { cel } of selectorsOf(recordAt(object, 'spec'))) {
    const expression = textAt(recordAt({ cel }, 'cel'), 'expression');
    if (expression.length <= maxSelectorExpression) selectorProblem(expression);
    const pause = pace();
    if (pause) await pause;
  }
}

function selectorsOf(spec: JsonObject): readonly JsonObject[] {
  const claim = spec['spec'] === undefined ? spec : recordAt(spec, 'spec');
  const requests = objectsAt(recordAt(claim, 'devices'), 'requests');
  const owners = requests.flatMap((request) => [recordAt(request, 'exactly'), ...objectsAt(request, 'firstAvailable')]);
  return [spec, ...owners].flatMap((owner) => objectsAt(owner, 'selectors'));
}
