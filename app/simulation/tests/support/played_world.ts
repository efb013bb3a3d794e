import { attachBuild, createVersion, submit } from '#simulated-providers/app_store'
import { uploadBuild } from '#simulated-providers/app_store_builds'
import { isRefused, USUAL_APP_STORE, type Result } from '#simulated-providers/app_store_state'
import { newWorld, type World } from '../../world/world.js'

const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')
/** Times at which 1.0.0 and 1.1.0 reached the first users in the world of `releasedWorld`. */
export const FIRST_OUT = BEGIN + 12 * HOUR
export const SECOND_OUT = FIRST_OUT + 7 * DAY

/**
 * Returns a world whose App Store has 1.0.0 for all, and a week later 1.1.0 in a phased release.
 */
export function releasedWorld(seed = 'played'): World {
  const { settings } = USUAL_APP_STORE
  const calm = {
    ...settings,
    rejected: 0,
    metadataRejected: 0,
    waitingMs: 10 * HOUR,
    reviewMs: HOUR,
  }
  let store = { ...USUAL_APP_STORE, settings: calm }
  const action = (result: Result) => {
    if (isRefused(result)) throw new Error(result.refused)
    store = result.store
  }
  for (const [version, at, phased] of [
    ['1.0.0', BEGIN, false],
    ['1.1.0', BEGIN + 7 * DAY, true],
  ] as const) {
    action(uploadBuild(store, at, { number: '1', version }))
    action(createVersion(store, at, { version, release: { type: 'AFTER_APPROVAL' }, phased }))
    action(attachBuild(store, at + HOUR, version, `${version} 1`))
    action(submit(store, seed, at + HOUR, version))
  }
  return { ...newWorld(seed), appStores: { 'com.acme.shop': store } }
}
