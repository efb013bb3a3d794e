import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { demandAllowed } from '../demand_allowed.js'
import { settle } from '../lifecycle/settle.js'

/**
 * Kicks a release off: for teams whose branch this service does not cut, the word of the
 * one who calls is the detection. Repeating it changes nothing.
 */
export class KickOffRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const { scope } = this
    const ruling = await demandAllowed(scope, release, 'kickoff')
    if (!ruling.changes || ruling.to === 'deleted') return
    const before = release.status
    release.merge({ status: ruling.to, kickedOffAt: scope.now, updatedAt: scope.now })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.kickedOff',
      title: `${release.version} was kicked off`,
      data: before === release.status ? {} : { status: { from: before, to: release.status } },
      payload: {},
    })
    await settle(scope, release)
  }
}
