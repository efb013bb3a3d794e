import { findApp } from '#apps/queries/find_app'
import type App from '#apps/models/app'
import { newId } from '#foundation/core/ids'
import { refuse, refuseField, type ProblemPlace } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { compareVersions, type Version } from '#workflow/version'
import { deriveReleaseType } from '../engine/release_type.js'
import { initialStatus } from '../engine/transitions.js'
import Release from '../models/release.js'
import type { HotfixOptions } from '../tables.js'
import { findPilot, nextPilot } from '../queries/find_pilot.js'
import { releaseAt } from '../queries/find_release.js'
import { siblingsBelow } from '../queries/siblings_below.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { demandTargetOrder } from '../target_dates.js'
import { demandVersion } from '../demand_version.js'
import { metadataSet } from '../custom_metadata.js'
import type { CreateReleaseInput } from '../validators/release_input.js'
import type { CreateEditReleaseType } from '../vocabulary.js'
import { adoptWorkflow } from '../lifecycle/adopt_workflow.js'
import { followVersions } from '../lifecycle/follow_versions.js'
import { demandAboveTarget, hotfixBase } from '../queries/hotfix_base.js'
import { trainMembers } from '../lifecycle/move_train.js'
import { TakeOverId } from './take_over_id.js'

const HOTFIX_FIELDS = ['baseTag', 'cherryPickCommits'] as const

/** @throws version_taken when the app has a release of the version. */
export async function demandFreeVersion(
  scope: Scope,
  appId: string,
  version: Version
): Promise<void> {
  const taken = await releaseAt(scope, appId, version)
  if (!taken) return
  throw refuse('version_taken', {
    detail: `The app has the release ${taken.version} already.`,
    currentStatus: taken.status,
  })
}

/**
 * Drafts a release: its record, and its copy of the workflow and of what hangs on it.
 * @throws action_missing, not_found, invalid_input, version_taken, integration_missing
 */
export class CreateRelease {
  constructor(private readonly scope: Scope) {}

  async handle(appId: string, input: CreateReleaseInput): Promise<Release> {
    const { scope } = this
    const app = await findApp(scope, appId)
    const createType = input.releaseType ?? 'release'
    scope.demand(createType === 'release' ? 'CreateDeleteRelease' : 'CreateHotfix')
    const version = demandVersion(input.version, '/version')
    this.#demandFieldsOfType(createType, input)
    const targets = {
      targetKickoffAt: input.targetKickoffAt ?? null,
      targetSubmitAt: input.targetSubmitAt ?? null,
      targetReleaseAt: input.targetReleaseAt ?? null,
    }
    demandTargetOrder(targets)
    const customMetadata = input.customMetadata
      ? metadataSet(input.customMetadata.entries, '/customMetadata/entries')
      : null
    await demandFreeVersion(scope, app.id, version)
    const baseTag =
      createType === 'hotfix' ? await hotfixBase(scope, app, version, input.baseTag) : null
    const rollback = createType === 'rollback' ? await this.#rollback(app, version, input) : null

    const pilotId = input.releasePilotId
      ? await findPilot(scope, input.releasePilotId)
      : await nextPilot(scope, app.id)
    const release = await scope.create(Release, {
      id: newId('rel'),
      appId: app.id,
      version: input.version,
      versionMajor: version.major,
      versionMinor: version.minor,
      versionPatch: version.patch,
      createType,
      releaseType: deriveReleaseType(
        createType,
        version,
        await siblingsBelow(scope, app.id, version),
        app.settings.defaultReleaseType
      ),
      releaseName: input.releaseName ?? null,
      releaseDescription: input.releaseDescription ?? null,
      status: initialStatus(createType, await trainMembers(scope, app.id)),
      statusBeforeSkip: null,
      phase: 'upcoming',
      pilotId,
      ...targets,
      kickedOffAt: null,
      submittedAt: null,
      approvedAt: null,
      releasedAt: null,
      completedAt: null,
      skippedAt: null,
      releaseBranch: null,
      baseTag,
      rollback,
      hotfixOptions: createType === 'hotfix' ? hotfixOptions(input) : null,
      regressionStatus: 'notStarted',
      readyToSubmit: false,
      readyToRelease: false,
      automationsPaused: false,
      settings: app.settings,
      customMetadata,
      createdBy: scope.actor,
      nextLookAt: null,
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    await new TakeOverId(scope).handle(app.id, version)

    recordReleaseEvent(scope, release, {
      type: 'release.created',
      title: `${release.version} was drafted`,
      data: { releaseType: release.releaseType, status: release.status },
      payload: {},
    })
    await adoptWorkflow(scope, release)
    await followVersions(scope, app.id, [version])
    return release
  }

  /** @throws invalid_input for fields of another kind of release, or missing ones. */
  #demandFieldsOfType(createType: CreateEditReleaseType, input: CreateReleaseInput): void {
    const errors: ProblemPlace[] = []
    if (createType !== 'hotfix') {
      for (const name of HOTFIX_FIELDS) {
        const value = input[name]
        if (value === undefined || value === null) continue
        const message = `${name} belongs to a hotfix, this is a ${createType}.`
        errors.push({ pointer: `/${name}`, code: 'hotfix_only', message })
      }
    }
    if (createType === 'rollback' && !input.rollback) {
      const message = 'A rollback names its sourceVersion and targetVersion.'
      errors.push({ pointer: '/rollback', code: 'required', message })
    }
    if (createType !== 'rollback' && input.rollback) {
      const message = `rollback belongs to a rollback, this is a ${createType}.`
      errors.push({ pointer: '/rollback', code: 'rollback_only', message })
    }
    if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
    this.#demandVersionControl(input)
  }

  /** Branches, bumps and cherry-picks are done by a version-control integration. */
  #demandVersionControl(input: CreateReleaseInput): void {
    const wanted = [
      ...(input.createBranch ? ['createBranch'] : []),
      ...(input.bumpVersion ? ['bumpVersion'] : []),
      ...(input.cherryPickCommits?.length ? ['cherryPickCommits'] : []),
    ]
    if (wanted.length === 0) return
    throw refuse('integration_missing', {
      detail: `${wanted.join(', ')} needs a version-control integration; the app has none.`,
    })
  }

  /** @throws invalid_input unless both versions are releases and the order of all three is right. */
  async #rollback(app: App, version: Version, input: CreateReleaseInput) {
    const { sourceVersion, targetVersion } = input.rollback!
    const source = demandVersion(sourceVersion, '/rollback/sourceVersion')
    const target = demandVersion(targetVersion, '/rollback/targetVersion')
    const found: [string, string, Version][] = [
      ['/rollback/sourceVersion', sourceVersion, source],
      ['/rollback/targetVersion', targetVersion, target],
    ]
    for (const [pointer, name, each] of found) {
      if (await releaseAt(this.scope, app.id, each)) continue
      throw refuseField(pointer, 'unknown_release', `The app has no release ${name}.`)
    }
    if (compareVersions(source, target) >= 0) {
      const message = 'The source of a rollback must be below the version it rolls back.'
      throw refuseField('/rollback/sourceVersion', 'below_target', message)
    }
    demandAboveTarget(version, target)
    return { sourceVersion, targetVersion }
  }
}

function hotfixOptions(input: CreateReleaseInput): HotfixOptions {
  return {
    createBranch: input.createBranch ?? false,
    bumpVersion: input.bumpVersion ?? false,
    cherryPickCommits: input.cherryPickCommits ?? [],
  }
}
