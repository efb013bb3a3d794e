import db from '@adonisjs/lucid/services/db'
import { monitored } from './monitor.js'
import { ago, began, rollingOut } from './support.js'

export const LADDER = [
  { percentage: 10, hours: 24 },
  { percentage: 50, hours: 24 },
  { percentage: 100, hours: 0 },
]
export const CRASHES = {
  name: 'crashFreeSessions',
  source: 'crashMonitoring',
  measure: 'crashFreeSessions',
}

/**
 * Returns a rollout whose guard asks a monitor, some hours after its begin; the previous version is
 * 1.3.0.
 */
export async function guarded(type: 'apple' | 'google' = 'google', more: object = {}) {
  const given = await rollingOut(type)
  const { admin, appId, work } = given
  const monitor = await monitored(given)
  await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
  await db
    .from('releases')
    .where({ app_id: appId, version: '1.3.0' })
    .update({ released_at: ago(200) })
  monitor.versions.set('1.3.0', { sessions: 480_000, crashed: 960 })
  const { status } = await admin.put(`/app/${appId}/rolloutPolicy`, {
    policy: { ladder: LADDER, guard: { metrics: [CRASHES] }, ...more },
  })
  if (status !== 200) throw new Error(`The policy was refused: ${status}`)
  await began(appId, 4)
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await work()
  }
  await turns(1)
  return {
    ...given,
    monitor,
    turns,
    /** Lets version 1.4.0 crash more from now on. */
    crash: () => monitor.versions.set('1.4.0', { sessions: 80_000, crashed: 560 }),
    steer: (action: string) => admin.put(`${given.path}/rollout`, { action }),
    issues: async () => (await admin.get(`/app/${appId}/triageIssue`)).body.data,
  }
}
