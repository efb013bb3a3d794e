import { InputErrors } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import type { CustomMetadataEntry } from '../texts/custom_metadata.js'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { metadataSet } from '../texts/custom_metadata.js'

/** Replaces the custom metadata of a release; a null value deletes its key. */
export class SetCustomMetadata {
  constructor(private readonly scope: Scope) {}

  /** Adds errors of entries that their schema cannot express. @returns the entries to store */
  check(entries: Parameters<typeof metadataSet>[0], errors: InputErrors): CustomMetadataEntry[] {
    return metadataSet(entries, '/entries', errors)
  }

  /** @throws invalid_input */
  async handle(
    release: Release,
    entries: readonly { key: string; value?: unknown }[]
  ): Promise<CustomMetadataEntry[]> {
    const { scope } = this
    const errors = new InputErrors()
    const wanted = this.check(entries, errors)
    errors.throwIfAny()
    const before = release.customMetadata ?? []
    if (JSON.stringify(before) === JSON.stringify(wanted)) return wanted
    release.merge({ customMetadata: wanted, updatedAt: scope.now })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'metadata.updated',
      title: `Custom metadata of ${release.version} changed`,
      data: { kind: 'custom', keys: wanted.map((entry) => entry.key) },
      payload: null,
    })
    return wanted
  }
}
