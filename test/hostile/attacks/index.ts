import type { Attack } from './attack.ts';
import { bodyAttacks } from './bodies.ts';
import { expressionAttacks } from './expressions.ts';
import { listAttacks } from './lists.ts';
import { mapAttacks } from './maps.ts';
import { objectAttacks } from './objects.ts';
import { patchAttacks } from './patches.ts';
import { requestAttacks } from './requests.ts';
import { textAttacks } from './texts.ts';

export type { Attack, AttackRequest } from './attack.ts';

export const attacks: readonly Attack[] = [
  ...expressionAttacks,
  ...bodyAttacks,
  ...requestAttacks,
  ...patchAttacks,
  ...objectAttacks,
  ...listAttacks,
  ...mapAttacks,
  ...textAttacks,
];
