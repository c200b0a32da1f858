/**
 * A decoded object of the type `T`: each member has its declared type or is absent, also members that `T` requires, since a validator
 * may receive objects that were stored without them. Integers of 64 bits beyond 2^53 are bigint at run time: read them with `int64At`.
 */
export type Decoded<T> = T extends readonly (infer Item)[]
  ? readonly Decoded<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: Decoded<T[Field]> | undefined }
    : T;
