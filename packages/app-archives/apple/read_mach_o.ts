import { LIMITS } from '../limits.ts'

const THIN_32 = 0xcefaedfe
const THIN_64 = 0xcffaedfe
const FAT = 0xcafebabe
const FAT_64 = 0xcafebabf

const NAMES: Readonly<Record<number, string>> = {
  7: 'i386',
  12: 'armv7',
  0x01000007: 'x86_64',
  0x0100000c: 'arm64',
  0x0200000c: 'arm64_32',
}
const ARM64 = 0x0100000c
const ARM64E = 2

/**
 * Returns the architectures of an executable, from its first bytes.
 * @throws RangeError if it is cut off
 */
export function readArchitectures(bytes: Buffer): string[] {
  const magic = bytes.readUInt32BE(0)
  if (magic === THIN_32 || magic === THIN_64) {
    return namesOf([[bytes.readUInt32LE(4), bytes.readUInt32LE(8)]])
  }
  if (magic !== FAT && magic !== FAT_64) return []
  const width = magic === FAT ? 20 : 32
  const count = Math.min(bytes.readUInt32BE(4), LIMITS.abis)
  return namesOf(
    Array.from({ length: count }, (_, each) => {
      const at = 8 + each * width
      return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
    })
  )
}

function namesOf(kinds: number[][]): string[] {
  const names = kinds.flatMap(([kind, subtype]) =>
    kind === ARM64 && (subtype & 0xff) === ARM64E ? 'arm64e' : (NAMES[kind] ?? [])
  )
  return [...new Set(names)].sort()
}
