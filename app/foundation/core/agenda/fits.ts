import type { TSchema } from '@sinclair/typebox'
import type { Value } from '@sinclair/typebox/value'

/**
 * Whether a payload is what its kind describes. What checks it is loaded by the first entry: it
 * costs a start 3 MB, and most processes plan nothing for long.
 */
export async function fits(schema: TSchema, payload: unknown): Promise<boolean> {
  // An import that is done costs many times the check.
  checker ??= (await import('@sinclair/typebox/value')).Value
  return checker.Check(schema, payload)
}

let checker: typeof Value | undefined
