import { compilePattern, type Pattern, PatternError } from '../../regexp/index.ts';
import { KubectlError } from '../program/errors.ts';

/** Compiles a regular expression of a kustomization. @throws KubectlError */
export function patternOf(source: string): Pattern {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) throw new KubectlError(error.message);
    throw error;
  }
}
