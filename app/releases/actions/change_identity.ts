import { findApp } from '#apps/queries/find_app'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { compareVersions, parseVersion, type Version } from '#workflow/version'
import { initialStatus } from '../engine/transitions.js'
import type Release from '../models/release.js'
import { requireVersion } from '../preconditions/require_version.js'
import { releaseAliases } from '../tables.js'
import type { UpdateReleaseInput } from '../validators/release_input.js'
import { ACTION_TO_CREATE, type CreateEditReleaseType } from '../vocabulary.js'
import { requireFreeVersion } from './create_release.js'
import { requireAllowed } from '../preconditions/require_allowed.js'
import { requireAboveBase, requireAboveTarget, hotfixBase } from '../queries/hotfix_base.js'
import { derivedType } from '../lifecycle/follow_versions.js'
import { trainMembers } from '../lifecycle/move_train.js'
import { TakeOverId } from './take_over_id.js'

/** The members that identify a release. */
interface Identity {
  version: string
  releaseType: Release['releaseType']
  status: Release['status']
}

/**
 * Changes the version and the kind of a release, which are fixed once it is kicked off. Changes the
 * model without saving it. The caller also has to apply the workflow and move the train.
 */
export class ChangeIdentity {
  constructor(private readonly scope: Scope) {}

  /**
   * Adds errors of another version or kind.
   * @throws action_missing, or a refusal because version and kind are fixed
   */
  async check(
    release: Release,
    input: PartiallyValid<UpdateReleaseInput>,
    errors: InputErrors
  ): Promise<void> {
    const { version: text } = input
    const version =
      text === undefined ? undefined : await errors.collect(() => requireVersion(text, '/version'))
    const createType = input.releaseType ?? release.createType
    const changesKind = createType !== release.createType
    const movesVersion = version && compareVersions(version, release.parts) !== 0
    if (!changesKind && !movesVersion && !isRespelt(release, version && text)) return
    this.scope.demand('EditRelease')
    await requireAllowed(this.scope, release, 'changeVersion')
    if (changesKind) {
      this.scope.demand(ACTION_TO_CREATE[createType])
    }
    if (changesKind && createType === 'rollback') {
      const message = 'A release cannot become a rollback; create one with its source and target.'
      errors.add({ pointer: '/releaseType', code: 'rollback', message })
      return
    }
    if (!errors.isWellFormed('/releaseType') || !errors.isWellFormed('/version')) return
    if (changesKind && createType === 'hotfix') {
      const app = await findApp(this.scope, release.appId)
      const reported = text === undefined ? release.parts : version
      await errors.collect(() => hotfixBase(this.scope, app, reported))
    } else if (movesVersion && !changesKind) {
      await errors.collect(() => this.#requireAboveOrigin(release, version))
    }
  }

  /**
   * Applies changes that `check` accepted.
   * @returns the changed members with their old and new values; null if nothing changes
   */
  async handle(
    release: Release,
    input: UpdateReleaseInput
  ): Promise<{ from: Partial<Identity>; to: Partial<Identity> } | null> {
    const version =
      input.version === undefined ? release.parts : requireVersion(input.version, '/version')
    const createType = input.releaseType ?? release.createType
    const movesVersion = compareVersions(version, release.parts) !== 0
    const changesKind = createType !== release.createType
    const respelt = isRespelt(release, input.version)
    if (!movesVersion && !changesKind && !respelt) return null

    const { scope } = this
    const from = identityOf(release)
    if (respelt && !movesVersion) release.version = input.version!
    if (changesKind) await this.#changeKind(release, createType, version)
    await this.#requireAboveOrigin(release, version)
    if (movesVersion) await this.#changeVersion(release, version, input.version!)
    release.releaseType = await derivedType(scope, release)
    return changed(from, identityOf(release))
  }

  /** Replaces the members of the old kind. The release gets a status as a new one would. */
  async #changeKind(release: Release, createType: CreateEditReleaseType, version: Version) {
    const { scope } = this
    const app = await findApp(scope, release.appId)
    release.merge({
      createType,
      rollback: null,
      baseTag: createType === 'hotfix' ? await hotfixBase(scope, app, version) : null,
      hotfixOptions:
        createType === 'hotfix'
          ? { createBranch: false, bumpVersion: false, cherryPickCommits: [] }
          : null,
    })
    if (release.status === 'skipped') return
    const members = await trainMembers(scope, release.appId)
    release.status = initialStatus(
      createType,
      members.filter((member) => member.id !== release.id)
    )
  }

  /** @throws invalid_input unless the version is above the base of a hotfix or rollback */
  async #requireAboveOrigin(release: Release, version: Version) {
    if (release.baseTag) {
      requireAboveBase(await findApp(this.scope, release.appId), version, release.baseTag.name)
    }
    const target = release.rollback && parseVersion(release.rollback.targetVersion)
    if (target) requireAboveTarget(version, target)
  }

  /** Keeps the old id as an alias, and takes over the new one from a release that gave it up. */
  async #changeVersion(release: Release, version: Version, text: string) {
    const { scope } = this
    await requireFreeVersion(scope, release.appId, version)
    await scope.insert(releaseAliases, [
      {
        appId: release.appId,
        releaseId: release.id,
        versionMajor: release.versionMajor,
        versionMinor: release.versionMinor,
        versionPatch: release.versionPatch,
        createdAt: scope.now,
      },
    ])
    release.merge({
      version: text,
      versionMajor: version.major,
      versionMinor: version.minor,
      versionPatch: version.patch,
    })
    await new TakeOverId(scope).handle(release.appId, version)
  }
}

/**
 * Returns whether the same version is spelled differently. The id changes with it; both ids keep
 * working.
 */
const isRespelt = ({ version }: Release, text: string | undefined): boolean =>
  text !== undefined && text !== version

const identityOf = ({ version, releaseType, status }: Release): Identity => ({
  version,
  releaseType,
  status,
})

function changed(from: Identity, to: Identity) {
  const names = (['version', 'releaseType', 'status'] as const).filter(
    (name) => from[name] !== to[name]
  )
  const only = (identity: Identity): Partial<Identity> =>
    Object.fromEntries(names.map((name) => [name, identity[name]]))
  return { from: only(from), to: only(to) }
}
