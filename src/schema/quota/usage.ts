import { addQuantities, formatQuantity, parseQuantity } from '../../meta/index.ts';

/** Amounts by the names that quotas have for them. */
export type Usage = Readonly<Record<string, string>>;

export function sumUsage(a: Usage, b: Usage): Usage {
  const sum: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const before = sum[name];
    sum[name] = before === undefined ? amount : formatQuantity(addQuantities(parseQuantity(before), parseQuantity(amount)));
  }
  return sum;
}
