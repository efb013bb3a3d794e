import { refused } from './failures.js'
import type { GitProgram } from './git_program.js'

/** `git merge-tree --write-tree`, with which commits are picked, came with 2.38. */
const MIN_VERSION = { major: 2, minor: 38 }

/** Sees whether the program is new enough. @throws ProviderError `preconditionFailed`, `unavailable` */
export async function requireVersion(git: GitProgram): Promise<string> {
  const { stdout } = await git.run(['version'])
  const said = stdout.toString('utf8').trim()
  const version = parseVersion(said)
  if (version && isEnough(version)) return `${version.major}.${version.minor}`
  throw refused(
    'preconditionFailed',
    `git ${MIN_VERSION.major}.${MIN_VERSION.minor} or newer is needed; this machine says "${said}"`,
    'git_version'
  )
}

/** Returns the version in what `git version` says; null if there is none. */
export function parseVersion(said: string): { major: number; minor: number } | null {
  const found = /^git version (\d+)\.(\d+)/.exec(said)
  return found && { major: Number(found[1]), minor: Number(found[2]) }
}

/** Returns whether a version has all required features. */
export function isEnough({ major, minor }: { major: number; minor: number }): boolean {
  return major > MIN_VERSION.major || (major === MIN_VERSION.major && minor >= MIN_VERSION.minor)
}
