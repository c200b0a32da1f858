import { errorMessage } from '../../../env/index.ts';
import { type AsyncSteps, awaitInSteps, type Json, type JsonObject } from '../../../meta/index.ts';
import { parseGroupVersion, type Schema } from '../../../schema/index.ts';
import { type AfterKind, compare, type Difference } from '../typed/compare.ts';
import type { Shape, Shapes } from '../typed/shape.ts';
import { requireTyped } from '../typed/validate.ts';

/**
 * Converts an object to another version of its group; undefined when that version is no longer served. With a promise, the steps of the
 * caller wait.
 * @throws when the conversion fails
 */
export type ConvertVersion = (object: JsonObject, apiVersion: string) => ConvertedObject | undefined | Promise<ConvertedObject>;

export interface ConvertedObject {
  readonly object: JsonObject;
  readonly schema: Schema;
}

/** A value in one version, with its shape there. */
export interface Versioned {
  readonly apiVersion: string;
  readonly value: Json;
  readonly shape: Shape;
}

/** A failed conversion to another version. */
export class VersionError extends Error {
  constructor(cause: unknown) {
    super(errorMessage(cause), { cause });
    this.name = 'VersionError';
  }
}

/** The versions of one kind: the request's own, and others through a converter. */
export class Versions {
  readonly apiVersion: string;
  readonly shape: Shape;
  readonly #shapes: Shapes;
  readonly #convert: ConvertVersion;
  readonly #typed: boolean;

  /** `typed`: an object must match the shape of each version it is converted to. */
  constructor(apiVersion: string, schema: Schema, shapes: Shapes, convert: ConvertVersion, typed: boolean) {
    this.#typed = typed;
    this.apiVersion = apiVersion;
    this.shape = shapes.of(schema);
    this.#shapes = shapes;
    this.#convert = convert;
  }

  /** A value in the request's version. */
  own(value: Json): Versioned {
    return { apiVersion: this.apiVersion, value, shape: this.shape };
  }

  *in(versioned: Versioned, apiVersion: string): AsyncSteps<Versioned | undefined> {
    if (apiVersion === versioned.apiVersion) return versioned;
    // The real server drops owners of an Event in its other group, although it could convert them.
    if (!this.#typed && parseGroupVersion(apiVersion).group !== parseGroupVersion(this.apiVersion).group) return undefined;
    const converted = yield* this.#converted(versioned.value as JsonObject, apiVersion);
    if (!converted) return undefined;
    const shape = apiVersion === this.apiVersion ? this.shape : this.#shapes.of(converted.schema);
    if (this.#typed) yield* requireTyped(converted.object, shape, 'allowed', 'every problem');
    return { apiVersion, value: converted.object, shape };
  }

  *#converted(object: JsonObject, apiVersion: string): AsyncSteps<ConvertedObject | undefined> {
    try {
      const converted = this.#convert(object, apiVersion);
      return converted instanceof Promise ? yield* awaitInSteps(converted) : converted;
    } catch (cause) {
      throw new VersionError(cause);
    }
  }

  /** The differences of two objects in a version. */
  *difference(before: Json, after: Json, afterKind: AfterKind, apiVersion: string): AsyncSteps<Difference | undefined> {
    const left = yield* this.in(this.own(before), apiVersion);
    const right = yield* this.in(this.own(after), apiVersion);
    return left && right && (yield* compare(left.value, right.value, left.shape, afterKind));
  }
}
