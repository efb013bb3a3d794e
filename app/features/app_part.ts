import type { AppPart } from '#apps/parts'
import { forEachOpenRelease } from '#releases/open_releases'
import { watchFlags } from './flags/watch_flags.js'
import { lookNow, watchFeatures } from './work/watch.js'

/** What features take part in of an app: another configuration has releases looked at anew. */
export const appPart: AppPart = {
  async adopt(scope, app, { changes }) {
    if (changes.length === 0) return
    await forEachOpenRelease(scope, app.id, async (release) => {
      await watchFeatures(scope, release)
      await watchFlags(scope, release)
    })
    await lookNow(scope, app.id, 'versionControl')
    await lookNow(scope, app.id, 'issueTracking')
  },
}
