import { refuse, refuseField, type ProblemPlace } from '#foundation/core/problems/problem'
import { MAX_VERSION_PART, parseVersion, type Version } from '#workflow/version'
import type { CustomMetadataEntry } from './custom_metadata.js'

/** @throws invalid_input unless the text is a version of 1 to 3 numeric parts. */
export function demandVersion(text: string, pointer: string): Version {
  const version = parseVersion(text)
  if (version) return version
  throw refuseField(
    pointer,
    'version',
    `A version has 1 to 3 numeric parts of at most ${MAX_VERSION_PART}, like 1.4 or 1.4.2.`
  )
}

export interface Targets {
  targetKickoffAt: string | null
  targetSubmitAt: string | null
  targetReleaseAt: string | null
}

/** @throws invalid_input unless kickoff <= submit <= release. */
export function demandTargetOrder(targets: Targets): void {
  const given = (['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const).flatMap(
    (name) => (targets[name] === null ? [] : [{ name, at: targets[name] }])
  )
  const broken: ProblemPlace[] = []
  for (const [index, { name, at }] of given.entries()) {
    const before = given[index - 1]
    if (!before || before.at <= at) continue
    broken.push({
      pointer: `/${name}`,
      code: 'target_order',
      message: `${name} must not be before ${before.name}.`,
    })
  }
  if (broken.length > 0) {
    throw refuse('invalid_input', { detail: broken[0].message, errors: broken })
  }
}

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
