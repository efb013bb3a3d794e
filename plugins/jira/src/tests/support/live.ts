import type { ConformanceOptions } from '@tarmac/plugin-kit/testing'
import plugin from '../../plugin.js'
import { contractOfJira } from './contract.js'

/** The data for trying a real site, beside its account. */
export const live = {
  plugin,
  contract: async () => ({ default: await contractOfJira() }),
  // It looks for keys by a body that it posts.
  alsoReads: ({ path }) => path.endsWith('/issue/bulkfetch'),
} satisfies Pick<ConformanceOptions, 'plugin' | 'contract' | 'alsoReads'>
