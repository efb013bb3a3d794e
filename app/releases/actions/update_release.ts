import { findApp } from '#apps/queries/find_app'
import { syncReleaseItems } from '#checklists/actions/sync_release_items'
import { refuseField } from '#foundation/problems/problem'
import type { Scope } from '#foundation/scope'
import { compareVersions } from '#foundation/versions'
import { deriveReleaseType } from '../engine/release_type.js'
import type Release from '../models/release.js'
import { findPilot } from '../queries/find_pilot.js'
import { versionColumns } from '../queries/find_release.js'
import { pilotsOf } from '../queries/release_entities.js'
import { recordReleaseEvent } from '../record.js'
import { demandTargetOrder, demandVersion, type Targets } from '../rules.js'
import type { UpdateReleaseInput } from '../validators/release_input.js'
import { copyWorkflow } from './copy_workflow.js'
import { demandFreeVersion, siblingsBelow } from './create_release.js'
import { demandAllowed } from './demand_allowed.js'
import { settle } from './settle.js'

const TARGETS = ['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const
const TEXTS = ['releaseName', 'releaseDescription'] as const

/** Changes a release: only what differs is written, and each kind of change needs its action. */
export class UpdateRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release, input: UpdateReleaseInput): Promise<void> {
    const { scope } = this
    await demandAllowed(scope, release, 'edit')
    const texts = await this.#texts(release, input)
    const identity = await this.#identity(release, input)
    const pilot = await this.#pilot(release, input)
    const targets = this.#targets(release, input)
    if (!texts && !identity && !pilot && !targets) return

    release.updatedAt = scope.now
    await release.useTransaction(scope.transaction).save()
    if (identity) {
      await copyWorkflow(scope, release)
      await syncReleaseItems(scope, release)
    }
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
    await settle(scope, release)
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

  /** Version and kind: settled once the release is kicked off. */
  async #identity(release: Release, input: UpdateReleaseInput) {
    const version =
      input.version === undefined ? release.parts : demandVersion(input.version, '/version')
    const createType = input.releaseType ?? release.createType
    const movesVersion = compareVersions(version, release.parts) !== 0
    if (!movesVersion && createType === release.createType) return null

    const { scope } = this
    scope.demand('EditRelease')
    await demandAllowed(scope, release, 'changeVersion')
    if (createType !== release.createType) {
      scope.demand(createType === 'release' ? 'CreateDeleteRelease' : 'CreateHotfix')
      this.#demandConvertible(release, createType)
    }
    const app = await findApp(scope, release.appId)
    const from = { version: release.version, releaseType: release.releaseType }
    if (movesVersion) {
      await demandFreeVersion(scope, release.appId, version)
      await this.#leaveAlias(release)
      release.merge({
        version: input.version!,
        versionMajor: version.major,
        versionMinor: version.minor,
        versionPatch: version.patch,
      })
      await scope
        .table('release_aliases')
        .where('app_id', release.appId)
        .where(versionColumns(version))
        .delete()
    }
    release.createType = createType
    release.releaseType = deriveReleaseType(
      createType,
      version,
      (await siblingsBelow(scope, release.appId, version)).filter(
        (sibling) => compareVersions(sibling.version, version) !== 0
      ),
      app.settings.defaultReleaseType
    )
    return { from, to: { version: release.version, releaseType: release.releaseType } }
  }

  /** A rollback needs to know what it rolls back, which only its creation says. */
  #demandConvertible(release: Release, createType: string) {
    if (createType !== 'rollback' || release.rollback) return
    const message = 'A release cannot become a rollback; create one with its source and target.'
    throw refuseField('/releaseType', 'rollback', message)
  }

  /** The id that was given out goes on answering. */
  async #leaveAlias(release: Release) {
    await this.scope.insert('release_aliases', [
      {
        app_id: release.appId,
        release_id: release.id,
        ...versionColumns(release.parts),
        created_at: this.scope.now,
      },
    ])
  }

  async #pilot(release: Release, input: UpdateReleaseInput) {
    if (input.releasePilotId === undefined) return null
    const { scope } = this
    const to = input.releasePilotId === null ? null : await findPilot(scope, input.releasePilotId)
    const from = release.pilotId
    if (to === from) return null
    scope.demand('EditRelease')
    const pilots = await pilotsOf(scope, [from])
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
