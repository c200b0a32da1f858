/** Of a row in a list of rows that are all the same height, in pixels: for a finger it is higher. The style says the same. */
export function rowHeightHere(forMouse: number): number {
  return matchMedia('(pointer: coarse)').matches ? 44 : forMouse;
}
