import { Type, type Static } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type { Tag, VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import type Release from '#releases/models/release'
import { candidatesPort } from '#releases/ports'
import { recordCode } from '#releases/lifecycle/record_code'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { tagName } from '#releases/names/tag_names'
import { planningPort } from '#releases/ports'
import { findRepository } from '../repository/app_repository.js'
import { codeCommand, onCodeCommand, placeOf } from '../code_commands.js'
import { findTag, isFullHash } from '../repository/find_tag.js'
import { codeBranchOf } from '../repository/release_branch.js'
import { requestNotes } from './publish_notes.js'
import { releaseTag } from '../repository/release_tags.js'
import { entityKeyOf } from '../branches/request_branch.js'
import type { CodeCommand } from '#releases/ports'

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** The commit of what was released is to be tagged. */
export const tagKind = commandKind(
  'release.tag',
  codeCommand({
    name: Type.String(),
    version: Type.String(),
    /** The commit of the build that ships; null for the tip of the branch. */
    commit: textOrNull,
    branch: textOrNull,
  }),
  'versionControl'
)
type Wanted = Static<(typeof tagKind)['payload']>

/**
 * Plans that a worker tags what was released, once per tag: the commit of the build that ships, or
 * the tip of the release branch if no build is known.
 */
export async function requestTag(scope: Scope, release: Release): Promise<CodeCommand> {
  const repository = await findRepository(scope, release.appId)
  if (!repository) return { kind: 'blocked', reason: 'The app has no version-control integration.' }
  const commit = await shippedCommit(scope, release)
  const branch = codeBranchOf(repository, release)
  if (commit === null && branch === null) {
    return { kind: 'blocked', reason: 'It has no branch, and no build whose commit is known.' }
  }
  const { version } = release
  const name = tagName(repository.app, version)
  await scope.jobs.command(tagKind, {
    subject: release.id,
    entityKey: entityKeyOf(release),
    idempotencyKey: `${release.id} ${name}`,
    payload: { ...placeOf(scope, repository), name, version, commit, branch },
  })
  return { kind: 'underWay' }
}

async function shippedCommit(scope: Scope, release: Release): Promise<string | null> {
  const commit = await candidatesPort.provided.shippedCommit(scope, release)
  return commit && isFullHash(commit) ? commit : null
}

/** The tag of a release. */
interface Tagged {
  tag: Tag
  isFound: boolean
  /** True if the host publishes notes with it; tags that others made are left as they are. */
  takesNotes: boolean
}

const hasReleases = ({ createRelease }: VersionControl) => createRelease !== undefined

/** Tags a release, or finds its tag; a tag of that name with other code is an error. */
export const tagRelease = onCodeCommand(tagKind, {
  action: 'tag',
  async call(versionControl, { payload, idempotencyKey }): Promise<Tagged> {
    const existing = await findTag(versionControl, payload.name)
    if (existing) {
      if (await standsFor(versionControl, existing, payload)) {
        return { tag: existing, isFound: true, takesNotes: false }
      }
      const message = `The tag ${payload.name} already exists and points to ${existing.sha}`
      throw new ProviderError('conflict', message, { outcome: 'notApplied', reason: 'exists' })
    }
    const { name, version } = payload
    const sha = payload.commit ?? (await tipOf(versionControl, payload.branch!))
    const created = await versionControl.createTag(name, sha, version, { idempotencyKey })
    const at = (await findTag(versionControl, name))?.at
    const tag = { name, sha, at: at ?? '', url: created.url }
    return { tag, isFound: false, takesNotes: hasReleases(versionControl) }
  },
  async find(versionControl, { payload }) {
    const tag = await findTag(versionControl, payload.name)
    if (!tag || !(await standsFor(versionControl, tag, payload))) return null
    // Most likely an earlier attempt has made it.
    return { tag, isFound: true, takesNotes: hasReleases(versionControl) }
  },
  async done(scope, release, { payload }, { tag, isFound, takesNotes }: Tagged) {
    const { name, sha } = tag
    const { app } = (await findRepository(scope, release.appId)) ?? { app: { tagSettings: [] } }
    const shown = releaseTag(app, { ...tag, at: tag.at || scope.now })
    const version = shown.version ?? payload.version
    await recordCode(scope, release, { tag: { ...shown, version } })
    recordReleaseEvent(scope, release, {
      type: 'release.tagged',
      title: isFound ? `The tag ${name} already exists` : `${payload.version} was tagged ${name}`,
      data: { tag: name, commitHash: sha, found: isFound },
      payload: null,
    })
    if (takesNotes) await requestNotes(scope, release, payload, name)
    await planningPort.provided.ended(scope, release, {
      action: 'tag',
      askedBy: payload.askedBy,
      result: 'done',
    })
  },
  async failed(scope, release, { payload }, why) {
    const { name, askedBy, connectionId: connection } = payload
    const reason = `The tag ${name} could not be created: ${why}`.slice(0, 500)
    recordReleaseEvent(scope, release, {
      type: 'release.tagFailed',
      title: reason,
      data: { tag: name, connection },
      payload: null,
    })
    await planningPort.provided.ended(scope, release, {
      action: 'tag',
      askedBy,
      result: 'failed',
      reason,
    })
  },
})

async function tipOf(versionControl: VersionControl, branch: string): Promise<string> {
  const found = await versionControl.getBranch(branch)
  if (found) return found.sha
  const message = `There is no branch ${branch}`
  throw new ProviderError('notFound', message, { outcome: 'notApplied', reason: 'branch' })
}

/** Returns whether a tag marks the intended commit, or one that the branch contains. */
async function standsFor(
  versionControl: VersionControl,
  { sha }: Tag,
  { commit, branch }: Pick<Wanted, 'commit' | 'branch'>
): Promise<boolean> {
  if (commit !== null) return sha === commit
  return (await versionControl.compare(branch!, sha)).ahead === 0
}
