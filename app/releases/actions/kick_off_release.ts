import type { Scope } from '#foundation/core/scope'
import { requireAllowed } from '../preconditions/require_allowed.js'
import type Release from '../models/release.js'
import { recordKickoff } from '../lifecycle/record_kickoff.js'
import { codePort, type BranchCommand } from '../ports.js'

/** The result of a kickoff: done, continued by a worker, or blocked. */
export type Kickoff = { kind: 'done' | 'underWay' } | Extract<BranchCommand, { kind: 'blocked' }>

/**
 * Kicks off a release. If the app has version control and a pattern for release branches, the
 * release is kicked off once its branch is cut or found; otherwise at once. Repeating it changes
 * nothing.
 */
export class KickOffRelease {
  constructor(private readonly scope: Scope) {}

  /**
   * @param options.ending id of the command that this transaction ends
   * @throws release_completed, release_skipped
   */
  async handle(release: Release, options: { ending?: string } = {}): Promise<Kickoff> {
    const ruling = await requireAllowed(this.scope, release, 'kickoff')
    if (!ruling.changes || ruling.to === 'deleted') return { kind: 'done' }
    const command = await codePort.provided.requestBranch(this.scope, release, options)
    if (command.kind === 'blocked') return command
    if (command.kind === 'underWay') return { kind: 'underWay' }
    await recordKickoff(this.scope, release, ruling.to)
    return { kind: 'done' }
  }
}
