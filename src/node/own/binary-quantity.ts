/** The text of a quantity in BinarySI: the largest unit in which it is an integer. */
export function binaryQuantity(amount: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
  let unit = 0;
  let left = amount;
  while (left !== 0 && left % 1024 === 0 && unit < units.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${left}${units[unit]}`;
}
