import type { Commit } from '../../capabilities/source.js'
import type { ConformanceOptions } from '../../conformance/options.js'
import type { Mutation } from '../../context.js'
import { ProviderError } from '../../provider_error.js'
import {
  SampleVersionControl,
  sourceSample,
  type FullVersionControl,
  type VersionControlClass,
} from './source_sample.js'

type Method = keyof FullVersionControl
type Given<Name extends Method> = Parameters<FullVersionControl[Name]>
type Answer<Name extends Method> = ReturnType<FullVersionControl[Name]>

/** Returns a class with one method replaced, which may call the `original` ones. */
function withMethod<Name extends Method>(
  Base: VersionControlClass,
  name: Name,
  method: (original: FullVersionControl, ...given: Given<Name>) => Answer<Name>
): VersionControlClass {
  const Changed = class extends Base {}
  const replaced: unknown = Reflect.get(Base.prototype as object, name)
  Object.defineProperty(Changed.prototype, name, {
    value(this: FullVersionControl, ...given: Given<Name>) {
      const original = Object.create(this, { [name]: { value: replaced } }) as FullVersionControl
      return method(original, ...given)
    },
  })
  return Changed
}

const hasCode = (error: unknown, code: string) => (error as ProviderError).code === code

/** Returns the result of a call, and the given one if the call fails with a conflict. */
const ignoreConflict = <Result>(call: Promise<Result>, result: Result): Promise<Result> =>
  call.catch((error: unknown) => {
    if (hasCode(error, 'conflict')) return result
    throw error
  })

const derivedKey = ({ idempotencyKey }: Mutation, more: string) => ({
  idempotencyKey: `${idempotencyKey} ${more}`,
})

let keys = 0
/** Returns a new idempotency key with every call. */
const freshKey = () => ({ idempotencyKey: `unknown ${++keys}` })

/**
 * Functions that derive a version control that breaks one rule, by the id of the rule. The base
 * class is the sample, or the one of the provider `git` with real repositories.
 */
export const brokenVersionControl: Record<
  string,
  (Base: VersionControlClass) => VersionControlClass
> = {
  C0: (Base) =>
    withMethod(
      Base,
      'getBranch',
      async (original, name) =>
        (await original.getBranch(name)) ?? { name, sha: '', protected: null }
    ),
  C1: (Base) =>
    withMethod(Base, 'getBranch', async (original, name) => {
      const found = await original.getBranch(name)
      return found && { ...found, name: `refs/heads/${name}` }
    }),
  C2: (Base) =>
    withMethod(Base, 'createBranch', async (original, name, sha, m) => {
      if (await original.getBranch(name)) {
        throw new ProviderError('conflict', 'It is there', { outcome: 'notApplied' })
      }
      return original.createBranch(name, sha, m)
    }),
  C3: (Base) =>
    withMethod(Base, 'createBranch', (original, name, sha, m) =>
      ignoreConflict(original.createBranch(name, sha, m), { name, sha })
    ),
  C4: (Base) =>
    withMethod(Base, 'compare', async (original, ...given) => {
      const { ahead, behind, ...page } = await original.compare(...given)
      const isShort = page.items.length === 0
      return { ...page, ahead, behind: isShort ? ahead : behind }
    }),
  C5: (Base) =>
    withMethod(Base, 'compare', async (original, ...given) => {
      const { items, ahead, behind } = await original.compare(...given)
      return { items: items.slice(0, 50), ahead, behind }
    }),
  C6: (Base) =>
    withMethod(Base, 'compare', (original, ...given) =>
      original.compare(...given).catch((error: unknown) => {
        if (hasCode(error, 'notFound')) return { items: [], ahead: 0, behind: 0 }
        throw error
      })
    ),
  C7: (Base) =>
    withMethod(Base, 'listTags', (original, _prefix, cursor) => original.listTags('', cursor)),
  C8: (Base) =>
    withMethod(Base, 'createTag', (original, name, sha, message, m) =>
      ignoreConflict(original.createTag(name, sha, message, m), { id: name })
    ),
  C9: (Base) =>
    withMethod(Base, 'readFile', async (original, path, ref) => {
      const file = await original.readFile(path, ref)
      if (!path.startsWith('docs/')) return file
      return file && { ...file, text: file.text.replaceAll('\r\n', '\n') }
    }),
  C10: (Base) =>
    withMethod(Base, 'commitFiles', async (original, branch, files, message, m) => {
      let made!: Commit
      for (const [index, file] of files.entries()) {
        const key = index === 0 ? m : derivedKey(m, file.path)
        made = await original.commitFiles(branch, [file], message, key)
      }
      return made
    }),
  C11: (Base) =>
    withMethod(Base, 'commitFiles', (original, branch, files, message, m) => {
      const blind = files.map(({ path, text }) => ({ path, text }))
      return original.commitFiles(branch, blind, message, m)
    }),
  C12: (Base) =>
    withMethod(Base, 'cherryPick', async (original, sha, onto, patchBranch, m) => {
      if (onto !== patchBranch) return original.cherryPick(sha, onto, patchBranch, m)
      const { sha: picked } = await original.cherryPick(sha, onto, patchBranch, m)
      return { sha: picked, branch: `refs/heads/${patchBranch}` }
    }),
  C13: (Base) =>
    withMethod(Base, 'cherryPick', async (original, sha, onto, patchBranch, m) => {
      const picked = await original.cherryPick(sha, onto, patchBranch, m)
      if (onto !== patchBranch) await original.cherryPick(sha, onto, onto, derivedKey(m, 'both'))
      return picked
    }),
  C14: (Base) =>
    withMethod(Base, 'cherryPick', async (original, sha, onto, patchBranch, m) => {
      const isOwn = onto !== patchBranch
      try {
        return await original.cherryPick(sha, onto, patchBranch, m)
      } catch (error) {
        const tip = isOwn && hasCode(error, 'conflict') ? await original.getBranch(onto) : null
        if (tip) await original.createBranch(patchBranch, tip.sha, derivedKey(m, 'branch'))
        throw error
      }
    }),
  C15: (Base) =>
    withMethod(Base, 'cherryPick', async (original, sha, onto, patchBranch, m) => {
      const { items } = await original.compare(sha, onto)
      const isThere = items.some(({ message }) => message.includes(`from commit ${sha}`))
      if (isThere) throw new ProviderError('conflict', 'It is there', { outcome: 'notApplied' })
      return original.cherryPick(sha, onto, patchBranch, m)
    }),
  C16: (Base) =>
    withMethod(Base, 'mergeBranch', async (original, ...given) => ({
      ...(await original.mergeBranch(...given)),
      isMerged: true,
    })),
  C17: (Base) =>
    withMethod(Base, 'mergeBranch', (original, from, into, message, m, resolved) =>
      resolved
        ? original.mergeBranch(from, into, message, m, resolved)
        : ignoreConflict(original.mergeBranch(from, into, message, m), { sha: '', isMerged: false })
    ),
  C18: (Base) =>
    withMethod(Base, 'openPullRequest', (original, head, base, title, body) =>
      original.openPullRequest(head, base, title, body, freshKey())
    ),
  C19: (Base) =>
    withMethod(Base, 'getPullRequest', async (original, number) => {
      const pull = await original.getPullRequest(number)
      if (pull?.status.state !== 'merged') return pull
      return { ...pull, status: { ...pull.status, state: 'closed' as const } }
    }),
  C20: (Base) =>
    withMethod(Base, 'pullRequestsForCommit', async (original) => {
      const pull = await original.getPullRequest(7)
      return pull ? [pull] : []
    }),
  C21: (Base) =>
    withMethod(Base, 'mergePullRequest', async (original, number, how, _sha, m) => {
      const pull = await original.getPullRequest(number)
      return original.mergePullRequest(number, how, pull?.sha ?? '', m)
    }),
  C22: (Base) =>
    withMethod(Base, 'createRelease', (original, tag, title, notes, m) =>
      original.createRelease(tag, title, notes.replaceAll(/[“”]/g, '"'), m)
    ),
  C23: (Base) =>
    withMethod(Base, 'listOpenPullRequests', async (original) => {
      const { items } = await original.listOpenPullRequests()
      return { items }
    }),
  C24: (Base) =>
    withMethod(Base, 'setStatus', (original, sha, status, m) =>
      original.setStatus(sha, { ...status, state: 'pending' }, m)
    ),
  C25: (Base) =>
    withMethod(Base, 'patchIds', async (_original, shas) =>
      Object.fromEntries(shas.map((sha) => [sha, sha]))
    ),
  C26: (Base) =>
    withMethod(Base, 'mergeBranch', (original, from, ...given) =>
      original.mergeBranch(/^[0-9a-f]{40}$/.test(from) ? 'release/1.0.0' : from, ...given)
    ),
  C27: (Base) =>
    withMethod(Base, 'mergeBranch', (original, from, into, message, m) =>
      original.mergeBranch(from, into, message, m)
    ),
}

export const brokenSource: Record<string, () => ConformanceOptions> = {
  ...Object.fromEntries(
    Object.entries(brokenVersionControl).map(([id, broken]): [string, () => ConformanceOptions] => [
      `versionControl.${id}`,
      () => sourceSample({ code: broken(SampleVersionControl) }),
    ])
  ),
  'versionControl.R7': () =>
    sourceSample({
      code: class extends SampleVersionControl {
        protected override pullOf(pull: Parameters<SampleVersionControl['pullOf']>[0]) {
          const reported = super.pullOf(pull)
          const { state } = reported.status
          return state === 'unknown'
            ? { ...reported, status: { ...reported.status, state: 'closed' as const } }
            : reported
        }
      },
    }),
}
