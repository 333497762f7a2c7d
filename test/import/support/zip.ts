import { crc32 } from 'node:zlib';

/** A zip file with these files, not compressed. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    // Version, flags, method, time, date, checksum, sizes, length of the name, length of the extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, data]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, end, path]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const tail = Buffer.alloc(18);
  tail.writeUInt16LE(directory.length, 4);
  tail.writeUInt16LE(directory.length, 6);
  tail.writeUInt32LE(central.length, 8);
  tail.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), tail]);
}
