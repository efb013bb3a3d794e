import db from '@adonisjs/lucid/services/db'
import type { TestContext } from '@japa/runner/core'
import { makeFeatures } from '#features/tests/support'
import { ran } from './support.js'

const TYPE = 'addLabelsAndFixVersions'

/** Makes an app whose tickets name their release by fix version and label; 1.2.0 is kicked off. */
export async function makeMarked(
  cleanup: TestContext['cleanup'],
  options: Parameters<typeof makeFeatures>[1] = {
    affiliations: [
      { type: 'fixVersion', pattern: '{version}' },
      { type: 'label', pattern: 'release-{version}' },
    ],
  }
) {
  const given = await makeFeatures(cleanup, options)
  const { admin, app, repository, tracker, release, kickOff } = given
  repository.git('tag', 'v1.1.0', repository.commit({ message: 'First' }))
  for (const key of ['SHOP-1', 'SHOP-2', 'SHOP-3', 'SHOP-4']) tracker.set(key, { done: true })
  tracker.set('SHOP-2', { versions: ['1.2.0'] })
  repository.commit({ message: 'SHOP-1 Pay' })
  repository.commit({ message: 'SHOP-2 Log in' })
  await release('1.2.0')
  const pause = (paused: boolean) => admin.put(`/app/${app}/automations/pause`, { paused })
  const automate = (enabled = true) => admin.put(`/app/${app}/automations`, { type: TYPE, enabled })
  const setAffiliations = (affiliations: { type: string; pattern: string }[]) => {
    const set = affiliations.map((each) => ({
      name: each.pattern,
      integration: 'tickets',
      ...each,
    }))
    const changed = { feature_affiliations: JSON.stringify(set) }
    return db.from('apps').where('id', app).update(changed)
  }
  return {
    ...given,
    automate,
    setAffiliations,
    pause,
    kickOff: () => kickOff('1.2.0'),
    ran: () => ran(given, '1.2.0'),
  }
}
