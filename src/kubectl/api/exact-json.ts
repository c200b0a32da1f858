/** Loaded on demand: few responses have integers beyond 2^53. */
export { parseJson } from '../../meta/index.ts';
