import type { AppExtension } from '#apps/extensions'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { stepRows } from '#releases/queries/step_rows'
import { pollNow, watchProgress } from './watch.js'

/** A changed configuration may name other providers, so they are polled. */
export const appExtension: AppExtension = {
  async adopt(scope, app, { changes }) {
    if (changes.length === 0) return
    await forEachOpenRelease(scope, app.id, async (release) =>
      watchProgress(scope, release, await stepRows(scope, release.id))
    )
    await pollNow(scope, app.id, 'translations')
    await pollNow(scope, app.id, 'testRuns')
  },
}
