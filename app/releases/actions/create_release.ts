import { requirePriority } from '../preconditions/require_priority.js'
import { findApp } from '#apps/queries/find_app'
import type App from '#apps/models/app'
import type { Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { compareVersions, type Version } from '#workflow/version'
import { deriveReleaseType } from '../engine/release_type.js'
import { initialStatus } from '../engine/transitions.js'
import Release from '../models/release.js'
import type { HotfixOptions } from '../tables.js'
import { findPilot, nextPilot } from '../queries/find_pilot.js'
import { releaseAt } from '../queries/find_release.js'
import { siblingsBelow } from '../queries/siblings_below.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { requireTargetOrder, type Targets } from '../lifecycle/target_dates.js'
import { stateOf } from '../preconditions/state_of.js'
import { requireBelowReleaseLimit } from '../preconditions/require_release_limit.js'
import { requireVersion } from '../preconditions/require_version.js'
import { metadataSet, type CustomMetadataEntry } from '../texts/custom_metadata.js'
import { codePort } from '../ports.js'
import type { CreateReleaseInput } from '../validators/release_input.js'
import { ACTION_TO_CREATE, type CreateEditReleaseType } from '../vocabulary.js'
import { adoptWorkflow } from '../lifecycle/adopt_workflow.js'
import { updateReleaseTypes } from '../lifecycle/follow_versions.js'
import { requireAboveTarget, hotfixBase, type NamedTag } from '../queries/hotfix_base.js'
import { trainMembers } from '../lifecycle/move_train.js'
import { TakeOverId } from './take_over_id.js'

const HOTFIX_FIELDS = ['baseTag', 'cherryPickCommits'] as const

/** @throws version_taken when the app already has a release of the version */
export async function requireFreeVersion(
  scope: Scope,
  appId: string,
  version: Version
): Promise<void> {
  const taken = await releaseAt(scope, appId, version)
  if (!taken) return
  throw refuse('version_taken', {
    detail: `The app already has the release ${taken.version}.`,
    ...stateOf(taken),
  })
}

/** The checked members of a request for a release. */
interface Wanted {
  app: App
  createType: CreateEditReleaseType
  version: Version
  targets: Targets
  customMetadata: CustomMetadataEntry[] | null
  baseTag: Release['baseTag']
  rollback: Release['rollback']
  pilotId: string | null
}

/**
 * Drafts a release with its copies of the workflow, the items and other definitions of the app.
 * @throws action_missing, not_found, invalid_input, version_taken, integration_missing,
 * too_many_open_releases
 */
export class CreateRelease {
  constructor(private readonly scope: Scope) {}

  async handle(appId: string, input: CreateReleaseInput): Promise<Release> {
    const { scope } = this
    const errors = new InputErrors()
    const wanted = await this.check(appId, input, errors)
    errors.throwIfAny()
    const { app, createType, version, targets, customMetadata, baseTag, rollback, pilotId } =
      wanted as Wanted
    await this.#requireVersionControl(app.id, input)
    await requireFreeVersion(scope, app.id, version)
    await requireBelowReleaseLimit(scope, app.id)
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
      inAppUpdatePriority: input.inAppUpdatePriority ?? null,
      kickedOffAt: null,
      submittedAt: null,
      approvedAt: null,
      releasedAt: null,
      haltedAt: null,
      completedAt: null,
      skippedAt: null,
      releaseBranch: null,
      tag: null,
      baseTag,
      rollback,
      hotfixOptions: hotfixOptions(createType, input),
      regressionStatus: 'notStarted',
      readyToSubmit: false,
      readyToRelease: false,
      automationsPaused: false,
      imported: false,
      settings: app.settings,
      customMetadata,
      createdBy: scope.actor,
      nextEvaluationAt: null,
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
    await adoptWorkflow(scope, release, { isNew: true })
    await updateReleaseTypes(scope, app.id, [version])
    if (input.createBranch) await this.#cutBranch(release)
    return release
  }

  /**
   * Adds errors of a request that its schema cannot express.
   * @returns the checked members; all of them are present when there is no fault
   * @throws action_missing, not_found
   */
  async check(
    appId: string,
    input: PartiallyValid<CreateReleaseInput>,
    errors: InputErrors
  ): Promise<Partial<Wanted>> {
    const { scope } = this
    const app = await findApp(scope, appId)
    const isKnown = errors.isWellFormed('/releaseType')
    const createType = isKnown ? (input.releaseType ?? 'release') : undefined
    if (createType) scope.demand(ACTION_TO_CREATE[createType])
    const { version: text, rollback, releasePilotId, customMetadata } = input
    const version =
      text === undefined ? undefined : await errors.collect(() => requireVersion(text, '/version'))
    // A taken version is only reported as version_taken, which find-or-create clients rely on.
    const free = version && (await releaseAt(scope, app.id, version)) ? undefined : version
    if (createType) fieldErrors(createType, input, errors)
    if (input.createBranch) scope.demand('CreateBranchPromoteCode')
    if (input.bumpVersion) requireBump(scope, app, errors)
    await errors.collect(async () => requirePriority(app.platform, input.inAppUpdatePriority))
    const targets = targetsOf(input)
    await errors.collect(() => requireTargetOrder(targets))
    return {
      app,
      createType,
      version,
      targets,
      customMetadata: customMetadata?.entries
        ? metadataSet(customMetadata.entries, '/customMetadata/entries', errors)
        : null,
      rollback:
        createType === 'rollback' && rollback
          ? await this.#rollback(app, free, rollback, errors)
          : null,
      baseTag:
        createType === 'hotfix' && errors.isWellFormed('/baseTag')
          ? await errors.collect(() => hotfixBase(scope, app, free, input.baseTag as NamedTag))
          : null,
      pilotId: await this.#pilot(app, releasePilotId, targets.targetKickoffAt, errors),
    }
  }

  #pilot(
    app: App,
    named: string | null | undefined,
    kickoffAt: Instant | null,
    errors: InputErrors
  ) {
    const { scope } = this
    if (named) return errors.collect(() => findPilot(scope, named))
    if (!errors.isWellFormed('/releasePilotId')) return undefined
    return nextPilot(scope, app.id, kickoffAt ?? scope.now)
  }

  /** @throws integration_missing when the request needs version control and the app has none */
  async #requireVersionControl(appId: string, input: CreateReleaseInput): Promise<void> {
    const wanted = [
      ...(input.createBranch ? ['createBranch'] : []),
      ...(input.bumpVersion ? ['bumpVersion'] : []),
      ...(input.cherryPickCommits?.length ? ['cherryPickCommits'] : []),
    ]
    if (wanted.length === 0 || (await codePort.provided.isKnown(this.scope, appId))) return
    throw refuse('integration_missing', {
      detail: `${wanted.join(', ')} needs a version-control integration; the app has none.`,
    })
  }

  /** @throws integration_missing if the app's settings name no branch to cut */
  async #cutBranch(release: Release): Promise<void> {
    if ((await codePort.provided.requestBranch(this.scope, release)).kind !== 'none') return
    throw refuse('integration_missing', {
      detail: 'createBranch needs branchSettings with a pattern for the branch of the release.',
    })
  }

  /** Adds a fault unless both versions are releases and the order of all three is right. */
  async #rollback(
    app: App,
    version: Version | undefined,
    { sourceVersion, targetVersion }: PartiallyValid<NonNullable<CreateReleaseInput['rollback']>>,
    errors: InputErrors
  ): Promise<Release['rollback'] | undefined> {
    const source = await this.#knownVersion(app, 'sourceVersion', sourceVersion, errors)
    const target = await this.#knownVersion(app, 'targetVersion', targetVersion, errors)
    if (source && target && compareVersions(source, target) >= 0) {
      const message = 'The source of a rollback must be below the version it rolls back.'
      errors.add({ pointer: '/rollback/sourceVersion', code: 'below_target', message })
    }
    if (version && target) await errors.collect(() => requireAboveTarget(version, target))
    return { sourceVersion: sourceVersion!, targetVersion: targetVersion! }
  }

  /** Parses the version of an existing release. Adds a fault if there is none. */
  async #knownVersion(app: App, name: string, text: string | undefined, errors: InputErrors) {
    if (text === undefined) return undefined
    const pointer = `/rollback/${name}`
    const version = await errors.collect(() => requireVersion(text, pointer))
    if (!version) return undefined
    if (await releaseAt(this.scope, app.id, version)) return version
    errors.add({ pointer, code: 'unknown_release', message: `The app has no release ${text}.` })
    return undefined
  }
}

/** Adds a fault if the app has no version files. @throws action_missing */
function requireBump(scope: Scope, app: App, errors: InputErrors): void {
  scope.demand('BumpVersion')
  if (app.settings.versionFiles.length > 0) return
  const message = 'The settings of the app name no versionFiles that contain the version.'
  errors.add({ pointer: '/bumpVersion', code: 'no_version_files', message })
}

/** Adds errors for fields of another kind of release, and for missing fields. */
function fieldErrors(
  createType: CreateEditReleaseType,
  input: PartiallyValid<CreateReleaseInput>,
  errors: InputErrors
): void {
  if (createType !== 'hotfix') {
    for (const name of HOTFIX_FIELDS) {
      const value = input[name]
      if ((value === undefined || value === null) && errors.isWellFormed(`/${name}`)) continue
      const message = `${name} is only for hotfixes; this is a ${createType}.`
      errors.add({ pointer: `/${name}`, code: 'hotfix_only', message })
    }
  }
  if (createType === 'rollback' && input.bumpVersion) {
    const message = 'A rollback ships an existing build: no version is bumped.'
    errors.add({ pointer: '/bumpVersion', code: 'rollback', message })
  }
  const isGiven = Boolean(input.rollback) || !errors.isWellFormed('/rollback')
  if (createType === 'rollback' && !isGiven) {
    const message = 'A rollback needs a sourceVersion and a targetVersion.'
    errors.add({ pointer: '/rollback', code: 'required', message })
  }
  if (createType !== 'rollback' && isGiven) {
    const message = `rollback is only for rollbacks; this is a ${createType}.`
    errors.add({ pointer: '/rollback', code: 'rollback_only', message })
  }
}

const targetsOf = (input: PartiallyValid<CreateReleaseInput>): Targets => ({
  targetKickoffAt: input.targetKickoffAt ?? null,
  targetSubmitAt: input.targetSubmitAt ?? null,
  targetReleaseAt: input.targetReleaseAt ?? null,
})

function hotfixOptions(
  createType: CreateEditReleaseType,
  input: CreateReleaseInput
): HotfixOptions | null {
  const { createBranch = false, bumpVersion = false, cherryPickCommits } = input
  if (createType !== 'hotfix' && !bumpVersion) return null
  return { createBranch, bumpVersion, cherryPickCommits: cherryPickCommits ?? [] }
}
