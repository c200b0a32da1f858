import { selectorProblem } from '../../../cel/index.ts';
import type { Pace } from '../../../env/index.ts';
import type { metav1, resourcev1 } from '../../../schema/api/index.ts';
import { type Decoded, maxSelectorExpression } from '../../../schema/index.ts';

/** Checks the selectors of a class, claim or template in steps; validation, which cannot pause, then finds the results. */
export async function checkSelectors(object: Selecting, pace: Pace): Promise<void> {
  for (const { cel } of selectorsOf(object)) {
    const expression = cel?.expression ?? '';
    if (expression.length <= maxSelectorExpression) selectorProblem(expression);
    const pause = pace();
    if (pause) await pause;
  }
}

type Claim = resourcev1.ResourceClaimSpec;

/** What the specs of a class, a claim and a template have. */
type Selecting = Decoded<{
  metadata: metav1.ObjectMeta;
  spec: Pick<resourcev1.DeviceClassSpec, 'selectors'> & Pick<Claim, 'devices'> & { spec: Claim };
}>;

function selectorsOf({ spec = {} }: Selecting): readonly Decoded<resourcev1.DeviceSelector>[] {
  const claim = spec.spec ?? spec;
  const requests = claim.devices?.requests ?? [];
  const owners = requests.flatMap(({ exactly, firstAvailable = [] }) => [...(exactly ? [exactly] : []), ...firstAvailable]);
  return [spec, ...owners].flatMap(({ selectors }) => selectors ?? []);
}
