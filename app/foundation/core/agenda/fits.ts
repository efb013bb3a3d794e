import type { TSchema } from '@sinclair/typebox'

/**
 * Whether a payload is what its kind describes. What checks it is loaded by the first entry: it
 * costs a start 3 MB, and most processes plan nothing for long.
 */
export async function fits(schema: TSchema, payload: unknown): Promise<boolean> {
  const { Value } = await import('@sinclair/typebox/value')
  return Value.Check(schema, payload)
}
