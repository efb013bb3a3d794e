import type { ReleasePart } from '../parts.js'
import { openPicks } from './cherry_picks.js'

/** What keeps a release from being ready: picks that are not in. */
export const picksPart: ReleasePart = {
  name: 'picks',
  facts: {
    async of(_scope, release) {
      const open = openPicks(release)
      if (open.length === 0) return {}
      return { picks: open.map(({ commit, failure }) => ({ commit, failure })) }
    },
  },
}
