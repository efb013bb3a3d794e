import type { ReleaseExtension } from '../extensions.js'
import { openPicks } from './cherry_picks.js'

/** The cherry-picks that keep a release from being ready. */
export const picksExtension: ReleaseExtension = {
  name: 'picks',
  facts: {
    async of(_scope, release) {
      const open = openPicks(release)
      if (open.length === 0) return {}
      return { picks: open.map(({ commit, failure }) => ({ commit, failure })) }
    },
  },
}
