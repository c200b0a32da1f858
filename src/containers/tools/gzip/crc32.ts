let table: Int32Array | undefined;

function crcTable(): Int32Array {
  table ??= Int32Array.from({ length: 256 }, (_, index) => {
    let crc = index;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  return table;
}

/** The CRC of RFC 1952, continued from the one of the bytes before; it begins with 0. */
export function crc32(bytes: Uint8Array, before: number): number {
  const crcs = crcTable();
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcs[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}
