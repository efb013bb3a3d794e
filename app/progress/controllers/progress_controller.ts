import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { readRelease } from '#releases/queries/read_release'
import { seenOf } from '../progress.js'

/** Reads the last reports of providers about a release. */
export class ProgressController {
  async translations({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok((await seenOf(scope, release.id, 'translations')) ?? [])
  }
}
