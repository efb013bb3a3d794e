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

/** A class of version control with one method replaced. */
function another<Name extends Method>(
  Base: VersionControlClass,
  name: Name,
  method: (code: FullVersionControl, ...given: Given<Name>) => Answer<Name>
): VersionControlClass {
  const Another = class extends Base {}
  const before: unknown = Reflect.get(Base.prototype as object, name)
  Object.defineProperty(Another.prototype, name, {
    value(this: FullVersionControl, ...given: Given<Name>) {
      const code = Object.create(this, { [name]: { value: before } }) as FullVersionControl
      return method(code, ...given)
    },
  })
  return Another
}

const hasCode = (error: unknown, code: string) => (error as ProviderError).code === code

/** Treats every conflict as a success. */
const unlessConflicting = <Result>(call: Promise<Result>, otherwise: Result): Promise<Result> =>
  call.catch((error: unknown) => {
    if (hasCode(error, 'conflict')) return otherwise
    throw error
  })

const mutationLike = ({ idempotencyKey }: Mutation, more: string) => ({
  idempotencyKey: `${idempotencyKey} ${more}`,
})

/** An idempotency key that nothing has seen before. */
let keys = 0
const unknown = () => ({ idempotencyKey: `unknown ${++keys}` })

/**
 * Changes that break one rule each, for any class of version control: they are tried on the sample,
 * and on the provider `git` with real repositories.
 */
export const brokenCode: Record<string, (Base: VersionControlClass) => VersionControlClass> = {
  C0: (Base) =>
    another(
      Base,
      'getBranch',
      async (code, name) => (await code.getBranch(name)) ?? { name, sha: '', protected: null }
    ),
  C1: (Base) =>
    another(Base, 'getBranch', async (code, name) => {
      const found = await code.getBranch(name)
      return found && { ...found, name: `refs/heads/${name}` }
    }),
  C2: (Base) =>
    another(Base, 'createBranch', async (code, name, sha, m) => {
      if (await code.getBranch(name)) {
        throw new ProviderError('conflict', 'It is there', { outcome: 'notApplied' })
      }
      return code.createBranch(name, sha, m)
    }),
  C3: (Base) =>
    another(Base, 'createBranch', (code, name, sha, m) =>
      unlessConflicting(code.createBranch(name, sha, m), { name, sha })
    ),
  C4: (Base) =>
    another(Base, 'compare', async (code, ...given) => {
      const { ahead, behind, ...page } = await code.compare(...given)
      const isShort = page.items.length === 0
      return { ...page, ahead, behind: isShort ? ahead : behind }
    }),
  C5: (Base) =>
    another(Base, 'compare', async (code, ...given) => {
      const { items, ahead, behind } = await code.compare(...given)
      return { items: items.slice(0, 50), ahead, behind }
    }),
  C6: (Base) =>
    another(Base, 'compare', (code, ...given) =>
      code.compare(...given).catch((error: unknown) => {
        if (hasCode(error, 'notFound')) return { items: [], ahead: 0, behind: 0 }
        throw error
      })
    ),
  C7: (Base) => another(Base, 'listTags', (code, _prefix, cursor) => code.listTags('', cursor)),
  C8: (Base) =>
    another(Base, 'createTag', (code, name, sha, message, m) =>
      unlessConflicting(code.createTag(name, sha, message, m), { id: name })
    ),
  C9: (Base) =>
    another(Base, 'readFile', async (code, path, ref) => {
      const file = await code.readFile(path, ref)
      if (!path.startsWith('docs/')) return file
      return file && { ...file, text: file.text.replaceAll('\r\n', '\n') }
    }),
  C10: (Base) =>
    another(Base, 'commitFiles', async (code, branch, files, message, m) => {
      let made!: Commit
      for (const [index, file] of files.entries()) {
        const key = index === 0 ? m : mutationLike(m, file.path)
        made = await code.commitFiles(branch, [file], message, key)
      }
      return made
    }),
  C11: (Base) =>
    another(Base, 'commitFiles', (code, branch, files, message, m) => {
      const blind = files.map(({ path, text }) => ({ path, text }))
      return code.commitFiles(branch, blind, message, m)
    }),
  C12: (Base) =>
    another(Base, 'cherryPick', async (code, sha, onto, patchBranch, m) => {
      if (onto !== patchBranch) return code.cherryPick(sha, onto, patchBranch, m)
      const { sha: picked } = await code.cherryPick(sha, onto, patchBranch, m)
      return { sha: picked, branch: `refs/heads/${patchBranch}` }
    }),
  C13: (Base) =>
    another(Base, 'cherryPick', async (code, sha, onto, patchBranch, m) => {
      const picked = await code.cherryPick(sha, onto, patchBranch, m)
      if (onto !== patchBranch) await code.cherryPick(sha, onto, onto, mutationLike(m, 'both'))
      return picked
    }),
  C14: (Base) =>
    another(Base, 'cherryPick', async (code, sha, onto, patchBranch, m) => {
      const isOwn = onto !== patchBranch
      try {
        return await code.cherryPick(sha, onto, patchBranch, m)
      } catch (error) {
        const tip = isOwn && hasCode(error, 'conflict') ? await code.getBranch(onto) : null
        if (tip) await code.createBranch(patchBranch, tip.sha, mutationLike(m, 'branch'))
        throw error
      }
    }),
  C15: (Base) =>
    another(Base, 'cherryPick', async (code, sha, onto, patchBranch, m) => {
      const { items } = await code.compare(sha, onto)
      const isThere = items.some(({ message }) => message.includes(`from commit ${sha}`))
      if (isThere) throw new ProviderError('conflict', 'It is there', { outcome: 'notApplied' })
      return code.cherryPick(sha, onto, patchBranch, m)
    }),
  C16: (Base) =>
    another(Base, 'mergeBranch', async (code, ...given) => ({
      ...(await code.mergeBranch(...given)),
      isMerged: true,
    })),
  C17: (Base) =>
    another(Base, 'mergeBranch', (code, from, into, message, m, resolved) =>
      resolved
        ? code.mergeBranch(from, into, message, m, resolved)
        : unlessConflicting(code.mergeBranch(from, into, message, m), { sha: '', isMerged: false })
    ),
  C18: (Base) =>
    another(Base, 'openPullRequest', (code, head, base, title, body) =>
      code.openPullRequest(head, base, title, body, unknown())
    ),
  C19: (Base) =>
    another(Base, 'getPullRequest', async (code, number) => {
      const pull = await code.getPullRequest(number)
      if (pull?.status.state !== 'merged') return pull
      return { ...pull, status: { ...pull.status, state: 'closed' as const } }
    }),
  C20: (Base) =>
    another(Base, 'pullRequestsForCommit', async (code) => {
      const pull = await code.getPullRequest(7)
      return pull ? [pull] : []
    }),
  C21: (Base) =>
    another(Base, 'mergePullRequest', async (code, number, how, _sha, m) => {
      const pull = await code.getPullRequest(number)
      return code.mergePullRequest(number, how, pull?.sha ?? '', m)
    }),
  C22: (Base) =>
    another(Base, 'createRelease', (code, tag, title, notes, m) =>
      code.createRelease(tag, title, notes.replaceAll(/[“”]/g, '"'), m)
    ),
  C23: (Base) =>
    another(Base, 'listOpenPullRequests', async (code) => {
      const { items } = await code.listOpenPullRequests()
      return { items }
    }),
  C24: (Base) =>
    another(Base, 'setStatus', (code, sha, status, m) =>
      code.setStatus(sha, { ...status, state: 'pending' }, m)
    ),
  C25: (Base) =>
    another(Base, 'patchIds', async (_code, shas) =>
      Object.fromEntries(shas.map((sha) => [sha, sha]))
    ),
  C26: (Base) =>
    another(Base, 'mergeBranch', (code, from, ...given) =>
      code.mergeBranch(/^[0-9a-f]{40}$/.test(from) ? 'release/1.0.0' : from, ...given)
    ),
  C27: (Base) =>
    another(Base, 'mergeBranch', (code, from, into, message, m) =>
      code.mergeBranch(from, into, message, m)
    ),
}

export const brokenSource: Record<string, () => ConformanceOptions> = {
  ...Object.fromEntries(
    Object.entries(brokenCode).map(([id, broken]): [string, () => ConformanceOptions] => [
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
