import type { Scope } from '#foundation/core/scope'
import type { CustomMetadataEntry } from '../custom_metadata.js'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { metadataSet } from '../custom_metadata.js'

/** Replaces the custom metadata of a release; a null value deletes its key. */
export class SetCustomMetadata {
  constructor(private readonly scope: Scope) {}

  async handle(
    release: Release,
    entries: readonly { key: string; value?: unknown }[]
  ): Promise<CustomMetadataEntry[]> {
    const { scope } = this
    const wanted = metadataSet(entries, '/entries')
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
