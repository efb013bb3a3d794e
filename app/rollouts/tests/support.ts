import db from '@adonisjs/lucid/services/db'
import { storeWorld, type StoreWorld } from '#stores/tests/support'
import type { StoreType } from '#stores/vocabulary'

/**
 * Returns a world with release 1.4.0 that some users have: on the second day at Apple, at 10 % at
 * Google.
 */
export async function rollingOut(type: StoreType = 'google'): Promise<StoreWorld> {
  const given = await storeWorld(type, ['kickoff', 'submission', 'takeoff', 'rollout'])
  const { store, work, reported } = given
  store.upload('4711')
  store.become(type === 'apple' ? 'live' : 'rolledOutPartially', { buildNumbers: ['4711'] })
  store.rollout(type === 'apple' ? { state: 'active', day: 2 } : { state: 'active', fraction: 0.1 })
  await work()
  await reported()
  return given
}

/** Returns the requests to the store about a rollout. */
export const asked = ({ store }: StoreWorld) =>
  store.changes.filter((each) => each.startsWith('setRollout'))

export const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Changes the samples as if no new data had come for some hours. */
export async function quietFor(appId: string, hours: number) {
  const rows = await db.from('rollouts').where('app_id', appId).whereNull('ended_at')
  for (const { id, samples } of rows) {
    const reported: object[] = typeof samples === 'string' ? JSON.parse(samples) : samples
    const quiet = reported.map((each) => ({ ...each, quiet: hours * 3_600_000 }))
    await db
      .from('rollouts')
      .where({ id })
      .update({ samples: JSON.stringify(quiet) })
  }
}

/** Dates the last call of people to the day before. */
export async function calledYesterday(appId: string) {
  const rows = await db.from('rollouts').where('app_id', appId).whereNotNull('called_for')
  for (const { id, called_for: lastCall } of rows) {
    const calledFor = lastCall.replace(/^\S+/, ago(24).slice(0, 10))
    await db.from('rollouts').where({ id }).update({ called_for: calledFor })
  }
}

/**
 * Sets the begin of an app's rollout, and the time at which it reached its share, to some hours
 * ago.
 */
export const began = (appId: string, hours: number) =>
  db
    .from('rollouts')
    .where('app_id', appId)
    .whereNull('ended_at')
    .update({
      started_at: ago(hours),
      stages: JSON.stringify([{ percentage: 10, at: ago(hours) }]),
    })
