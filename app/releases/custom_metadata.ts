import { Type, type Static } from '@sinclair/typebox'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import { named } from '#foundation/core/schemas'

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

export const CustomMetadataEntry = named(
  'CustomMetadataEntry',
  Type.Object({ key: Type.String(), value: MetadataValue })
)
export type CustomMetadataEntry = Static<typeof CustomMetadataEntry>

export const CustomMetadata = named(
  'CustomMetadata',
  Type.Object({ entries: Type.Array(CustomMetadataEntry, { maxItems: 100 }) })
)
export type CustomMetadata = Static<typeof CustomMetadata>

/** Most characters of a value of custom metadata. */
export const MAX_METADATA_VALUE = 10_000

/**
 * Custom metadata as it is stored: a null value deletes its key.
 * @throws invalid_input for a repeated key, a value that is no scalar, or one too long.
 */
export function metadataSet(
  entries: readonly { key: string; value?: unknown }[],
  pointer: string
): CustomMetadataEntry[] {
  const errors: ProblemPlace[] = []
  const seen = new Set<string>()
  const kept: CustomMetadataEntry[] = []
  for (const [index, { key, value }] of entries.entries()) {
    const at = `${pointer}/${index}`
    if (seen.has(key)) {
      errors.push({ pointer: `${at}/key`, code: 'unique', message: `The key ${key} is repeated.` })
    }
    seen.add(key)
    if (value === null || value === undefined) continue
    if (typeof value === 'string') {
      if (value.length > MAX_METADATA_VALUE) {
        const message = `A value has at most ${MAX_METADATA_VALUE} characters.`
        errors.push({ pointer: `${at}/value`, code: 'max_length', message })
      }
    } else if (typeof value !== 'number' && typeof value !== 'boolean') {
      const message = 'A value is text, a number, true, false or null.'
      errors.push({ pointer: `${at}/value`, code: 'scalar', message })
      continue
    }
    kept.push({ key, value: value as CustomMetadataEntry['value'] })
  }
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
  return kept
}
