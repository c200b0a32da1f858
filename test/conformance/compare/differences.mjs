/** How the answers of two servers differ. */

export const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Without what differs between two runs: times, uids, versions and allocated addresses. */
export function normalized(value, name = '') {
  // The texts about columns are our own.
  if (name === 'columnDefinitions' && value !== null) return value.map(({ description: _, ...column }) => column);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalized(item));
    // The rules of a user are those of a map in Go.
    return /ourceRules$/.test(name) ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.keys(value).map((key) => [key, normalized(value[key], key)]));
  if (typeof value === 'number') return /nodePort$/i.test(name) && value >= 30_000 && value <= 32_767 ? '<port>' : value;
  if (typeof value !== 'string') return value;
  if (name === 'resourceVersion' && /^\d+$/.test(value)) return '<version>';
  if (name === 'serverAddress') return '<server>';
  if (name === 'continue') return '<continue>';
  return value
    .replace(/^(?:\d+[smhd]){1,2}$/, '<age>')
    .replace(/(resourceVersion[\\"]*:\s?[\\"]*)\d+/gi, '$1<version>')
    .replace(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/, '<token>')
    .replace(uid, '<uid>')
    .replace(/(in record \(|current: |ParseUint: parsing \\?" ?)\d+/g, '$1<version>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(/\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+/g, '<address>');
}

/** One line for each difference. */
export function differences(real, ours, path = '') {
  if (real === ours) return [];
  const areObjects = [real, ours].every((one) => one !== null && typeof one === 'object');
  if (!areObjects || Array.isArray(real) !== Array.isArray(ours)) return [`${path}: ${describe(real, ours)}`];
  return [...new Set([...Object.keys(real), ...Object.keys(ours)])].flatMap((key) => differences(real[key], ours[key], `${path}.${key}`));
}

const shownLength = 200;

/** Long texts from shortly before their first difference. */
function describe(real, ours) {
  const [a, b] = [JSON.stringify(real) ?? 'absent', JSON.stringify(ours) ?? 'absent'];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 40);
  return `real ${a.slice(from, from + shownLength)}, ours ${b.slice(from, from + shownLength)}`;
}
