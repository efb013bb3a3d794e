import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'

/** A module that follows what the code of a release has come to. */
interface CodeFollower {
  /** Told in the transaction that keeps what was seen, once work items follow from it. */
  codeChanged(scope: Scope, release: Release): Promise<unknown>
  /** Returns what it waits to find in a release, by internal id, as texts of its own. */
  awaits?(scope: Scope, releaseId: string): Promise<readonly string[]>
  /**
   * Told in the transaction of a look at the branch of a release, changed or not, what was awaited
   * before that look began: it shows what there was since.
   */
  seen?(scope: Scope, release: Release, awaited: readonly string[]): Promise<unknown>
  /** Numbers of pull requests of a repository that people named for a release, by its internal id. */
  namedPulls?(scope: Scope, releaseId: string, repository: string): Promise<readonly number[]>
}

/** Sibling modules register what they follow. */
export const codeFollowers = new ExtensionPoint<CodeFollower>()
