import { setTimeout as pause } from 'node:timers/promises'
import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import type { Principal } from '#foundation/core/principal'
import { OrganizationCommand } from '#organizations/commands/organization_command'
import { advanceWorld } from '../actions/advance_world.js'
import { durationOf, spanOf } from '../duration.js'
import { lockWorld, timeIn } from '../queries/find_world.js'
import { linesOfWaiting } from '../queries/report_own_world.js'
import { isBusy, waitingUntil } from '../queries/waiting_work.js'

/** Interval at which `--wait` checks whether the service is done, in milliseconds. */
const CHECK_MS = 250

export class SimAdvance extends OrganizationCommand {
  static override commandName = 'sim:advance'
  static override description = 'Let time pass in the simulated world of an organization'
  static override help =
    'Takes a duration such as `90m` or `3d`, or a time. With `--wait` it ends once the service has seen the results.'

  @args.string({ description: 'How long (90m, 2h30m, 3d), or until when (2026-11-20T12:00:00Z)' })
  declare span: string

  @flags.string({ description: 'Wait until the service has seen the results, at most this long' })
  declare wait: string | undefined

  protected async work() {
    const timeoutMs = this.wait === undefined ? null : durationOf(this.wait)
    if (this.wait !== undefined && timeoutMs === null) {
      throw new UsageError(`"${this.wait}" is not a time to wait: write 30s or 2m.`)
    }
    const principal = await this.organizationPrincipal()
    const advanced = await this.inTransaction(principal, async (scope) => {
      const row = await lockWorld(scope)
      const span = spanOf(this.span, timeIn(row, scope))
      if (span === null) {
        throw new UsageError(
          `"${this.span}" is not a duration or a later time within a year: write 90m, 2h30m, 3d or 2026-11-20T12:00:00Z.`
        )
      }
      return advanceWorld(scope, row, span)
    })
    if (timeoutMs !== null) await this.#untilSeen(principal, timeoutMs)
    // Read after the wait, because the awaited jobs may have planned further work.
    const waiting = await waitingUntil(this.readScope(principal), advanced.now)
    const document = { ...advanced, waiting }
    const lines = [`It is ${document.now} in the world.`, ...linesOfWaiting(document.waiting)]
    return { document, text: lines.join('\n') }
  }

  async #untilSeen(principal: Principal, timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs
    while (await isBusy(this.readScope(principal))) {
      if (performance.now() >= end) {
        throw new UsageError(
          `Time has passed in the world, but the service was not done within ${this.wait}: is it running?`
        )
      }
      await pause(CHECK_MS)
    }
  }
}
