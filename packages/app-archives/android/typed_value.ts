import type { StringPool } from './chunks.ts'
import type { AndroidValue } from './elements.ts'

/** The types of values (Res_value of the Android platform). */
const TYPE = {
  reference: 0x01,
  text: 0x03,
  dynamicReference: 0x07,
  decimal: 0x10,
  hexadecimal: 0x11,
  flag: 0x12,
} as const

/** Decodes a value of binary XML or a resource table. @throws RangeError */
export function typedValue(type: number, data: number, pool: StringPool): AndroidValue {
  switch (type) {
    case TYPE.reference:
    case TYPE.dynamicReference:
      return { kind: 'reference', id: data }
    case TYPE.text:
      return { kind: 'text', text: pool.get(data) }
    case TYPE.decimal:
      return { kind: 'number', value: data | 0 }
    case TYPE.hexadecimal:
      return { kind: 'number', value: data }
    case TYPE.flag:
      return { kind: 'flag', value: data !== 0 }
    default:
      return { kind: 'other' }
  }
}
