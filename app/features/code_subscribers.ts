import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'

/** A module that reacts to the code of a release. */
interface CodeSubscriber {
  /** Called in the transaction that stores a poll, once work items are derived from it. */
  codeChanged(scope: Scope, release: Release): Promise<unknown>
  /**
   * Returns the requests whose commits it awaits in a release, as texts of its own. The id is
   * internal.
   */
  awaits?(scope: Scope, releaseId: string): Promise<readonly string[]>
  /**
   * Called in the transaction of a poll of a release branch, changed or not. `awaited` holds the
   * requests made before that poll began, which it therefore covers.
   */
  seen?(scope: Scope, release: Release, awaited: readonly string[]): Promise<unknown>
  /**
   * Returns numbers of pull requests of a repository that people named for a release, by internal
   * id.
   */
  namedPulls?(scope: Scope, releaseId: string, repository: string): Promise<readonly number[]>
}

/** Sibling modules register their subscribers here. */
export const codeSubscribers = new ExtensionPoint<CodeSubscriber>()
