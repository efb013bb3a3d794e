import { findApp } from '#apps/queries/find_app'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import { recordTargets } from '../lifecycle/change_targets.js'
import type Release from '../models/release.js'
import { findPilot } from '../queries/find_pilot.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { requireTargetOrder, type Targets } from '../lifecycle/target_dates.js'
import type { UpdateReleaseInput } from '../validators/release_input.js'
import { ChangeIdentity } from './change_identity.js'
import { adoptWorkflow } from '../lifecycle/adopt_workflow.js'
import { updateReleaseTypes } from '../lifecycle/follow_versions.js'
import { requirePriority } from '../preconditions/require_priority.js'
import { requireAllowed } from '../preconditions/require_allowed.js'

const TARGETS = ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const
const TEXTS = ['releaseName', 'releaseDescription'] as const

/** Changes a release. Only values that differ are written, and only they need their user action. */
export class UpdateRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release, input: UpdateReleaseInput): Promise<void> {
    const { scope } = this
    const before = release.parts
    await requireAllowed(scope, release, 'edit')
    const texts = this.#texts(release, input)
    const errors = new InputErrors()
    await this.check(release, input, errors)
    errors.throwIfAny()
    const identity = await new ChangeIdentity(scope).handle(release, input)
    const pilot = await this.#pilot(release, input)
    const targets = this.#targets(release, input)
    const priority = this.#priority(release, input)
    if (!texts && !identity && !pilot && !targets && !priority) return

    release.updatedAt = scope.now
    await release.useTransaction(scope.transaction).save()
    if (texts || identity || priority) {
      recordReleaseEvent(scope, release, {
        type: 'release.updated',
        title: `${release.version} was changed`,
        data: { ...texts, ...identity, ...priority },
        payload: null,
      })
    }
    if (targets) recordTargets(scope, release, targets)
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
      await updateReleaseTypes(scope, release.appId, [before, release.parts])
    } else scope.touch(release)
  }

  /** Collects the input errors that the schema cannot express. */
  async check(
    release: Release,
    input: PartiallyValid<UpdateReleaseInput>,
    errors: InputErrors
  ): Promise<void> {
    const { scope } = this
    await new ChangeIdentity(scope).check(release, input, errors)
    const { releasePilotId } = input
    if (releasePilotId) await errors.collect(() => findPilot(scope, releasePilotId))
    const { inAppUpdatePriority } = input
    if (typeof inAppUpdatePriority === 'number') {
      const { platform } = await findApp(scope, release.appId)
      await errors.collect(async () => requirePriority(platform, inAppUpdatePriority))
    }
    const changes = TARGETS.filter((name) => input[name] !== undefined)
    if (changes.length === 0) return
    const after = (name: keyof Targets) => {
      // The value of an invalid target date is unknown.
      if (!errors.isWellFormed(`/${name}`)) return null
      const value = input[name]
      return value === undefined ? release[name] : value
    }
    const targets = Object.fromEntries(TARGETS.map((name) => [name, after(name)]))
    const isChanged = changes.some((name) => input[name] !== release[name])
    if (isChanged) await errors.collect(() => requireTargetOrder(targets as unknown as Targets))
  }

  #texts(release: Release, input: UpdateReleaseInput) {
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

  #priority(release: Release, { inAppUpdatePriority: to }: UpdateReleaseInput) {
    const from = release.inAppUpdatePriority
    if (to === undefined || to === from) return null
    this.scope.demand('EditRelease')
    release.inAppUpdatePriority = to
    return { inAppUpdatePriority: { from, to } }
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

  /** Assigns the target dates that differ. @returns their old values; null if none differs */
  #targets(release: Release, input: UpdateReleaseInput): Partial<Targets> | null {
    const before: Partial<Targets> = {}
    for (const name of TARGETS) {
      const to = input[name]
      if (to === undefined || to === release[name]) continue
      before[name] = release[name]
      release[name] = to
    }
    if (Object.keys(before).length === 0) return null
    this.scope.demand('UpdateReleaseTargetDates')
    return before
  }
}
