import { args } from '@adonisjs/core/ace'
import { AppCommand } from '#apps/commands/app_command'
import { UsageError } from '#foundation/console/usage_error'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { readReferencedRelease } from '../queries/find_release.js'
import { parseReleaseId } from '../names/public_release_id.js'
import { verifyTimeline } from '../queries/verify_timeline.js'

export class ReleaseVerify extends AppCommand {
  static override commandName = 'release:verify'
  static override description =
    'Verify the hash chain of a release’s timeline, or name its first broken link'

  @args.string({ description: 'Id of the release: <appId>:<version>' })
  declare releaseId: string

  protected async work() {
    const { appId } = parseReleaseId(this.releaseId)
    const scope = this.readScope(await this.ofApp(appId))
    const { release } = await this.#find(scope, appId, this.releaseId)
    const { entries, hash, broken } = await verifyTimeline(scope, release.id)
    return {
      document: { releaseId: release.publicId, valid: broken === null, entries, hash, broken },
      text: broken
        ? `The timeline of ${release.publicId} is broken at entry ${broken.position}${broken.eventId ? ` (${broken.eventId})` : ''}: ${broken.reason}`
        : `The timeline of ${release.publicId} is intact: ${entries} entries, the last with the hash ${hash}.`,
      failed: broken !== null,
    }
  }

  /** Finds a release, which may be named by a former id. @throws UsageError */
  async #find(scope: Scope, appId: string, releaseId: string) {
    try {
      return await readReferencedRelease(scope, appId, releaseId)
    } catch (error) {
      if (error instanceof Problem) throw new UsageError(`There is no release "${releaseId}".`)
      throw error
    }
  }
}
