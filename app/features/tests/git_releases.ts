import type { TestContext } from '@japa/runner/core'
import { makeFeatures } from './support.js'
import { Worktree } from './worktree.js'

/**
 * Makes an app with a repository that people use by git alone.
 * @param hasEarlier whether a tag marks a version before the first release
 */
export async function makeRepository(cleanup: TestContext['cleanup'], { hasEarlier = true } = {}) {
  const made = await makeFeatures(cleanup)
  const { repository, admin, app, path, look, release, kickOff } = made
  const begin = repository.commit()
  if (hasEarlier) repository.git('tag', 'v0.9.0', begin)
  const git = new Worktree(cleanup, repository)
  const hashes = new Map<string, string>()
  const change = (branch: string, name: string, message?: string) => {
    const hash = git.change(branch, name, message)
    if (!hashes.has(name)) hashes.set(name, hash)
    return hash
  }
  const versions: string[] = []
  return {
    ...made,
    git,
    change,
    hashes,
    versions,
    /** Drafts a version, and cuts its branch. */
    async cut(version: string) {
      await release(version)
      await kickOff(version)
      versions.unshift(version)
      await look()
    },
    /** Ships the branch of a version. */
    async ship(version: string, branch = `release/${version}`) {
      await look()
      repository.git('tag', `v${version}`, branch)
      const { status, text } = await admin.put(`${path(version)}/complete`)
      if (status !== 200) throw new Error(text)
      await look()
    },
    /** Returns the versions that have a change, according to the service. */
    async reported(name: string): Promise<string[]> {
      const { body } = await admin.get(`/app/${app}/whereIs?commit=${hashes.get(name)}`)
      return (body.apps?.[0].releases ?? []).map(({ version }: any) => version)
    },
    /**
     * Returns the same according to git: by their branches, or by their tags once they are shipped.
     */
    inGit(name: string): string[] {
      const tags = repository.git('tag', '--list').split('\n')
      return versions.filter((version) =>
        git.has(tags.includes(`v${version}`) ? `v${version}` : branchOf(version), name)
      )
    },
  }
}

const branchOf = (version: string) =>
  version.endsWith('.0') ? `release/${version}` : `hotfix/${version}`
