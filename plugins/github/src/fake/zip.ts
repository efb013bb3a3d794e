import { crc32 } from 'node:zlib'

/** Makes a zip archive of one uncompressed file. */
export function zipOf(name: string, content: string): Buffer {
  const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(0x0800, 2)
  common.writeUInt32LE(crc32(bytes), 10)
  common.writeUInt32LE(bytes.length, 14)
  common.writeUInt32LE(bytes.length, 18)
  common.writeUInt16LE(path.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, bytes])
  const rest = Buffer.alloc(14)
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    Buffer.from([20, 0]),
    common,
    rest,
    path,
  ])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06', 'latin1'), end])
}
