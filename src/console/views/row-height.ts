/** Row height of a windowed list, in pixels. Touch rows are higher. Matches the style sheet. */
export function rowHeight(forMouse: number): number {
  return matchMedia('(pointer: coarse)').matches ? 44 : forMouse;
}
