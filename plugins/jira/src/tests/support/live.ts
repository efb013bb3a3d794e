import type { ConformanceOptions } from '@tarmac/plugin-kit/testing'
import plugin from '../../plugin.js'
import { assumptions } from './assumptions.js'
import { contractOfJira } from './contract.js'

/** The data for trying a real site, besides its account. */
export const live = {
  plugin,
  contract: async () => ({ default: await contractOfJira() }),
  assumptions,
  // The plugin looks up keys by a POST.
  alsoReads: ({ path }) => path.endsWith('/issue/bulkfetch'),
} satisfies Pick<ConformanceOptions, 'plugin' | 'contract' | 'alsoReads' | 'assumptions'>
