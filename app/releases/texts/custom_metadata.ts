import { Type, type Static } from '@sinclair/typebox'
import { lengthOf } from '#foundation/core/text'
import type { InputErrors } from '#foundation/core/problems/input_errors'
import type { ProblemPlace } from '#foundation/core/problems/problem'
import { entity, list, nonEmpty } from '#foundation/core/schemas'

/** Maximum length of a value of custom metadata, in characters. */
export const MAX_METADATA_VALUE = 10_000

const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  description:
    'Text of at most 10,000 characters, a number, true or false; never null once stored.',
})

export const CustomMetadataEntry = entity('CustomMetadataEntry', 'A key with its value.', {
  key: nonEmpty('Key of the entry, unique in the set.', 100),
  value: MetadataValue,
})
export type CustomMetadataEntry = Static<typeof CustomMetadataEntry>

export const CustomMetadata = entity('CustomMetadata', 'Custom metadata of a release.', {
  entries: list('The entries, as set.', CustomMetadataEntry, 100),
})
export type CustomMetadata = Static<typeof CustomMetadata>

/**
 * Returns custom metadata as it is stored. A null value deletes its key. A repeated key, a value
 * that is not a scalar, and a value that is too long are errors.
 * @param entries undefined for each entry that has no valid shape
 * @param pointer JSON pointer of the list in the body
 */
export function metadataSet(
  entries: readonly ({ key?: string; value?: unknown } | undefined)[],
  pointer: string,
  errors: InputErrors
): CustomMetadataEntry[] {
  const seen = new Set<string>()
  const kept: CustomMetadataEntry[] = []
  for (const [index, entry] of entries.entries()) {
    if (!entry) continue
    const { key, value } = entry
    const at = `${pointer}/${index}`
    if (key !== undefined) {
      if (seen.has(key)) {
        errors.add({ pointer: `${at}/key`, code: 'unique', message: `The key ${key} is repeated.` })
      }
      seen.add(key)
    }
    if (value === null || value === undefined) continue
    const fault = valueFault(value)
    if (fault) errors.add({ pointer: `${at}/value`, ...fault })
    else if (key !== undefined) kept.push({ key, value: value as CustomMetadataEntry['value'] })
  }
  return kept
}

function valueFault(value: unknown): Pick<ProblemPlace, 'code' | 'message'> | null {
  if (typeof value === 'string') {
    if (lengthOf(value) <= MAX_METADATA_VALUE) return null
    return { code: 'max_length', message: `A value has at most ${MAX_METADATA_VALUE} characters.` }
  }
  if (typeof value === 'number' || typeof value === 'boolean') return null
  return { code: 'scalar', message: 'A value is text, a number, true, false or null.' }
}
