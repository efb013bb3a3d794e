import { Type, type Static } from '@sinclair/typebox'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import { entity, list, nonEmpty } from '#foundation/core/schemas'

/** Most characters of a value of custom metadata. */
export const MAX_METADATA_VALUE = 10_000

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  description:
    'Text of at most 10,000 characters, a number, true or false; never null once it is stored.',
})

export const CustomMetadataEntry = entity('CustomMetadataEntry', 'A value under a key.', {
  key: nonEmpty('Key of the entry, unique in the set.', 100),
  value: MetadataValue,
})
export type CustomMetadataEntry = Static<typeof CustomMetadataEntry>

export const CustomMetadata = entity('CustomMetadata', 'What you keep with a release.', {
  entries: list('The entries, as they were set.', CustomMetadataEntry, 100),
})
export type CustomMetadata = Static<typeof CustomMetadata>

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
