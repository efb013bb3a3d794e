import type { Scope } from '#foundation/core/scope'
import { demandAllowed } from '../demand_allowed.js'
import type Release from '../models/release.js'
import { recordKickoff } from '../record_kickoff.js'
import { wishBranch } from '../version_control/wish_branch.js'

/**
 * Kicks a release off: where the app has version control and names the branches of releases, by
 * having its branch cut, or found; else the word of the one who calls is the detection. Repeating
 * it changes nothing.
 */
export class KickOffRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const ruling = await demandAllowed(this.scope, release, 'kickoff')
    if (!ruling.changes || ruling.to === 'deleted') return
    if (await wishBranch(this.scope, release)) return
    await recordKickoff(this.scope, release, ruling.to)
  }
}
