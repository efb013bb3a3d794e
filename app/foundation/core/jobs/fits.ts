import type { TSchema } from '@sinclair/typebox'
import type { Value } from '@sinclair/typebox/value'

/**
 * Returns whether a payload matches the schema of its kind. The validator is loaded with the first
 * job: it costs 3 MB, and most processes plan nothing for a long time.
 */
export async function fits(schema: TSchema, payload: unknown): Promise<boolean> {
  // Kept, because even a repeated import costs many times the check.
  checker ??= (await import('@sinclair/typebox/value')).Value
  return checker.Check(schema, payload)
}

let checker: typeof Value | undefined
