import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { runCommand } from '#tests/support/console'
import { makeWorld } from '#tests/support/world'
import { SimStart } from '../commands/sim_start.js'
import { createVersion } from '#simulated-providers/app_store'
import { USUAL_APP_STORE } from '#simulated-providers/app_store_state'
import { RehearsedWorld } from '../rehearsal/rehearsed_world.js'
import { RehearsedService } from '../rehearsal/service.js'
import { reportStores } from '../world/report_world.js'
import type { World } from '../world/world.js'
import { ok as made } from '#simulated-providers/tests/support/app_store_plays'
import {
  BEGIN,
  commitTrack,
  HOUR,
  LATER,
  ok,
  release,
  STORE,
} from '#simulated-providers/tests/support/play_deeds'

const QUARTER = HOUR / 4
const APP = 'com.acme.shop'

/** Returns the world of a rehearsal that has a store. */
async function rehearsed(has: Partial<World>): Promise<RehearsedWorld> {
  const { organizationId, principal } = await makeWorld()
  const { code, stderr } = await runCommand(SimStart, [`--org=${organizationId}`])
  if (code !== 0) throw new Error(stderr)
  const world = new RehearsedWorld(await RehearsedService.of(app, principal), null, null)
  await world.change((before) => ({ ...before, ...has }))
  return world
}

test.group('The visible state of a rehearsed world', () => {
  test('has releases of Google Play as its lists show them, with a lag', async ({ assert }) => {
    const { reviewMs, lagMs } = STORE.settings
    assert.isAbove(lagMs, 0)
    const world = await rehearsed({ plays: { [APP]: ok(commitTrack(STORE, LATER, [release(1)])) } })
    const approvedAt = LATER + reviewMs
    assert.equal(approvedAt % QUARTER, 0)
    const reported = (at: number) => reportStores(world.now, at).plays[0].releases[0].state
    assert.deepEqual(
      [reported(approvedAt), reported(approvedAt + lagMs - 1), reported(approvedAt + lagMs)],
      ['IN_REVIEW', 'IN_REVIEW', 'PUBLISHED']
    )
    const end = approvedAt + 2 * HOUR
    assert.equal(world.changesAt(approvedAt - HOUR, end), approvedAt + QUARTER)
    assert.equal(world.changesAt(approvedAt, end), approvedAt + QUARTER)
    assert.equal(world.changesAt(approvedAt + QUARTER, end), end)
  })

  test('has a version of the App Store once it is shown', async ({ assert }) => {
    const settings = { ...USUAL_APP_STORE.settings, appearingMs: 2 * QUARTER }
    const input = { version: '1.0.0', release: { type: 'MANUAL' as const }, phased: true }
    const store = made(createVersion({ ...USUAL_APP_STORE, settings }, BEGIN, input))
    const world = await rehearsed({ appStores: { [APP]: store } })
    const shownAt = BEGIN + 2 * QUARTER
    assert.equal(world.changesAt(BEGIN, BEGIN + HOUR), shownAt)
    assert.equal(world.changesAt(shownAt, shownAt + HOUR), shownAt + HOUR)
  })
})
