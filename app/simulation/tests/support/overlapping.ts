import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { workThrough } from '#stores/tests/support'
import { BUNDLE, rehearsal } from './simulated_release.js'

/*
 * Weekly trains overlap: a share of the users of Google Play has 4.2.0, and 4.3.0 is in review.
 */

/** @param play settings of Google Play that differ from the usual ones */
export const trains = (play: object = {}) => `
name: Overlapping trains
seed: overlapping
versionControl: { failingChecks: 0, changesRequested: 0 }
ci: { failing: 0 }
googlePlay: ${JSON.stringify({ rejected: 0, review: '5h', ...play })}
`
const LADDER = [
  { percentage: 20, hours: 8000 },
  { percentage: 100, hours: 0 },
]
const SETTINGS = JSON.stringify({ releaseMethod: 'manual', phasedReleaseEnabled: true })

export type Overlapping = Awaited<ReturnType<typeof liveAtAShare>>

/** Returns the commits that the service has made to Google Play. */
export async function commits({ organizationId }: Overlapping): Promise<string[]> {
  await (await app.container.make('integrations.log')).flush()
  const calls = await db
    .from('integration_calls')
    .where('organization_id', organizationId)
    .whereLike('path', '%commit%')
  return calls.map(({ path, status }: { path: string; status: number }) => `${status} ${path}`)
}

/** Makes version 4.2.0, which 20 % of the users of Google Play have. */
export async function liveAtAShare(scenario = trains()) {
  const given = await rehearsal(scenario, 'google')
  const { admin, appId, path, build, submit, publish, advance, work, organizationId } = given
  const set = await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
  if (set.status !== 200) throw new Error(set.text)
  await db.from('store_plans').where('app_id', appId).update({ settings: SETTINGS })
  const settle = async (turns = 3) => {
    for (let turn = 0; turn < turns; turn++) await work()
  }
  await build()
  await advance('2h')
  await submit()
  await advance('6h')
  await admin.put(`${path}/takeoff`)
  await publish()
  await settle()
  await advance('1h')
  /** Returns Google Play's state of a version, past the service. */
  const inStore = async (version = '4.2.0') => {
    const row = await db.from('simulated_worlds').where('organization_id', organizationId).first()
    const world = typeof row.state === 'string' ? JSON.parse(row.state) : row.state
    const { releases, bundles } = world.plays[BUNDLE.bundleId]
    const { versionCode } = bundles.find(
      ({ versionName }: { versionName: string }) => versionName === version
    )
    return releases.find(
      ({ track, versionCodes }: { track: string; versionCodes: number[] }) =>
        track === 'production' && versionCodes.includes(versionCode)
    )
  }
  const of = (version: string) => `/app/${appId}/release/${appId}:${version}`
  return {
    ...given,
    settle,
    /** Lets the service work through due jobs, at an interval. */
    pass: async (seconds: number, turns: number) => {
      for (let turn = 0; turn < turns; turn++) await workThrough(organizationId, seconds / 60)
    },
    inStore,
    /** Returns the titles of the timeline, oldest first. */
    timeline: async (version = '4.2.0', type = ''): Promise<string[]> => {
      const { body } = await admin.get(`${of(version)}/timelineEvents?limit=200`)
      return body.data
        .filter((entry: { type: string }) => type === '' || entry.type === type)
        .map(({ title }: { title: string }) => title)
        .toReversed()
    },
    why: async (version = '4.2.0') => (await admin.get(`${of(version)}/whyNotMoving`)).body,
    rollout: (body: object) => admin.put(`${path}/rollout`, body),
    plan: async () => (await given.release()).storePlans[0],
    run: async () => {
      const { stepRunId } = await given.step('rollout')
      return (await admin.get(`${path}/stepRun/${stepRunId}`)).body.data.phased
    },
    /** Submits 4.3.0, which is in review then. */
    async overlap() {
      await admin.post(`/app/${appId}/release`, { version: '4.3.0' })
      await admin.put(`${of('4.3.0')}/kickoff`)
      const { body } = await admin.get(`${of('4.3.0')}/steps`)
      const { stepRunId } = body.find(({ type }: { type: string }) => type === 'releaseCandidate')
      await admin.post(`${of('4.3.0')}/stepRun/${stepRunId}/triggerCI`, { branch: 'release/4.3.0' })
      await work()
      await advance('2h')
      await admin.put(`${of('4.3.0')}/submit`, { submitWithIncompleteSteps: true })
      await settle(4)
      const { submission } = await inStore('4.3.0')
      if (!submission) throw new Error('4.3.0 is not in review')
    },
  }
}
