import { modelOf } from '#foundation/core/database/model_of'
import type { Version } from '#workflow/version'
import { publicReleaseId } from '../names/public_release_id.js'
import { releases } from '../tables.js'
import { versionParts } from '../names/version_parts.js'

/**
 * A release: its recorded facts, its status, which the transitions of the engine determine, and the
 * last evaluation of the facts (phase, readiness, regression status), which only `deriveRelease`
 * writes.
 */
export default class Release extends modelOf(releases) {
  get parts(): Version {
    return versionParts(this)
  }

  /** The id that clients use. */
  get publicId(): string {
    return publicReleaseId(this)
  }
}
