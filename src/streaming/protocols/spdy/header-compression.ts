/** Compresses header blocks with zlib. All blocks of one direction of a connection share a context. */
export interface HeaderCompression {
  /** One block, flushed (Z_SYNC_FLUSH). */
  compress(block: Uint8Array): Promise<Uint8Array>;
  /** @throws Error when the data is damaged */
  decompress(block: Uint8Array): Promise<Uint8Array>;
  close(): void;
}

/** A port: hosts have zlib. */
export type CreateHeaderCompression = (dictionary: Uint8Array) => HeaderCompression;
