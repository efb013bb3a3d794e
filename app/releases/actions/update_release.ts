import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type Release from '../models/release.js'
import { findPilot } from '../queries/find_pilot.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { demandTargetOrder, type Targets } from '../target_dates.js'
import type { UpdateReleaseInput } from '../validators/release_input.js'
import { ChangeIdentity } from './change_identity.js'
import { adoptWorkflow } from '../lifecycle/adopt_workflow.js'
import { followVersions } from '../lifecycle/follow_versions.js'
import { demandAllowed } from '../demand_allowed.js'
import { moveTrain } from '../lifecycle/move_train.js'
import { settle } from '../lifecycle/settle.js'

const TARGETS = ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const
const TEXTS = ['releaseName', 'releaseDescription'] as const

/** Changes a release: only what differs is written, and each kind of change needs its action. */
export class UpdateRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release, input: UpdateReleaseInput): Promise<void> {
    const { scope } = this
    const before = release.parts
    await demandAllowed(scope, release, 'edit')
    const texts = await this.#texts(release, input)
    const identity = await new ChangeIdentity(scope).handle(release, input)
    const pilot = await this.#pilot(release, input)
    const targets = this.#targets(release, input)
    if (!texts && !identity && !pilot && !targets) return

    release.updatedAt = scope.now
    await release.useTransaction(scope.transaction).save()
    if (texts || identity) {
      recordReleaseEvent(scope, release, {
        type: 'release.updated',
        title: `${release.version} was changed`,
        data: { ...texts, ...identity },
        payload: null,
      })
    }
    if (targets) {
      recordReleaseEvent(scope, release, {
        type: 'release.targetDateUpdated',
        title: `Target dates of ${release.version} changed`,
        data: { previous: targets },
        payload: { previous: targets },
      })
    }
    if (pilot) {
      recordReleaseEvent(scope, release, {
        type: 'release.pilotChanged',
        title: `The pilot of ${release.version} changed`,
        data: pilot,
        payload: { previous: { releasePilotId: pilot.from, releasePilot: pilot.fromPilot } },
      })
    }
    if (identity) {
      await adoptWorkflow(scope, release)
      await followVersions(scope, release.appId, [before, release.parts])
      await moveTrain(scope, release.appId)
    } else await settle(scope, release)
  }

  async #texts(release: Release, input: UpdateReleaseInput) {
    const changes: Record<string, { from: string | null; to: string | null }> = {}
    for (const name of TEXTS) {
      const to = input[name]
      if (to === undefined || to === release[name]) continue
      changes[name] = { from: release[name], to }
      release[name] = to
    }
    if (Object.keys(changes).length === 0) return null
    this.scope.demand('EditRelease')
    return changes
  }

  async #pilot(release: Release, input: UpdateReleaseInput) {
    if (input.releasePilotId === undefined) return null
    const { scope } = this
    const to = input.releasePilotId === null ? null : await findPilot(scope, input.releasePilotId)
    const from = release.pilotId
    if (to === from) return null
    scope.demand('EditRelease')
    const pilots = await peopleOf(scope, from ? [from] : [])
    release.pilotId = to
    return { from, to, fromPilot: from ? (pilots.get(from) ?? null) : null }
  }

  /** The targets as they were, where any of them really changes. */
  #targets(release: Release, input: UpdateReleaseInput): Targets | null {
    const before = Object.fromEntries(
      TARGETS.map((name) => [name, release[name]])
    ) as unknown as Targets
    let changes = false
    for (const name of TARGETS) {
      const to = input[name]
      if (to === undefined || to === before[name]) continue
      release[name] = to
      changes = true
    }
    if (!changes) return null
    this.scope.demand('UpdateReleaseTargetDates')
    demandTargetOrder(release)
    return before
  }
}
